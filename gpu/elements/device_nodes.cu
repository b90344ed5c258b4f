#include "rankine/gpu/elements/device_panels.hpp"

#include <cub/device/device_reduce.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "rankine/bem/layers/whole_rules.hpp"
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

/// What is chosen for a panel. In strips, it has the nodes of bem::place_on_strips.
struct Choice {
  bem::FarRule rule;
  bool is_long, in_strips;
};

/// Chooses a whole rule for every panel and writes its number of nodes; `nodes` ends with an extra
/// zero.
__global__ void __launch_bounds__(loop_threads)
    choose_kernel(const __grid_constant__ Task task, Choice* choices, float* errors,
                  std::int64_t* nodes, int* some_are_long) {
  const std::int64_t j = thread_index();
  if (j == task.count) nodes[j] = 0;
  if (j >= task.count) return;
  const bem::PanelShape<double> shape = task.shape[j];
  const bool is_long = bem::is_long(shape);
  if (is_long) *some_are_long = 1;
  const bem::PanelRule rule =
      bem::best_whole_rule(shape, bem::panel_size(task.radius[j]), task.accuracy).rule;
  choices[j] = {rule.whole, is_long, false};
  errors[j] = rule.error;
  nodes[j] = rule.nodes;
}

/// Panels in strips, with their nodes.
struct StripsView {
  std::int64_t count;
  const std::int32_t* panels;
  const std::int64_t* first;
  const Vec3d *points, *normals;
  const double* weights;
  const float* errors;
};

__global__ void __launch_bounds__(loop_threads)
    choose_strips_kernel(const __grid_constant__ StripsView strips, Choice* choices, float* errors,
                         std::int64_t* nodes) {
  const std::int64_t k = thread_index();
  if (k >= strips.count) return;
  const std::int32_t j = strips.panels[k];
  choices[j].in_strips = true;
  errors[j] = strips.errors[k];
  nodes[j] = strips.first[k + 1] - strips.first[k];
}

__global__ void __launch_bounds__(loop_threads)
    copy_strips_kernel(const __grid_constant__ StripsView strips, const std::int64_t* first,
                       Vec3d* points, Vec3d* normals, double* weights) {
  const std::int64_t k = thread_index();
  if (k >= strips.count) return;
  std::int64_t node = first[strips.panels[k]];
  for (std::int64_t from = strips.first[k]; from < strips.first[k + 1]; ++from, ++node) {
    points[node] = strips.points[from];
    normals[node] = strips.normals[from];
    weights[node] = strips.weights[from];
  }
}

__global__ void __launch_bounds__(loop_threads)
    place_kernel(const __grid_constant__ Task task, const Choice* choices,
                 const std::int64_t* first, Vec3d* points, Vec3d* normals, double* weights,
                 double* near_radii, double* middle_radii) {
  const std::int64_t j = thread_index();
  if (j >= task.count) return;
  const double size = bem::panel_size(task.radius[j]);
  const Choice chosen = choices[j];
  near_radii[j] = bem::near_radius(chosen.rule, size, task.accuracy);
  middle_radii[j] = bem::middle_radius(size, task.accuracy);
  if (chosen.in_strips) return;
  std::int64_t node = first[j];
  bem::place_far_nodes(task.rules, chosen.rule, task.shape[j], task.centroid[j],
                       [&](const bem::QuadratureNode& placed) {
                         points[node] = placed.point;
                         normals[node] = placed.normal;
                         weights[node++] = placed.weight;
                       });
}

/// Per panel, the terms of bem::SurfaceSums, or area times error.
struct SumsOfPanel {
  const double *area, *radius;
  __device__ bem::SurfaceSums operator()(std::int64_t j) const {
    const double size = bem::panel_size(radius[j]);
    return {area[j], area[j] * size * size};
  }
};
struct ErrorOfPanel {
  const double* area;
  const float* error;
  __device__ double operator()(std::int64_t j) const {
    return area[j] * static_cast<double>(error[j]);
  }
};

struct AddSums {
  __device__ bem::SurfaceSums operator()(const bem::SurfaceSums& a,
                                         const bem::SurfaceSums& b) const {
    return {a.area + b.area, a.moment + b.moment};
  }
  __device__ double operator()(double a, double b) const { return a + b; }
};

template <class Sum, class Term>
Sum sum_over_panels(const Term& term, std::size_t panels, const Stream& stream) {
  DeviceBuffer<Sum> sum(1, stream);
  const auto each =
      thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0), term);
  with_scratch("sums over panels", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, each, sum.data(),
                                     static_cast<std::int64_t>(panels), AddSums{}, Sum{},
                                     stream.handle());
  });
  return sum.download(stream)[0];
}

__global__ void __launch_bounds__(loop_threads)
    count_up_kernel(std::int64_t count, std::int32_t* numbers) {
  const std::int64_t i = thread_index();
  if (i < count) numbers[i] = static_cast<std::int32_t>(i);
}

