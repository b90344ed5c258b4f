#include "rankine/bem/distributed_backend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankine/bem/forwarding_backend.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"

namespace rankine::bem {
namespace {

/// A matrix divided by rows: process r has at most `part` rows, starting with row r * `part`.
class DividedMatrix final : public SparseMatrix {
 public:
  DividedMatrix(Backend& backend, SharedWork& shared, std::size_t rows, std::size_t part,
                std::unique_ptr<SparseMatrix> own)
      : backend_(backend), shared_(shared), rows_(rows), part_(part), own_(std::move(own)) {
    auto entries = static_cast<std::int64_t>(own_->entries());
    shared_.processes().sum(std::span(&entries, 1));
    entries_ = static_cast<std::size_t>(entries);
  }

  std::size_t rows() const override { return rows_; }
  std::size_t columns() const override { return own_->columns(); }
  std::size_t entries() const override { return entries_; }
  std::size_t bytes() const override { return own_->bytes(); }

  void add(double alpha, const double* x, double* y, int rhs) override {
    const auto vectors = static_cast<std::size_t>(rhs),
               ranks = static_cast<std::size_t>(shared_.processes().size());
    Array products = backend_.allocate(ranks * vectors * part_);
    own_->add(alpha, x, products.data() + rank() * vectors * part_, rhs);
    shared_.gather(products.data(), vectors * part_);
    for (std::size_t r = 0; r < ranks; ++r) {
      const std::size_t first = std::min(r * part_, rows_), count = std::min(part_, rows_ - first);
      for (std::size_t k = 0; k < vectors; ++k)
        backend_.axpy(count, 1.0, products.data() + r * vectors * part_ + k * count,
                      y + k * rows_ + first);
    }
  }

  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    const auto vectors = static_cast<std::size_t>(rhs);
    const std::size_t first = std::min(rank() * part_, rows_);
    Array mine = backend_.allocate(vectors * own_->rows()),
          sums = backend_.allocate(vectors * columns());
    for (std::size_t k = 0; k < vectors; ++k)
      backend_.copy(own_->rows(), x + k * rows_ + first, mine.data() + k * own_->rows());
    own_->add_transposed(alpha, mine.data(), sums.data(), rhs);
    shared_.sum(sums.all());
    backend_.axpy(sums.size(), 1.0, sums.data(), y);
  }

  SparseRows on_host() const override {
    const SparseRows mine = own_->on_host();
    auto pattern = std::make_shared<SparsityPattern>();
    std::vector<std::int64_t> counts(mine.rows()), all_counts(rows());
    for (std::size_t i = 0; i < mine.rows(); ++i)
      counts[i] = mine.pattern->offsets[i + 1] - mine.pattern->offsets[i];
    const auto gather = [&](const auto& from, auto& to) {
      shared_.processes().gather(std::as_bytes(std::span(from)),
                                 std::as_writable_bytes(std::span(to)));
    };
    gather(counts, all_counts);
    for (const std::int64_t count : all_counts)
      pattern->offsets.push_back(pattern->offsets.back() + count);
    pattern->columns.resize(entries_);
    gather(mine.pattern->columns, pattern->columns);
    AlignedVector<double> values(entries_);
    gather(mine.values, values);
    return {columns(), std::move(pattern), std::move(values)};
  }

 private:
  std::size_t rank() const { return static_cast<std::size_t>(shared_.processes().rank()); }

  Backend& backend_;
  SharedWork& shared_;
  std::size_t rows_, part_;
  std::size_t entries_ = 0;
  std::unique_ptr<SparseMatrix> own_;
};

/// The rows of a matrix that one process multiplies. Products with the transpose are those of all
/// processes.
class OwnRows final : public SparseMatrix {
 public:
  OwnRows(Backend& backend, SharedWork& shared, std::unique_ptr<SparseMatrix> own)
      : backend_(backend), shared_(shared), own_(std::move(own)) {}

