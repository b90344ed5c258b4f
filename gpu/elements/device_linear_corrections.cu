#include <algorithm>
#include <cstdint>
#include <utility>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
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

  /// False if the neighbours do not fit into a ShortList.
  __device__ bool find_neighbours(std::int32_t panel, ShortList& neighbours) const {
    ShortList ring, nodes;
    bem::find_fit_neighbours(around, around.least_cosine, panel, neighbours, ring, nodes);
    return !neighbours.overflows && !ring.overflows && !nodes.overflows;
  }
  /// Panels that share a node with `panel`, and then itself.
  __device__ bool find_close(std::int32_t panel, ShortList& close) const {
    ShortList nodes;
    bem::collect_rings(around, around.least_cosine, panel, 1, close, nodes);
    close.push_back(panel);
    return !close.overflows && !nodes.overflows;
  }
};

/// Rows of G or of M: where they begin, and their entries.
struct RowsView {
  std::int64_t* offsets;
  std::int32_t* columns;
};

/// Counts the entries of every row; both arrays end with an extra zero.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ Task task, std::int64_t* of_gradients,
                 std::int64_t* of_moments, int* overflows) {
  const std::int64_t i = thread_index();
  if (i == task.around.count) of_gradients[2 * i] = of_moments[i] = 0;
  if (i >= task.around.count) return;
  ShortList found;
  const auto panel = static_cast<std::int32_t>(i);
  if (!task.find_neighbours(panel, found)) *overflows = 1;
  of_gradients[2 * i] = of_gradients[2 * i + 1] = static_cast<std::int64_t>(found.size() + 1);
  found.clear();
  if (!task.find_close(panel, found)) *overflows = 1;
  of_moments[i] = 2 * static_cast<std::int64_t>(found.size());
}

__global__ void __launch_bounds__(loop_threads)
    gradients_kernel(const __grid_constant__ Task task, RowsView rows, double* values) {
  const std::int64_t j = thread_index();
  if (j >= task.around.count) return;
  const auto panel = static_cast<std::int32_t>(j);
  ShortList neighbours;
  task.find_neighbours(panel, neighbours);
  const auto offset = [&](std::size_t k) {
    return task.around.centroids[neighbours[k]] - task.around.centroids[j];
  };
  const Vec3d& normal = task.around.normals[j];
  const bem::GradientFactors fitted(normal, neighbours.size(), offset);
  const bem::Tangents along(normal);
  for (int c = 0; c < 2; ++c) {
    const std::int64_t at = rows.offsets[2 * j + c];
    bem::write_gradient_row(
        task.around, panel, neighbours, [&](std::size_t k) { return fitted.of(offset(k)); },
        c == 0 ? along.t1 : along.t2, rows.columns + at, values + at);
  }
}

/// `single` and `dbl` may be null.
__global__ void __launch_bounds__(loop_threads)
    moments_kernel(const __grid_constant__ Task task, RowsView rows, double* single, double* dbl) {
  const std::int64_t i = thread_index();
  if (i >= task.around.count) return;
  ShortList close;
  task.find_close(static_cast<std::int32_t>(i), close);
  const Vec3d x = task.around.centroids[i];
  std::int64_t at = rows.offsets[i];
  for (const std::int32_t j : close) {
    const std::int64_t begin = task.first_node[j], end = task.first_node[j + 1];
    const Vec3d middle = bem::middle_of_nodes(task.points, task.weights, begin, end);
    bem::PanelMoments moments = bem::panel_moments(task.shapes[j], x, j == i, middle);
    for (std::int64_t k = begin; k < end; ++k)
      bem::add_node_moment(x, task.points[k], task.normals[k], -task.weights[k], middle, moments);
    const bem::Tangents along(task.around.normals[j]);
    for (int c = 0; c < 2; ++c, ++at) {
      const Vec3d& tangent = c == 0 ? along.t1 : along.t2;
      rows.columns[at] = 2 * j + c;
      if (single != nullptr) single[at] = dot(moments.single, tangent);
      if (dbl != nullptr) dbl[at] = dot(moments.dbl, tangent);
    }
  }
}

}  // namespace

bem::LinearCorrectionMatrices device_linear_corrections(const bem::CollocatedPanels& discretization,
                                                        std::span<const bem::Layer> layers,
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

  const auto of_gradients = std::make_shared<DevicePattern>(),
             of_moments = std::make_shared<DevicePattern>();
  of_gradients->offsets = {2 * panels + 1, *stream};
  of_moments->offsets = {panels + 1, *stream};
  DeviceBuffer<int> overflows(1, *stream);
  overflows.zero(*stream);
  launch("counting linear corrections", &count_kernel, one_thread_each(panels + 1), *stream, task,
         of_gradients->offsets.data(), of_moments->offsets.data(), overflows.data());
  int too_many = 0;
  download_bytes(&too_many, overflows.data(), sizeof too_many, *stream);
  std::int64_t entries[2] = {};
  DevicePattern* const patterns[2] = {of_gradients.get(), of_moments.get()};
  for (int k = 0; k < 2; ++k) {
    DeviceBuffer<std::int64_t>& offsets = patterns[k]->offsets;
    sum_before(offsets, *stream);
    download_bytes(&entries[k], offsets.data() + offsets.size() - 1, sizeof entries[k], *stream);
  }
  stream->synchronize();
  if (too_many != 0) return {};

  stream->context()->require_memory(
      static_cast<std::size_t>(entries[0] + entries[1]) * sizeof(std::int32_t) +
          (static_cast<std::size_t>(entries[0]) +
           layers.size() * static_cast<std::size_t>(entries[1])) *
              sizeof(double),
      "Near corrections for linear strengths (" + std::to_string(entries[1]) + " entries)",
      "Use fewer panels, or --backend cpu.");
  for (int k = 0; k < 2; ++k)
    patterns[k]->columns = {static_cast<std::size_t>(entries[k]), *stream};
  const auto rows_of = [](DevicePattern& pattern) {
    return RowsView{pattern.offsets.data(), pattern.columns.data()};
  };
  DeviceBuffer<double> gradients(static_cast<std::size_t>(entries[0]), *stream);
  launch("linear corrections, gradients", &gradients_kernel, one_thread_each(panels), *stream, task,
         rows_of(*of_gradients), gradients.data());
  std::vector<DeviceBuffer<double>> moments;
  double* of_layer[2] = {nullptr, nullptr};
  for (const bem::Layer layer : layers) {
    moments.emplace_back(static_cast<std::size_t>(entries[1]), *stream);
    of_layer[layer == bem::Layer::single_layer ? 0 : 1] = moments.back().data();
  }
  launch("linear corrections, moments", &moments_kernel, one_thread_each(panels), *stream, task,
         rows_of(*of_moments), of_layer[0], of_layer[1]);
  bem::LinearCorrectionMatrices made;
  made.gradients = make_cuda_sparse(panels, of_gradients, std::move(gradients), stream);
  for (DeviceBuffer<double>& each : moments)
    made.moments.push_back(make_cuda_sparse(2 * panels, of_moments, std::move(each), stream));
  return made;
}

}  // namespace rankine::gpu
