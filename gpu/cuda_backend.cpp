#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "rankine/bem/distributed_backend.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/vector_ops.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"

namespace rankine::gpu {
namespace {

/// All work is queued on one stream of the device that was current when the backend was created.
/// Arrays and operators share ownership of the stream.
class CudaBackend final : public bem::Backend {
 public:
  /// `group`: the processes that divide the work; null for a single process.
  CudaBackend(std::shared_ptr<const Stream> stream, HostWork on_host,
              std::shared_ptr<const DeviceGroup> group)
      : stream_(std::move(stream)),
        group_(std::move(group)),
        vectors_(stream_),
        on_host_(std::move(on_host)) {}

  std::string name() const override { return "cuda"; }
  std::string device() const override { return context().device().name; }
  bem::MemorySpace memory_space() const override { return bem::MemorySpace::device; }
  std::size_t peak_device_bytes() const override { return context().peak_bytes(); }

  bem::Array allocate(std::size_t size) override {
    if (size == 0) return {};
    const std::size_t bytes = size * sizeof(double);
    context().require_memory(bytes, "An array of " + std::to_string(size) + " values",
                             "Use fewer panels, a shorter solver.restart, or --backend cpu.");
    auto* data = static_cast<double*>(allocate_bytes(bytes, *stream_));
    bem::Array array(
        data, size, [stream = stream_](double* pointer) { free_bytes(pointer, stream->handle()); });
    zero_bytes(data, bytes, *stream_);
    return array;
  }
  void upload(std::span<const double> host, double* destination) override {
    if (!host.empty()) upload_bytes(destination, host.data(), host.size_bytes(), *stream_);
  }
  void download(const double* source, std::span<double> host) override {
    if (!host.empty()) download_bytes(host.data(), source, host.size_bytes(), *stream_);
    stream_->synchronize();
  }

  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    return make_cuda_operator(points, options, stream_);
  }
  std::unique_ptr<bem::SparseMatrix> make_sparse(bem::SparseRows matrix) override {
    const DeviceScope scope(context());
    return make_cuda_sparse(matrix, stream_);
  }
  bem::PanelNodes place_nodes(const bem::Panels& panels,
                              const bem::QuadratureOptions& options) override {
    const char* const work = "quadrature nodes";
    if (has_no_images(work, panels.symmetry.empty()) &&
        has_memory(work, placed_bytes_of_panel * panels.size())) {
      const DeviceScope scope(context());
      return device_nodes(panels, options, *stream_);
    }
    return Backend::place_nodes(panels, options);
  }
  std::unique_ptr<bem::NearFields> near_fields(
      const bem::CollocatedPanels& discretization) override {
    const DeviceScope scope(context());
    return device_near_fields(discretization, stream_);
  }
  std::unique_ptr<bem::SparseMatrix> patch_inverse(
      bem::LayerSet& layers, const bem::Equation& equation,
      const bem::LocalInverseOptions& options) override {
    const char* const work = "local inverses";
    if (!has_no_images(work, layers.symmetry().empty())) return nullptr;
    const DeviceScope scope(context());
    auto made = device_patch_inverse(layers, equation, options, stream_);
    if (!made) leave_to_host(work, many_neighbours);
    return made;
  }
  bem::StrengthMatrices strengths(const bem::Discretization& discretization,
                                  const bem::RowRange& nodes) override {
    const char* const work = "strengths of nodes";
    if (const bem::CollocatedPanels* const panels = whole_panels(work, discretization)) {
      const DeviceScope scope(context());
      bem::StrengthMatrices made = device_strengths(*panels, stream_);
      if (made.nodes) return made;
      leave_to_host(work, many_neighbours);
    }
    return Backend::strengths(discretization, nodes);
  }
  std::vector<std::unique_ptr<bem::SparseMatrix>> linear_moments(
      const bem::Discretization& discretization, std::span<const bem::Layer> layers,
      const bem::RowRange& rows) override {
    const char* const work = "near corrections for linear strengths";
    if (const auto* sources = dynamic_cast<const bem::SourcePanels*>(&discretization)) {
      const DeviceScope scope(context());
      return device_linear_moments(*sources, layers, rows, stream_);
    }
    if (const bem::CollocatedPanels* const panels = whole_panels(work, discretization)) {
      const DeviceScope scope(context());
      auto made = device_linear_moments(*panels, layers, rows, stream_);
      if (!made.empty()) return made;
      leave_to_host(work, many_neighbours);
    }
    return Backend::linear_moments(discretization, layers, rows);
  }
  std::vector<std::unique_ptr<bem::SparseMatrix>> assemble(
      const bem::Discretization& discretization, std::span<const bem::Layer> layers,
      const bem::RowRange& rows) override {
    const auto* panels = dynamic_cast<const bem::PanelDiscretization*>(&discretization);
    if (panels == nullptr) return Backend::assemble(discretization, layers, rows);
    const DeviceScope scope(context());
    return assemble_panels(*panels, layers, rows, stream_);
  }
  bem::SurfaceGradient gradient(const bem::PanelNeighbourhood& neighbourhood,
                                std::span<const double> values) override {
    if (!has_no_images("surface gradients", neighbourhood.panels().halo.empty()))
      return Backend::gradient(neighbourhood, values);
    const DeviceScope scope(context());
    return device_surface_gradient(neighbourhood, values, group_.get(), *stream_);
  }
  bem::PanelFits fit(const bem::PanelNeighbourhood& neighbourhood,
                     const bem::FittedFields& fields) override {
    const char* const work = "surface fits";
    const bem::Panels& panels = neighbourhood.panels();
    if (!has_no_images(work, panels.halo.empty()) ||
        !has_memory(work, fit_bytes_of_panel * panels.size()))
      return Backend::fit(neighbourhood, fields);
    const DeviceScope scope(context());
    return device_fits(neighbourhood, fields, *stream_);
  }
  std::optional<bem::BentPanels> bend_panels(std::span<const Vec3d> nodes,
                                             std::span<const meshes::Element> elements,
                                             bem::PanelGeometry kind) override {
    const char* const work = "panels";
    // At this point it is not known whether a solve fits into the device's memory.
    if (!has_memory(work, panel_bytes_of_element * elements.size())) return std::nullopt;
    const DeviceScope scope(context());
    auto bent = device_panels(nodes, elements, kind, *stream_);
    if (!bent && !elements.empty()) leave_to_host(work, many_neighbours);
    return bent;
  }

