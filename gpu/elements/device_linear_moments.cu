#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/elements/corrected_targets.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/elements/device_surroundings.cuh"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// The panels that share a node with the panel of a row, then this panel.
struct Rings {
  RingsView around;

  __device__ Vec3d point(std::int64_t row) const { return around.centroids[row]; }
  __device__ bool is_own(std::int64_t row, std::int32_t panel) const { return row == panel; }
  /// Returns false if the panels do not fit into a list.
  template <class Visit>
  __device__ bool for_each(std::int64_t row, Visit visit) const {
    ShortList close, nodes;
    bem::collect_rings(around, around.least_cosine, static_cast<std::int32_t>(row), 1, close,
                       nodes);
    for (const std::int32_t each : close) visit(each);
    visit(static_cast<std::int32_t>(row));
    return !close.overflows && !nodes.overflows;
  }
};

/// The close ones among near panels (bem/layers/source_panels.hpp).
struct CloseOfNear {
  CorrectedRows corrected;
  const Vec3d* points;          ///< of corrected rows
  const std::int64_t* offsets;  ///< of near panels, by corrected rows
  const std::int32_t* columns;
  const Vec3d* centroids;
  const double* radii;
  const std::uint8_t* is_constant;

  __device__ Vec3d point(std::int64_t row) const { return points[corrected.before(row)]; }
  __device__ bool is_own(std::int64_t row, std::int32_t panel) const {
    return row == panel && row < corrected.boundary;
  }
  template <class Visit>
  __device__ bool for_each(std::int64_t row, Visit visit) const {
    const std::int64_t begin = offsets[corrected.before(row)],
                       end = offsets[corrected.before(row + 1)];
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int32_t panel = columns[k];
      const Vec3d apart = point(row) - centroids[panel];
      const double reach = bem::SourcePanels::close_radii * radii[panel];
      if (is_constant[panel] == 0 && dot(apart, apart) < reach * reach) visit(panel);
    }
    return true;
  }
};

struct NodesView {
  const bem::PanelShape<double>* shapes;
  const Vec3d* panel_normals;
  const std::int64_t* first_node;
  const Vec3d *points, *normals;
  const double* weights;
};

/// Counts the entries of rows from `first` on; `entries` ends with an extra zero.
template <class Close>
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ Close close, std::int64_t first, std::int64_t rows,
                 std::int64_t* entries, int* overflows) {
  const std::int64_t i = thread_index();
  if (i == rows) entries[i] = 0;
  if (i >= rows) return;
  std::int64_t count = 0;
  if (!close.for_each(first + i, [&](std::int32_t) { count += 2; })) *overflows = 1;
  entries[i] = count;
}

/// `single` and `dbl` may be null.
template <class Close>
__global__ void __launch_bounds__(loop_threads, 3)
    moments_kernel(const __grid_constant__ Close close, const __grid_constant__ NodesView nodes,
                   std::int64_t first, std::int64_t rows, const std::int64_t* offsets,
                   std::int32_t* columns, double* single, double* dbl) {
  const std::int64_t i = thread_index(), row = first + i;
  if (i >= rows || offsets[i] == offsets[i + 1]) return;
  const Vec3d x = close.point(row);
  std::int64_t at = offsets[i];
  close.for_each(row, [&](std::int32_t j) {
    const std::int64_t begin = nodes.first_node[j], end = nodes.first_node[j + 1];
    const Vec3d middle = bem::middle_of_nodes(nodes.points, nodes.weights, begin, end);
    bem::PanelMoments moments =
        bem::panel_moments(nodes.shapes[j], x, close.is_own(row, j), middle);
    for (std::int64_t k = begin; k < end; ++k)
      bem::add_node_moment(x, nodes.points[k], nodes.normals[k], -nodes.weights[k], middle,
                           moments);
    const bem::Tangents along(nodes.panel_normals[j]);
    for (int c = 0; c < 2; ++c, ++at) {
      const Vec3d& tangent = c == 0 ? along.t1 : along.t2;
      columns[at] = 2 * j + c;
      if (single != nullptr) single[at] = dot(moments.single, tangent);
      if (dbl != nullptr) dbl[at] = dot(moments.dbl, tangent);
    }
  });
}

