#include <cstdint>
#include <string>
#include <utility>

#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/elements/device_surroundings.cuh"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

struct Task {
  RingsView around;
  const bem::PanelShape<double>* shapes;
  const std::int64_t* first_node;
  const Vec3d *points, *normals;  ///< of nodes
  const double* weights;

  /// The panels that share a node with `panel`, then `panel` itself. Returns false if they do not
  /// fit into the list.
  __device__ bool find_close(std::int32_t panel, ShortList& close) const {
    ShortList nodes;
    bem::collect_rings(around, around.least_cosine, panel, 1, close, nodes);
    close.push_back(panel);
    return !close.overflows && !nodes.overflows;
  }
};

/// Counts the entries of every row; `entries` ends with an extra zero.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ Task task, std::int64_t* entries, int* overflows) {
  const std::int64_t i = thread_index();
  if (i == task.around.count) entries[i] = 0;
  if (i >= task.around.count) return;
  ShortList close;
  if (!task.find_close(static_cast<std::int32_t>(i), close)) *overflows = 1;
  entries[i] = 2 * static_cast<std::int64_t>(close.size());
}

/// `single` and `dbl` may be null.
__global__ void __launch_bounds__(loop_threads, 3)
    moments_kernel(const __grid_constant__ Task task, const std::int64_t* offsets,
                   std::int32_t* columns, double* single, double* dbl) {
  const std::int64_t i = thread_index();
  if (i >= task.around.count) return;
  ShortList close;
  task.find_close(static_cast<std::int32_t>(i), close);
  const Vec3d x = task.around.centroids[i];
  std::int64_t at = offsets[i];
  for (const std::int32_t j : close) {
    const std::int64_t begin = task.first_node[j], end = task.first_node[j + 1];
    const Vec3d middle = bem::middle_of_nodes(task.points, task.weights, begin, end);
    bem::PanelMoments moments = bem::panel_moments(task.shapes[j], x, j == i, middle);
    for (std::int64_t k = begin; k < end; ++k)
      bem::add_node_moment(x, task.points[k], task.normals[k], -task.weights[k], middle, moments);
    const bem::Tangents along(task.around.normals[j]);
    for (int c = 0; c < 2; ++c, ++at) {
      const Vec3d& tangent = c == 0 ? along.t1 : along.t2;
      columns[at] = 2 * j + c;
      if (single != nullptr) single[at] = dot(moments.single, tangent);
      if (dbl != nullptr) dbl[at] = dot(moments.dbl, tangent);
    }
  }
}

}  // namespace

std::vector<std::unique_ptr<bem::SparseMatrix>> device_linear_moments(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    std::shared_ptr<const Stream> stream) {
  const bem::PanelNodes& nodes = discretization.panel_nodes();
  const std::size_t panels = discretization.unknowns();
  const DeviceRings rings(bem::PanelNeighbourhood(discretization.panels()), *stream);
  const DeviceCopy<bem::PanelShape<double>> shapes(discretization.panels().shape, *stream);
  const DeviceCopy<std::int64_t> first_node(nodes.first, *stream);
  const DeviceCopy<Vec3d> points(nodes.points, *stream), normals(nodes.normals, *stream);
  const DeviceCopy<double> weights(nodes.weights, *stream);
  const Task task{rings.view(),  shapes.data(),  first_node.data(),
                  points.data(), normals.data(), weights.data()};

  const auto pattern = std::make_shared<DevicePattern>();
  pattern->offsets = {panels + 1, *stream};
  DeviceBuffer<int> overflows(1, *stream);
  overflows.zero(*stream);
  launch("counting linear moments", &count_kernel, one_thread_each(panels + 1), *stream, task,
         pattern->offsets.data(), overflows.data());
  sum_before(pattern->offsets, *stream);
  int too_many = 0;
  std::int64_t total = 0;
  download_bytes(&too_many, overflows.data(), sizeof too_many, *stream);
  download_bytes(&total, pattern->offsets.data() + panels, sizeof total, *stream);
  stream->synchronize();
  if (too_many != 0) return {};

  const auto entries = static_cast<std::size_t>(total);
  stream->context()->require_memory(
      entries * (sizeof(std::int32_t) + layers.size() * sizeof(double)),
      "Near corrections for linear strengths (" + std::to_string(total) + " entries)",
      "Use fewer panels, or --backend cpu.");
  pattern->columns = {entries, *stream};
  std::vector<DeviceBuffer<double>> moments;
  double* of_layer[2] = {nullptr, nullptr};
  for (const bem::Layer layer : layers) {
    moments.emplace_back(entries, *stream);
    of_layer[layer == bem::Layer::single_layer ? 0 : 1] = moments.back().data();
  }
  launch("linear moments", &moments_kernel, one_thread_each(panels), *stream, task,
         static_cast<const std::int64_t*>(pattern->offsets.data()), pattern->columns.data(),
         of_layer[0], of_layer[1]);
  std::vector<std::unique_ptr<bem::SparseMatrix>> made;
  for (DeviceBuffer<double>& each : moments)
    made.push_back(make_cuda_sparse(2 * panels, pattern, std::move(each), stream));
  return made;
}

}  // namespace rankine::gpu