  bem::RedistributionRecord redistribute(bem::VortexArrays& particles, std::size_t sheet,
                                         double step,
                                         const bem::RedistributionOptions& options) override {
    if (!has_memory("redistribution", redistribution_bytes_of_particle * 2 * particles.size()))
      return Backend::redistribute(particles, sheet, step, options);
    const DeviceScope scope(context());
    return device_redistribution(particles, sheet, step, options, *this, *stream_);
  }

  bem::SplittingRecord split(bem::VortexArrays& particles, bem::Array& circulations,
                             const bem::SplittingOptions& options) override {
    const DeviceScope scope(context());
    return device_splitting(particles, circulations, options, *this, *stream_);
  }

  void each(std::size_t n, const bem::VectorStep& step) override { vectors_.each(n, step); }
  std::size_t count(std::size_t n, const bem::LimitGrowth& limit) override {
    return vectors_.count(n, limit);
  }
  void copy(std::size_t n, const double* x, double* y) override {
    if (n > 0) copy_bytes(y, x, n * sizeof(double), *stream_);
  }
  double norm(std::size_t n, const double* x) override {
    double square = 0.0;
    vectors_.project(n, 1, x, x, &square);
    return std::sqrt(square);
  }
  void project(std::size_t n, int k, const double* v, const double* w, double* h) override {
    vectors_.project(n, k, v, w, h);
  }
  void subtract(std::size_t n, int k, const double* v, const double* h, double* w) override {
    vectors_.subtract(n, k, v, h, w);
  }

 private:
  static constexpr const char* many_neighbours = "a panel or node with very many neighbours";

  const DeviceContext& context() const { return *stream_->context(); }

  bool has_no_images(const char* work, bool none) {
    if (!none) leave_to_host(work, "symmetry planes");
    return none;
  }
  /// The panels of a discretization without images and strips; null for others.
  const bem::CollocatedPanels* whole_panels(const char* work,
                                            const bem::Discretization& discretization) {
    const auto* panels = dynamic_cast<const bem::CollocatedPanels*>(&discretization);
    const bool whole = panels != nullptr &&
                       has_no_images(work, panels->panels().symmetry.empty()) &&
                       !panels->panel_nodes().some_are_cut();
    return whole ? panels : nullptr;
  }
  bool has_memory(const char* work, std::size_t bytes) {
    const bool sufficient = context().available_bytes() >= bytes;
    if (!sufficient) leave_to_host(work, "lack of device memory");
    return sufficient;
  }
  /// Reports each piece of work once.
  void leave_to_host(const char* work, const char* reason) {
    if (on_host_ && reported_.insert(work).second) on_host_(work, reason);
  }

  std::shared_ptr<const Stream> stream_;
  std::shared_ptr<const DeviceGroup> group_;
  VectorOps vectors_;
  HostWork on_host_;
  std::set<std::string> reported_;
};

/// Shared work of several processes, each with a device.
class DeviceWork final : public bem::SharedWork {
 public:
  DeviceWork(std::shared_ptr<const DeviceGroup> group, std::shared_ptr<const Stream> stream)
      : group_(std::move(group)), stream_(std::move(stream)) {}

  Communicator& processes() const override { return group_->processes(); }
  std::string transport() const override { return group_->transport(); }
  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options,
                                               fmm::SourcesOf) override {
    return make_cuda_operator(points, options, stream_, group_.get());
  }
  bool divides_sources() const override { return false; }
  void gather(double* all, std::size_t count) override {
    std::vector<std::int64_t> begin(static_cast<std::size_t>(group_->size()) + 1);
    std::iota(begin.begin(), begin.end(), 0);
    group_->gather(all, begin, count * sizeof(double), *stream_);
  }
  /// Via the host, since only transposed products need it.
  void sum(std::span<double> values) override {
    std::vector<double> host(values.size());
    download_bytes(host.data(), values.data(), values.size_bytes(), *stream_);
    stream_->synchronize();
    group_->processes().sum(host);
    upload_bytes(values.data(), host.data(), values.size_bytes(), *stream_);
  }

 private:
  std::shared_ptr<const DeviceGroup> group_;
  std::shared_ptr<const Stream> stream_;
};

}  // namespace

std::unique_ptr<bem::Backend> make_cuda_backend(HostWork on_host, Communicator* processes) {
  auto stream = std::make_shared<const Stream>();
  const auto group = processes ? std::make_shared<const DeviceGroup>(*processes) : nullptr;
  auto backend = std::make_unique<CudaBackend>(stream, std::move(on_host), group);
  if (group == nullptr) return backend;
  return bem::make_distributed_backend(std::move(backend),
                                       std::make_unique<DeviceWork>(group, stream));
}

}  // namespace rankine::gpu
