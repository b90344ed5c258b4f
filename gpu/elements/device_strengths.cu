#include "rankine/gpu/elements/device_panels.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_surroundings.cuh"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

struct Task {
  RingsView around;
  const std::int64_t* first_node;
  const Vec3d* points;
  const double* weights;

  /// False if the neighbours do not fit into a ShortList.
  __device__ bool find_neighbours(std::int64_t panel, ShortList& neighbours) const {
    ShortList ring, nodes;
    bem::find_fit_neighbours(around, around.least_cosine, static_cast<std::int32_t>(panel),
                             neighbours, ring, nodes);
    return !neighbours.overflows && !ring.overflows && !nodes.overflows;
  }
};

/// Counts the entries in the rows of G, and those of P of all nodes of a panel. Both arrays end
/// with an extra zero.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ Task task, std::int64_t* of_gradients,
                 std::int64_t* of_nodes, int* overflows) {
  const std::int64_t panel = thread_index();
  if (panel == task.around.count) of_gradients[2 * panel] = of_nodes[panel] = 0;
  if (panel >= task.around.count) return;
  ShortList neighbours;
  if (!task.find_neighbours(panel, neighbours)) *overflows = 1;
  const auto row = static_cast<std::int64_t>(neighbours.size() + 1);
  of_gradients[2 * panel] = of_gradients[2 * panel + 1] = row;
  of_nodes[panel] = row * (task.first_node[panel + 1] - task.first_node[panel]);
}

/// Offsets of rows, and their entries.
struct RowsView {
  std::int64_t* offsets;
  std::int32_t* columns;
  double* values;
};

/// Writes the rows of every panel. The offsets of `gradients` are known; `first_entry`: start of
/// the rows of each panel's nodes.
__global__ void __launch_bounds__(loop_threads)
    fill_kernel(const __grid_constant__ Task task, const std::int64_t* first_entry,
                const __grid_constant__ RowsView gradients,
                const __grid_constant__ RowsView nodes) {
  const std::int64_t panel = thread_index();
  if (panel == 0) nodes.offsets[0] = 0;
  if (panel >= task.around.count) return;
  ShortList neighbours;
  task.find_neighbours(panel, neighbours);
  const Vec3d centre = task.around.centroids[panel];
  const auto offset = [&](std::size_t k) { return task.around.centroids[neighbours[k]] - centre; };
  const Vec3d& normal = task.around.normals[panel];
  const bem::GradientFactors fitted(normal, neighbours.size(), offset);
  const bem::Tangents along(normal);
  std::int32_t* const columns = gradients.columns + gradients.offsets[2 * panel];
  double* const values = gradients.values + gradients.offsets[2 * panel];
  bem::write_gradient_rows(
      task.around, static_cast<std::int32_t>(panel), neighbours,
      [&](std::size_t k) { return fitted.of(offset(k)); }, along, columns, values);
  const std::int64_t begin = task.first_node[panel], end = task.first_node[panel + 1];
  const Vec3d middle = bem::middle_of_nodes(task.points, task.weights, begin, end);
  const std::size_t row = neighbours.size() + 1;
  std::int64_t at = first_entry[panel];
  for (std::int64_t node = begin; node < end; ++node) {
    bem::write_strength_row(columns, values, row, task.weights[node], task.points[node] - middle,
                            along, nodes.columns + at, nodes.values + at);
    nodes.offsets[node + 1] = at += static_cast<std::int64_t>(row);
  }
}

}  // namespace

bem::StrengthMatrices device_strengths(const bem::CollocatedPanels& discretization,
                                       std::shared_ptr<const Stream> stream) {
  const bem::PanelNodes& nodes = discretization.panel_nodes();
  const std::size_t panels = discretization.unknowns();
  const DeviceRings rings(bem::PanelNeighbourhood(discretization.panels()), *stream);
  const DeviceCopy<std::int64_t> first_node(nodes.first, *stream);
  const DeviceCopy<Vec3d> points(nodes.points, *stream);
  const DeviceCopy<double> weights(nodes.weights, *stream);
  const Task task{rings.view(), first_node.data(), points.data(), weights.data()};

  const auto of_gradients = std::make_shared<DevicePattern>(),
             of_nodes = std::make_shared<DevicePattern>();
  of_gradients->offsets = {2 * panels + 1, *stream};
  of_nodes->offsets = {nodes.weights.size() + 1, *stream};
  DeviceBuffer<std::int64_t> first_entry(panels + 1, *stream);
  DeviceBuffer<int> overflows(1, *stream);
  overflows.zero(*stream);
  launch("counting strengths", &count_kernel, one_thread_each(panels + 1), *stream, task,
         of_gradients->offsets.data(), first_entry.data(), overflows.data());
  sum_before(of_gradients->offsets, *stream);
  sum_before(first_entry, *stream);
  std::int64_t gradients = 0, strengths = 0;
  int too_many = 0;
  download_bytes(&too_many, overflows.data(), sizeof too_many, *stream);
  download_bytes(&gradients, of_gradients->offsets.data() + 2 * panels, sizeof gradients, *stream);
  download_bytes(&strengths, first_entry.data() + panels, sizeof strengths, *stream);
  stream->synchronize();
  if (too_many != 0) return {};

  stream->context()->require_memory(
      static_cast<std::size_t>(gradients + strengths) * (sizeof(std::int32_t) + sizeof(double)),
      "Strengths of nodes (" + std::to_string(strengths) + " entries)",
      "Use fewer panels, a looser quadrature tolerance, or --backend cpu.");
  const auto make_room = [&](DevicePattern& pattern, std::int64_t entries) {
    pattern.columns = {static_cast<std::size_t>(entries), *stream};
    return DeviceBuffer<double>(static_cast<std::size_t>(entries), *stream);
  };
  DeviceBuffer<double> gradient_values = make_room(*of_gradients, gradients),
                       node_values = make_room(*of_nodes, strengths);
  const auto view = [](DevicePattern& pattern, DeviceBuffer<double>& values) {
    return RowsView{pattern.offsets.data(), pattern.columns.data(), values.data()};
  };
  launch("strengths", &fill_kernel, one_thread_each(panels), *stream, task,
         static_cast<const std::int64_t*>(first_entry.data()), view(*of_gradients, gradient_values),
         view(*of_nodes, node_values));
  return {make_cuda_sparse(panels, of_nodes, std::move(node_values), stream),
          make_cuda_sparse(panels, of_gradients, std::move(gradient_values), stream)};
}

}  // namespace rankine::gpu
