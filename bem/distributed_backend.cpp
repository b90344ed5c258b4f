#include "rankine/bem/distributed_backend.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rankine/bem/forwarding_backend.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/distributed/distributed_operator.hpp"

namespace rankine::bem {
namespace {

/// The rows of a matrix that each process has: ends of consecutive ranges, with about equal numbers
/// of entries.
std::vector<std::size_t> divide_rows(const SparsityPattern& pattern, int processes) {
  std::vector<std::size_t> ends = {0};
  for (int r = 1; r <= processes; ++r) {
    const auto entries = static_cast<std::int64_t>(pattern.entries()) * r / processes;
    const auto found = std::lower_bound(pattern.offsets.begin(), pattern.offsets.end(), entries);
    ends.push_back(r == processes ? pattern.rows()
                                  : static_cast<std::size_t>(found - pattern.offsets.begin()));
  }
  return ends;
}

/// A matrix of which every process has some rows.
class DividedMatrix final : public SparseMatrix {
 public:
  /// Every process has the rows [ends[rank], ends[rank + 1]) in `own`.
  DividedMatrix(Communicator& processes, std::vector<std::size_t> ends, std::size_t entries,
                std::unique_ptr<SparseMatrix> own)
      : processes_(processes), ends_(std::move(ends)), entries_(entries), own_(std::move(own)) {}

  std::size_t rows() const override { return ends_.back(); }
  std::size_t columns() const override { return own_->columns(); }
  std::size_t entries() const override { return entries_; }
  std::size_t bytes() const override { return own_->bytes(); }

  void add(double alpha, const double* x, double* y, int rhs) override {
    const auto vectors = static_cast<std::size_t>(rhs);
    std::vector<double> mine(vectors * own_->rows(), 0.0), all(vectors * rows());
    own_->add(alpha, x, mine.data(), rhs);
    processes_.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
    for (std::size_t r = 0; r + 1 < ends_.size(); ++r) {
      const std::size_t count = ends_[r + 1] - ends_[r];
      for (std::size_t k = 0; k < vectors; ++k) {
        const double* const from = all.data() + vectors * ends_[r] + k * count;
        double* const to = y + k * rows() + ends_[r];
        parallel_for(count, [=](std::size_t i) { to[i] += from[i]; });
      }
    }
  }

  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    const auto vectors = static_cast<std::size_t>(rhs);
    const std::size_t first = ends_[static_cast<std::size_t>(processes_.rank())];
    std::vector<double> mine, sums(vectors * columns(), 0.0);
    for (std::size_t k = 0; k < vectors; ++k) {
      const double* const from = x + k * rows() + first;
      mine.insert(mine.end(), from, from + own_->rows());
    }
    own_->add_transposed(alpha, mine.data(), sums.data(), rhs);
    processes_.sum(sums);
    parallel_for(sums.size(), [&](std::size_t i) { y[i] += sums[i]; });
  }