/// Rows of M of each of `layers` with the close panels of every target; empty if they do not fit
/// into a list.
template <class Close>
std::vector<std::unique_ptr<bem::SparseMatrix>> moments_of(
    const Close& close, const bem::PanelDiscretization& discretization,
    std::span<const bem::Layer> layers, const bem::RowRange& kept,
    std::shared_ptr<const Stream> stream) {
  const bem::Panels& panels = discretization.panels();
  const bem::PanelNodes& nodes = discretization.panel_nodes();
  const DeviceCopy<bem::PanelShape<double>> shapes(panels.shape, *stream);
  const DeviceCopy<std::int64_t> first_node(nodes.first, *stream);
  const DeviceCopy<Vec3d> panel_normals(panels.normal, *stream), points(nodes.points, *stream),
      normals(nodes.normals, *stream);
  const DeviceCopy<double> weights(nodes.weights, *stream);
  const NodesView view{shapes.data(), panel_normals.data(), first_node.data(),
                       points.data(), normals.data(),       weights.data()};

  const std::size_t targets = std::min(kept.end, discretization.targets().size()) - kept.begin;
  const auto first = static_cast<std::int64_t>(kept.begin),
             rows = static_cast<std::int64_t>(targets);
  const auto pattern = std::make_shared<DevicePattern>();
  pattern->offsets = {targets + 1, *stream};
  DeviceBuffer<int> overflows(1, *stream);
  overflows.zero(*stream);
  launch("counting linear moments", &count_kernel<Close>, one_thread_each(targets + 1), *stream,
         close, first, rows, pattern->offsets.data(), overflows.data());
  sum_before(pattern->offsets, *stream);
  int too_many = 0;
  std::int64_t total = 0;
  download_bytes(&too_many, overflows.data(), sizeof too_many, *stream);
  download_bytes(&total, pattern->offsets.data() + targets, sizeof total, *stream);
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
  launch("linear moments", &moments_kernel<Close>, one_thread_each(targets), *stream, close, view,
         first, rows, static_cast<const std::int64_t*>(pattern->offsets.data()),
         pattern->columns.data(), of_layer[0], of_layer[1]);
  std::vector<std::unique_ptr<bem::SparseMatrix>> made;
  for (DeviceBuffer<double>& each : moments)
    made.push_back(make_cuda_sparse(2 * panels.size(), pattern, std::move(each), stream));
  return made;
}

}  // namespace

std::vector<std::unique_ptr<bem::SparseMatrix>> device_linear_moments(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream) {
  const DeviceRings rings(bem::PanelNeighbourhood(discretization.panels()), *stream);
  return moments_of(Rings{rings.view()}, discretization, layers, rows, std::move(stream));
}

std::vector<std::unique_ptr<bem::SparseMatrix>> device_linear_moments(
    const bem::SourcePanels& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream) {
  const bem::Panels& panels = discretization.panels();
  const CorrectedTargets targets(discretization, *stream);
  const DevicePattern near = targets.near_panels({0, discretization.targets().size()}, 0, *stream);
  std::vector<std::uint8_t> constant(panels.size());
  parallel_for(constant.size(),
               [&](std::size_t j) { constant[j] = discretization.is_constant(j); });
  const DeviceBuffer<std::uint8_t> is_constant(constant, *stream);
  const DeviceCopy<Vec3d> centroids(panels.centroid, *stream);
  const DeviceCopy<double> radii(panels.radius, *stream);
  const CloseOfNear close{targets.rows(),      targets.points(), near.offsets.data(),
                          near.columns.data(), centroids.data(), radii.data(),
                          is_constant.data()};
  return moments_of(close, discretization, layers, rows, stream);
}

}  // namespace rankine::gpu
