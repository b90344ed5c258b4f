#include "rankine/gpu/elements/device_panels.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
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

/// Counts the entries in the rows of every panel's nodes; `entries` ends with an extra zero.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ Task task, std::int64_t* entries, int* overflows) {
  const std::int64_t panel = thread_index();
  if (panel == task.around.count) entries[panel] = 0;
  if (panel >= task.around.count) return;
  ShortList neighbours;
  if (!task.find_neighbours(panel, neighbours)) *overflows = 1;
  entries[panel] = static_cast<std::int64_t>(neighbours.size() + 1) *
                   (task.first_node[panel + 1] - task.first_node[panel]);
}

/// Writes the rows of every panel's nodes; `first_entry`: where the entries of each panel begin.
__global__ void __launch_bounds__(loop_threads)
    fill_kernel(const __grid_constant__ Task task, const std::int64_t* first_entry,
                std::int64_t* offsets, std::int32_t* columns, double* values) {
  const std::int64_t panel = thread_index();
  if (panel == 0) offsets[0] = 0;
  if (panel >= task.around.count) return;
  ShortList neighbours;
  task.find_neighbours(panel, neighbours);
  const Vec3d centre = task.around.centroids[panel];
  const auto offset = [&](std::size_t k) { return task.around.centroids[neighbours[k]] - centre; };
  const bem::GradientFactors fitted(task.around.normals[panel], neighbours.size(), offset);
  const std::int64_t begin = task.first_node[panel], end = task.first_node[panel + 1];
  const Vec3d middle = bem::middle_of_nodes(task.points, task.weights, begin, end);
  const auto row = static_cast<std::int64_t>(neighbours.size() + 1);
  std::int64_t at = first_entry[panel];
  for (std::int64_t node = begin; node < end; ++node, at += row) {
    offsets[node + 1] = at + row;
    bem::write_strength_row(
        task.around, static_cast<std::int32_t>(panel), neighbours,
        [&](std::size_t k) { return fitted.of(offset(k)); }, task.weights[node],
        task.points[node] - middle, columns + at, values + at);
  }
}

}  // namespace

std::unique_ptr<bem::SparseMatrix> device_strengths(const bem::CollocatedPanels& discretization,
                                                    std::shared_ptr<const Stream> stream) {
  const bem::PanelNodes& nodes = discretization.panel_nodes();
  const std::size_t panels = discretization.unknowns();
  const DeviceRings rings(bem::PanelNeighbourhood(discretization.panels()), *stream);
  const DeviceCopy<std::int64_t> first_node(nodes.first, *stream);
  const DeviceCopy<Vec3d> points(nodes.points, *stream);
  const DeviceCopy<double> weights(nodes.weights, *stream);
  const Task task{rings.view(), first_node.data(), points.data(), weights.data()};

  DeviceBuffer<std::int64_t> first_entry(panels + 1, *stream);
  DeviceBuffer<int> overflows(1, *stream);
  overflows.zero(*stream);
  launch("counting strengths", &count_kernel, one_thread_each(panels + 1), *stream, task,
         first_entry.data(), overflows.data());
  sum_before(first_entry, *stream);
  std::int64_t total = 0;
  int too_many = 0;
  download_bytes(&too_many, overflows.data(), sizeof too_many, *stream);
  download_bytes(&total, first_entry.data() + panels, sizeof total, *stream);
  stream->synchronize();
  if (too_many != 0) return nullptr;

  const auto entries = static_cast<std::size_t>(total);
  stream->context()->require_memory(
      entries * (sizeof(std::int32_t) + sizeof(double)),
      "Strengths of nodes (" + std::to_string(total) + " entries)",
      "Use fewer panels, a looser quadrature tolerance, or --backend cpu.");
  auto pattern = std::make_shared<DevicePattern>();
  pattern->offsets = {nodes.weights.size() + 1, *stream};
  pattern->columns = {entries, *stream};
  DeviceBuffer<double> values(entries, *stream);
  launch("strengths", &fill_kernel, one_thread_each(panels), *stream, task,
         static_cast<const std::int64_t*>(first_entry.data()), pattern->offsets.data(),
         pattern->columns.data(), values.data());
  return make_cuda_sparse(panels, std::move(pattern), std::move(values), std::move(stream));
}

}  // namespace rankine::gpu
