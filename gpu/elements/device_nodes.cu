#include "rankine/gpu/elements/device_panels.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "rankine/bem/layers/whole_rules.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

struct Task {
  const bem::PanelShape<double>* shape;
  const Vec3d* centroid;
  const double* radius;
  std::int64_t count;
  bem::FarAccuracy accuracy;
  bem::FarNodeRules rules;
};

/// Chooses a rule for every panel and writes its number of nodes; `nodes` ends with an extra zero.
__global__ void __launch_bounds__(loop_threads)
    choose_kernel(const __grid_constant__ Task task, bem::FarRule* rules, float* errors,
                  std::int64_t* nodes, int* some_are_long) {
  const std::int64_t j = thread_index();
  if (j == task.count) nodes[j] = 0;
  if (j >= task.count) return;
  const bem::PanelShape<double> shape = task.shape[j];
  if (bem::is_long(shape)) *some_are_long = 1;
  const bem::PanelRule rule =
      bem::best_whole_rule(shape, bem::panel_size(task.radius[j]), task.accuracy).rule;
  rules[j] = rule.whole;
  errors[j] = rule.error;
  nodes[j] = rule.nodes;
}

__global__ void __launch_bounds__(loop_threads)
    place_kernel(const __grid_constant__ Task task, const bem::FarRule* rules,
                 const std::int64_t* first, Vec3d* points, Vec3d* normals, double* weights,
                 double* near_radii, double* middle_radii) {
  const std::int64_t j = thread_index();
  if (j >= task.count) return;
  const double size = bem::panel_size(task.radius[j]);
  near_radii[j] = bem::near_radius(rules[j], size, task.accuracy);
  middle_radii[j] = bem::middle_radius(size, task.accuracy);
  std::int64_t node = first[j];
  bem::place_far_nodes(task.rules, rules[j], task.shape[j], task.centroid[j],
                       [&](const bem::QuadratureNode& placed) {
                         points[node] = placed.point;
                         normals[node] = placed.normal;
                         weights[node++] = placed.weight;
                       });
}

/// A device array that becomes the device copy of a host array.
template <class T>
class Twin {
 public:
  Twin(std::size_t size, const Stream& stream)
      : bytes_(std::make_shared<DeviceBytes>(size * sizeof(T), stream)) {}

  T* data() { return reinterpret_cast<T*>(bytes_->buffer.data()); }

  /// Downloads to `host`, which keeps this array as its copy.
  void fetch_into(MirroredVector<T>& host, const Stream& stream) const {
    const DeviceBuffer<std::byte>& buffer = bytes_->buffer;
    resize_touched(host, buffer.size() / sizeof(T));
    if (buffer.size() > 0) download_bytes(host.data(), buffer.data(), buffer.size(), stream);
    if (bytes_->stream != nullptr) host.mirror().keep(bytes_);
  }

 private:
  std::shared_ptr<DeviceBytes> bytes_;
};

}  // namespace

std::optional<bem::PanelNodes> device_nodes(const bem::Panels& panels,
                                            const bem::QuadratureOptions& options,
                                            const Stream& stream) {
  const std::size_t count = panels.size();
  if (count == 0) return std::nullopt;
  const bem::FarAccuracy accuracy = bem::far_accuracy(panels, options);
  const DeviceCopy<bem::PanelShape<double>> shape(panels.shape, stream);
  const DeviceCopy<Vec3d> centroid(panels.centroid, stream);
  const DeviceCopy<double> radius(panels.radius, stream);
  const Task task{shape.data(),  centroid.data(),
                  radius.data(), static_cast<std::int64_t>(count),
                  accuracy,      bem::far_node_rules()};

  DeviceBuffer<bem::FarRule> rules(count, stream);
  DeviceBuffer<float> errors(count, stream);
  DeviceBuffer<int> some_are_long(1, stream);
  some_are_long.zero(stream);
  Twin<std::int64_t> first(count + 1, stream);
  launch("choosing quadrature", &choose_kernel, one_thread_each(count + 1), stream, task,
         rules.data(), errors.data(), first.data(), some_are_long.data());
  sum_before(std::span(first.data(), count + 1), stream);
  std::int64_t total = 0;
  download_bytes(&total, first.data() + count, sizeof total, stream);
  if (some_are_long.download(stream)[0] != 0) return std::nullopt;

  const auto nodes = static_cast<std::size_t>(total);
  stream.context()->require_memory(nodes * placed_bytes_of_node,
                                   "Quadrature nodes (" + std::to_string(nodes) + ")",
                                   "Use fewer panels, or --backend cpu.");
  Twin<Vec3d> points(nodes, stream), normals(nodes, stream);
  Twin<double> weights(nodes, stream), near_radii(count, stream), middle_radii(count, stream);
  launch("placing nodes", &place_kernel, one_thread_each(count), stream, task,
         static_cast<const bem::FarRule*>(rules.data()),
         static_cast<const std::int64_t*>(first.data()), points.data(), normals.data(),
         weights.data(), near_radii.data(), middle_radii.data());

  std::optional<bem::PanelNodes> placed(std::in_place);
  bem::PanelNodes& d = *placed;
  first.fetch_into(d.first, stream);
  points.fetch_into(d.points, stream);
  normals.fetch_into(d.normals, stream);
  weights.fetch_into(d.weights, stream);
  near_radii.fetch_into(d.balls.radius, stream);
  middle_radii.fetch_into(d.middle_radius, stream);
  d.balls.centre.resize(count);
  d.balls.first.resize(count + 1);
  parallel_for(count + 1, [&](std::size_t j) {
    d.balls.first[j] = static_cast<std::int32_t>(j);
    if (j < count) d.balls.centre[j] = panels.centroid[j];
  });
  d.tolerance = accuracy.tolerance;
  d.error_estimate = bem::mean_error(panels, errors.download(stream));
  return placed;
}

}  // namespace rankine::gpu