/// One ball around each panel.
bem::NearBalls whole_balls(const DeviceCopy<Vec3d>& centroid, const Twin<double>& radius,
                           const Stream& stream) {
  Twin<std::int32_t> first(centroid.size() + 1, stream);
  launch("balls of panels", &count_up_kernel, one_thread_each(first.size()), stream,
         static_cast<std::int64_t>(first.size()), first.data());
  bem::NearBalls balls;
  balls.first = first.given(stream);
  balls.centre = centroid.given(stream);
  balls.radius = radius.given(stream);
  return balls;
}

/// The long panels whose nodes are on strips, placed by the host.
class Strips {
 public:
  Strips(const bem::Panels& panels, const bem::FarAccuracy& accuracy,
         const DeviceBuffer<Choice>& choices, const Stream& stream) {
    const std::vector<Choice> of_panel = choices.download(stream);
    std::vector<std::int32_t> long_panels;
    for (std::size_t j = 0; j < of_panel.size(); ++j) {
      if (of_panel[j].is_long) long_panels.push_back(static_cast<std::int32_t>(j));
    }
    host_ = bem::place_on_strips(panels, accuracy, long_panels);
    panels_ = {host_.panels, stream};
    first_ = {host_.first_node, stream};
    points_ = {host_.points, stream};
    normals_ = {host_.normals, stream};
    weights_ = {host_.weights, stream};
    errors_ = {host_.errors, stream};
  }
  Strips() = default;

  const bem::StripNodes& host() const { return host_; }
  StripsView view() const {
    return {static_cast<std::int64_t>(panels_.size()),
            panels_.data(),
            first_.data(),
            points_.data(),
            normals_.data(),
            weights_.data(),
            errors_.data()};
  }

 private:
  bem::StripNodes host_;
  DeviceBuffer<std::int32_t> panels_;
  DeviceBuffer<std::int64_t> first_;
  DeviceBuffer<Vec3d> points_, normals_;
  DeviceBuffer<double> weights_;
  DeviceBuffer<float> errors_;
};

}  // namespace

bem::PanelNodes device_nodes(const bem::Panels& panels, const bem::QuadratureOptions& options,
                             const Stream& stream) {
  const std::size_t count = panels.size();
  if (count == 0) return bem::place_nodes(panels, options);
  const DeviceCopy<bem::PanelShape<double>> shape(panels.shape, stream);
  const DeviceCopy<Vec3d> centroid(panels.centroid, stream);
  const DeviceCopy<double> radius(panels.radius, stream), area(panels.area, stream);
  const auto sums =
      sum_over_panels<bem::SurfaceSums>(SumsOfPanel{area.data(), radius.data()}, count, stream);
  const bem::FarAccuracy accuracy = bem::far_accuracy(sums, panels.symmetry.images(), options);
  const Task task{shape.data(),  centroid.data(),
                  radius.data(), static_cast<std::int64_t>(count),
                  accuracy,      bem::far_node_rules()};

  DeviceBuffer<Choice> choices(count, stream);
  DeviceBuffer<float> errors(count, stream);
  DeviceBuffer<int> some_are_long(1, stream);
  some_are_long.zero(stream);
  Twin<std::int64_t> first(count + 1, stream);
  launch("choosing quadrature", &choose_kernel, one_thread_each(count + 1), stream, task,
         choices.data(), errors.data(), first.data(), some_are_long.data());
  Strips strips;
  if (some_are_long.download(stream)[0] != 0) strips = Strips(panels, accuracy, choices, stream);
  const auto cut = static_cast<std::size_t>(strips.view().count);
  launch("choosing strips", &choose_strips_kernel, one_thread_each(cut), stream, strips.view(),
         choices.data(), errors.data(), first.data());
  sum_before(std::span(first.data(), count + 1), stream);
  std::int64_t total = 0;
  download_bytes(&total, first.data() + count, sizeof total, stream);
  stream.synchronize();
  const auto nodes = static_cast<std::size_t>(total);
  stream.context()->require_memory(nodes * placed_bytes_of_node,
                                   "Quadrature nodes (" + std::to_string(nodes) + ")",
                                   "Use fewer panels, or --backend cpu.");
  Twin<Vec3d> points(nodes, stream), normals(nodes, stream);
  Twin<double> weights(nodes, stream), middle_radii(count, stream), near_radii(count, stream);
  launch("placing nodes", &place_kernel, one_thread_each(count), stream, task,
         static_cast<const Choice*>(choices.data()), static_cast<const std::int64_t*>(first.data()),
         points.data(), normals.data(), weights.data(), near_radii.data(), middle_radii.data());

  launch("copying strips", &copy_strips_kernel, one_thread_each(cut), stream, strips.view(),
         static_cast<const std::int64_t*>(first.data()), points.data(), normals.data(),
         weights.data());

  bem::PanelNodes d;
  d.first = first.given(stream);
  d.points = points.given(stream);
  d.normals = normals.given(stream);
  d.weights = weights.given(stream);
  d.middle_radius = middle_radii.given(stream);
  d.balls = cut == 0 ? whole_balls(centroid, near_radii, stream)
                     : bem::balls_of_panels(panels, near_radii.given(stream), strips.host());
  d.tolerance = accuracy.tolerance;
  d.error_estimate =
      sum_over_panels<double>(ErrorOfPanel{area.data(), errors.data()}, count, stream) / sums.area;
  return d;
}

}  // namespace rankine::gpu