  std::size_t rows() const override { return own_->rows(); }
  std::size_t columns() const override { return own_->columns(); }
  std::size_t entries() const override { return own_->entries(); }
  std::size_t bytes() const override { return own_->bytes(); }
  SparseRows on_host() const override { return own_->on_host(); }
  void add(double alpha, const double* x, double* y, int rhs) override {
    own_->add(alpha, x, y, rhs);
  }
  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    Array sums = backend_.allocate(static_cast<std::size_t>(rhs) * columns());
    own_->add_transposed(alpha, x, sums.data(), rhs);
    shared_.sum(sums.all());
    backend_.axpy(sums.size(), 1.0, sums.data(), y);
  }

 private:
  Backend& backend_;
  SharedWork& shared_;
  std::unique_ptr<SparseMatrix> own_;
};

class HostWork final : public SharedWork {
 public:
  explicit HostWork(Communicator& processes) : processes_(processes) {}

  Communicator& processes() const override { return processes_; }
  std::string transport() const override { return "host memory"; }
  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options,
                                               fmm::SourcesOf given) override {
    return fmm::make_replicated_operator(processes_, points, options, given);
  }
  bool divides_sources() const override { return true; }
  void gather(double* all, std::size_t count) override {
    const auto rank = static_cast<std::size_t>(processes_.rank()),
               ranks = static_cast<std::size_t>(processes_.size());
    const std::vector<double> own(all + rank * count, all + (rank + 1) * count);
    processes_.gather(std::as_bytes(std::span(own)),
                      std::as_writable_bytes(std::span(all, ranks * count)));
  }
  void sum(std::span<double> values) override { processes_.sum(values); }

 private:
  Communicator& processes_;
};

/// Functions that are not overridden do the same work in all processes.
class DistributedBackend final : public ForwardingBackend {
 public:
  DistributedBackend(std::unique_ptr<Backend> local, std::unique_ptr<SharedWork> shared)
      : ForwardingBackend(std::move(local)), shared_(std::move(shared)) {}