  SparseRows on_host() const override {
    const SparseRows mine = own_->on_host();
    auto pattern = std::make_shared<SparsityPattern>();
    std::vector<std::int64_t> counts(mine.rows()), all_counts(rows());
    for (std::size_t i = 0; i < mine.rows(); ++i)
      counts[i] = mine.pattern->offsets[i + 1] - mine.pattern->offsets[i];
    const auto gather = [&](const auto& from, auto& to) {
      processes_.gather(std::as_bytes(std::span(from)), std::as_writable_bytes(std::span(to)));
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
  Communicator& processes_;
  std::vector<std::size_t> ends_;
  std::size_t entries_;
  std::unique_ptr<SparseMatrix> own_;
};

/// An operator on host arrays for a backend with another memory.
class StagedOperator final : public fmm::Operator {
 public:
  StagedOperator(std::unique_ptr<fmm::Operator> on_host, Backend& backend)
      : on_host_(std::move(on_host)), backend_(backend) {}

  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override {
    Staged<double> staged(backend_);
    on_host_->apply(
        {staged.down(strengths.charges), staged.down(strengths.normal_dipoles),
         staged.down(strengths.dipoles), staged.down(strengths.vortices)},
        {staged.up(results.potential), staged.up(results.gradient), staged.up(results.hessian),
         staged.up(results.velocity), staged.up(results.velocity_gradient)},
        rhs);
    staged.finish();
  }
  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override {
    Staged<double> staged(backend_);
    return on_host_->breakdown(
        {staged.down(strengths.charges), staged.down(strengths.normal_dipoles),
         staged.down(strengths.dipoles), staged.down(strengths.vortices)},
        {staged.up(results.potential), staged.up(results.gradient), staged.up(results.hessian),
         staged.up(results.velocity), staged.up(results.velocity_gradient)},
        rhs);
  }
  void move(const fmm::Points& points, MemorySpace where) override {
    if (where == MemorySpace::host) return on_host_->move(points, where);
    Staged<Vec3d> places(backend_);
    Staged<double> radii(backend_);
    on_host_->move({places.down(points.sources), places.down(points.targets),
                    places.down(points.normals), radii.down(points.core_radii)},
                   MemorySpace::host);
  }
  const fmm::OperatorInfo& info() const override { return on_host_->info(); }

 private:
  /// Host copies of arrays in the backend's memory.
  template <class T>
  class Staged {
   public:
    explicit Staged(Backend& backend) : backend_(backend) {}

    std::span<const T> down(std::span<const T> from) {
      std::vector<T>& copy = copies_[count_++];
      copy.resize(from.size());
      backend_.download(
          reinterpret_cast<const double*>(from.data()),
          {reinterpret_cast<double*>(copy.data()), from.size() * sizeof(T) / sizeof(double)});
      return copy;
    }
    std::span<T> up(std::span<T> to) {
      destinations_.push_back({count_, to.data()});
      std::vector<T>& copy = copies_[count_++];
      copy.resize(to.size());
      return copy;
    }
    void finish() {
      for (const auto& [i, to] : destinations_) {
        if (!copies_[i].empty()) backend_.upload(copies_[i], to);
      }
    }

   private:
    Backend& backend_;
    std::array<std::vector<T>, 9> copies_;
    std::size_t count_ = 0;
    std::vector<std::pair<std::size_t, T*>> destinations_;
  };

  std::unique_ptr<fmm::Operator> on_host_;
  Backend& backend_;
};

/// What is not overridden is the same work in all processes.
class DistributedBackend final : public ForwardingBackend {
 public:
  DistributedBackend(std::unique_ptr<Backend> local, Communicator& processes,
                     const fmm::PartBackend& parts)
      : ForwardingBackend(std::move(local)), processes_(processes), parts_(parts) {}

  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    auto shared = fmm::make_replicated_operator(processes_, points, options, parts_);
    if (memory_space() == MemorySpace::host) return shared;
    return std::make_unique<StagedOperator>(std::move(shared), to());
  }

  std::vector<std::unique_ptr<SparseMatrix>> assemble(const Discretization& discretization,
                                                      std::span<const Layer> layers) override {
    if (memory_space() != MemorySpace::host)
      return ForwardingBackend::assemble(discretization, layers);
    SparsityPattern all = discretization.near_pairs();
    std::vector<std::size_t> ends = divide_rows(all, processes_.size());
    const auto rank = static_cast<std::size_t>(processes_.rank());
    const std::size_t first = ends[rank], last = ends[rank + 1], entries = all.entries();
    // Integrals of own rows: the others have no pairs.
    const auto begin = all.offsets[first], end = all.offsets[last];
    for (std::int64_t& offset : all.offsets) offset = std::clamp(offset, begin, end) - begin;
    std::copy(all.columns.begin() + begin, all.columns.begin() + end, all.columns.begin());
    all.columns.resize(static_cast<std::size_t>(end - begin));
    std::vector<AlignedVector<double>> values(layers.size(), AlignedVector<double>(all.entries()));
    std::vector<double*> addresses;
    for (AlignedVector<double>& each : values) addresses.push_back(each.data());
    discretization.integrate(layers, all, addresses);
    auto own = std::make_shared<SparsityPattern>();
    own->offsets.assign(all.offsets.begin() + static_cast<std::ptrdiff_t>(first),
                        all.offsets.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    own->columns = std::move(all.columns);
    std::vector<std::unique_ptr<SparseMatrix>> matrices;
    for (AlignedVector<double>& each : values) {
      matrices.push_back(std::make_unique<DividedMatrix>(
          processes_, ends, entries,
          make_sparse({discretization.unknowns(), own, std::move(each)})));
    }
    return matrices;
  }

 private:
  Communicator& processes_;
  const fmm::PartBackend& parts_;
};

}  // namespace

std::unique_ptr<Backend> make_distributed_backend(std::unique_ptr<Backend> local,
                                                  Communicator& processes,
                                                  const fmm::PartBackend& parts) {
  return std::make_unique<DistributedBackend>(std::move(local), processes, parts);
}

}  // namespace rankine::bem