  std::string device() const override {
    if (memory_space() == MemorySpace::host) return ForwardingBackend::device();
    return ForwardingBackend::device() + ", exchange by " + shared_->transport();
  }

  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    return shared_->make_operator(points, options, fmm::SourcesOf::all);
  }
  std::unique_ptr<fmm::Operator> make_sums(const Discretization& discretization,
                                           const MirroredSpan<Vec3d>& targets,
                                           const fmm::Options& options) override {
    if (!divides(discretization)) return Backend::make_sums(discretization, targets, options);
    const RowRange own = own_nodes(discretization);
    return shared_->make_operator(
        {discretization.nodes().on_host().subspan(own.begin, own.size()), targets,
         discretization.node_normals().on_host().subspan(own.begin, own.size())},
        options, fmm::SourcesOf::process);
  }
  RowRange own_nodes(const Discretization& discretization) const override {
    if (!divides(discretization)) return Backend::own_nodes(discretization);
    return own_rows(discretization.nodes().size());
  }
  StrengthMatrices strengths(const Discretization& discretization, const RowRange& nodes) override {
    if (!divides(discretization)) return to().strengths(discretization, nodes);
    StrengthMatrices made = to().strengths(discretization, own_nodes(discretization));
    made.nodes = std::make_unique<OwnRows>(to(), *shared_, std::move(made.nodes));
    return made;
  }

  std::vector<std::unique_ptr<SparseMatrix>> assemble(const Discretization& discretization,
                                                      std::span<const Layer> layers,
                                                      const RowRange&) override {
    const std::size_t rows =
        discretization.is_variational() ? discretization.rows() : discretization.targets().size();
    return of_all(to().assemble(discretization, layers, own_rows(rows)), rows);
  }
  std::vector<std::unique_ptr<SparseMatrix>> linear_moments(const Discretization& discretization,
                                                            std::span<const Layer> layers,
                                                            const RowRange&) override {
    const std::size_t rows = discretization.targets().size();
    return of_all(to().linear_moments(discretization, layers, own_rows(rows)), rows);
  }

  // Devices divide gradients themselves. The fits of all panels take them less time than their
  // exchange via the host.
  SurfaceGradient gradient(const PanelNeighbourhood& neighbourhood,
                           std::span<const double> values) override {
    if (memory_space() != MemorySpace::host)
      return ForwardingBackend::gradient(neighbourhood, values);
    SurfaceGradient result =
        surface_gradient(neighbourhood, values, own_rows(neighbourhood.panels().size()));
    complete(result.normal);
    complete(result.gradient);
    return result;
  }
  PanelFits fit(const PanelNeighbourhood& neighbourhood, const FittedFields& fields) override {
    if (memory_space() != MemorySpace::host) return ForwardingBackend::fit(neighbourhood, fields);
    PanelFits result = fit_panels(neighbourhood, fields, own_rows(neighbourhood.panels().size()));
    complete(result.of_values);
    complete(result.of_potential);
    complete(result.signs);
    return result;
  }

  RowRange own_rows(std::size_t rows) const override {
    const std::size_t part = part_of(rows),
                      rank = static_cast<std::size_t>(shared_->processes().rank());
    return {std::min(rank * part, rows), std::min((rank + 1) * part, rows)};
  }
  void complete(std::size_t rows, double* whole) override {
    const std::size_t part = part_of(rows);
    const RowRange own = own_rows(rows);
    const auto [rank, ranks] = std::pair(shared_->processes().rank(), shared_->processes().size());
    Array all = to().allocate(static_cast<std::size_t>(ranks) * part);
    to().copy(own.size(), whole + own.begin, all.data() + static_cast<std::size_t>(rank) * part);
    shared_->gather(all.data(), part);
    to().copy(rows, all.data(), whole);
  }
  double norm(std::size_t n, const double* x) override {
    double square = 0.0;
    project(n, 1, x, x, &square);
    return std::sqrt(square);
  }
  void project(std::size_t n, int k, const double* v, const double* w, double* h) override {
    ForwardingBackend::project(n, k, v, w, h);
    shared_->processes().sum({h, static_cast<std::size_t>(k)});
  }

 private:
  bool divides(const Discretization& discretization) const {
    return shared_->divides_sources() && !discretization.is_variational();
  }
  /// The largest number of rows of a process.
  std::size_t part_of(std::size_t rows) const {
    const auto ranks = static_cast<std::size_t>(shared_->processes().size());
    return (rows + ranks - 1) / ranks;
  }
  /// Matrices of `rows` rows, of which this process has its own.
  std::vector<std::unique_ptr<SparseMatrix>> of_all(std::vector<std::unique_ptr<SparseMatrix>> own,
                                                    std::size_t rows) {
    for (std::unique_ptr<SparseMatrix>& each : own)
      each = std::make_unique<DividedMatrix>(to(), *shared_, rows, part_of(rows), std::move(each));
    return own;
  }
  /// Adds the rows of the other processes.
  template <class T>
  void complete(AlignedVector<T>& rows) const {
    const auto [begin, end] = own_rows(rows.size());
    const std::vector<T> own(rows.begin() + begin, rows.begin() + end);
    shared_->processes().gather(std::as_bytes(std::span(own)),
                                std::as_writable_bytes(std::span(rows)));
  }

  std::unique_ptr<SharedWork> shared_;
};

}  // namespace

std::unique_ptr<SharedWork> make_host_work(Communicator& processes) {
  return std::make_unique<HostWork>(processes);
}

std::unique_ptr<Backend> make_distributed_backend(std::unique_ptr<Backend> local,
                                                  std::unique_ptr<SharedWork> shared) {
  return std::make_unique<DistributedBackend>(std::move(local), std::move(shared));
}

}  // namespace rankine::bem
