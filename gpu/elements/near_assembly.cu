#include "rankine/gpu/elements/device_panels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_pairs.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {
namespace {

// Near-field matrices of several layers on the device, computed in one pass over the near pairs:
// the counterpart of bem/layers/near_integrals.hpp.

constexpr int threads = 128, rows_of_block = 16;
constexpr int pairs_at_once = 8 * threads;  ///< of a block

template <int count>
struct Entries {
  double* of_layer[count];
};

/// Integrates the pairs that take closed forms, or the others. Every block has some rows, starting
/// with row `first`. It first collects its pairs, so that all threads of a warp have one.
template <bool closed, bem::Layer... layers>
__global__ void __launch_bounds__(threads, closed ? 3 : 8)
    integrate(bem::NearEntryView view, std::int64_t first, std::int64_t rows,
              const std::int64_t* __restrict__ offsets, const std::int32_t* __restrict__ columns,
              Entries<sizeof...(layers)> values) {
  __shared__ std::int64_t first_pair[rows_of_block + 1];
  __shared__ std::uint16_t pairs[pairs_at_once];
  __shared__ std::uint8_t row_of[pairs_at_once];  // by pair
  __shared__ int collected;
  const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * rows_of_block;
  if (threadIdx.x <= rows_of_block)
    first_pair[threadIdx.x] = offsets[min(first_row + threadIdx.x, rows)];
  __syncthreads();
  const std::int64_t end = first_pair[rows_of_block];
  for (std::int64_t begin = first_pair[0]; begin < end; begin += pairs_at_once) {
    const auto count = static_cast<int>(min(end - begin, std::int64_t{pairs_at_once}));
    if (threadIdx.x == 0) collected = 0;
    __syncthreads();
    for (int base = 0; base < count; base += threads) {
      const int k = base + static_cast<int>(threadIdx.x);
      bool is_mine = false;
      if (k < count) {
        int row = 0;
        for (int step = rows_of_block / 2; step > 0; step /= 2)
          if (first_pair[row + step] <= begin + k) row += step;
        row_of[k] = static_cast<std::uint8_t>(row);
        is_mine =
            closed == bem::takes_closed_form(view, first + first_row + row, columns[begin + k]);
      }
      const unsigned mine = __ballot_sync(~0U, is_mine), lane = threadIdx.x % 32;
      int at = 0;
      if (lane == 0) at = atomicAdd(&collected, __popc(mine));
      at = __shfl_sync(~0U, at, 0) + __popc(mine & ((1U << lane) - 1U));
      if (is_mine) pairs[at] = static_cast<std::uint16_t>(k);
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < collected; i += threads) {
      const std::int64_t k = begin + pairs[i];
      double entries[sizeof...(layers)];
      bem::near_entries<closed, layers...>(view, first + first_row + row_of[pairs[i]], columns[k],
                                           entries);
      for (int l = 0; l < static_cast<int>(sizeof...(layers)); ++l)
        values.of_layer[l][k] = entries[l];
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(threads)
    place(const bem::PanelShape<double>* panels, std::size_t count, int stride,
          bem::QuadratureNode* nodes) {
  const std::size_t j = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (j < count) bem::place_middle_nodes(panels[j], nodes + j * stride);
}

/// bem::place_middle_nodes of every panel. The nodes of consecutive panels are `stride` apart; all
/// arrays are in device memory.
void place_middle_nodes(std::span<const bem::PanelShape<double>> panels, int stride,
                        bem::QuadratureNode* nodes, const Stream& stream) {
  const LaunchShape shape{blocks_for(panels.size(), threads), threads};
  launch("place_middle_nodes", place, shape, stream, panels.data(), panels.size(), stride, nodes);
}

/// values[l][k] = entry k of these rows of the near-field matrix of layers[l], without the factor
/// 1/(4 pi). The panels of row i are columns[offsets[i] .. offsets[i + 1]). No layer may occur
/// twice. View, offsets, columns and arrays of values point to device memory. Throws DeviceError if
/// a launch fails.
void integrate_near(const bem::NearEntryView& view, std::span<const bem::Layer> layers,
                    const bem::RowRange& rows, const std::int64_t* offsets,
                    const std::int32_t* columns, std::span<double* const> values,
                    const Stream& stream) {
  const std::size_t count = rows.end - rows.begin;
  const LaunchShape shape{blocks_for(count, rows_of_block), threads};
  bem::for_each_layer_set(
      layers, values, [&]<bem::Layer... set>(auto*... of_layer) {
        const auto run = [&](auto kernel) {
          launch("integrating near entries", kernel, shape, stream, view,
                 static_cast<std::int64_t>(rows.begin), static_cast<std::int64_t>(count), offsets,
                 columns, Entries<sizeof...(set)>{{of_layer...}});
        };
        run(integrate<true, set...>);
        run(integrate<false, set...>);
      });
}

/// The panels and nodes that near entries read, on the device.
class Geometry {
 public:
  Geometry(const bem::CollocatedPanels& discretization, bool with_node_normals,
           const Stream& stream)
      : shape_(discretization.panels().shape, stream),
        centroid_(discretization.panels().centroid, stream),
        normal_(discretization.panels().normal, stream),
        middle_radius_(discretization.panel_nodes().middle_radius, stream),
        first_ball_(discretization.panel_nodes().balls.first, stream),
        ball_centre_(discretization.panel_nodes().balls.centre, stream),
        ball_radius_(discretization.panel_nodes().balls.radius, stream),
        first_node_(discretization.panel_nodes().first, stream),
        points_(discretization.panel_nodes().points, stream),
        weights_(discretization.panel_nodes().weights, stream),
        middle_stride_(bem::middle_stride(discretization.panels())),
        middle_nodes_(shape_.size() * static_cast<std::size_t>(middle_stride_), stream) {
    place_middle_nodes(shape_.span(), middle_stride_, middle_nodes_.data(), stream);
    if (with_node_normals) normals_ = {discretization.panel_nodes().normals, stream};
  }

  bem::NearEntryView view() const {
    return {.shape = shape_.data(),
            .middle_nodes = middle_nodes_.data(),
            .middle_stride = middle_stride_,
            .centroid = centroid_.data(),
            .target = centroid_.data(),
            .target_normal = normal_.data(),
            .middle_radius = middle_radius_.data(),
            .far_points = points_.data(),
            // Charges need no normals; any valid address is sufficient.
            .far_normals = normals_.size() > 0 ? normals_.data() : points_.data(),
            .far_weights = weights_.data(),
            .first_node = first_node_.data()};
  }
  DevicePattern near_pairs(const bem::RowRange& rows, std::size_t layers,
                           const Stream& stream) const {
    return find_near_pairs(centroid_.span(), NearTargets::points_of_panels,
                           {first_ball_.data(), ball_centre_.data(), ball_radius_.data(),
                            first_ball_.size() - 1, ball_radius_.size()},
                           rows, layers * sizeof(double), stream);
  }

 private:
  DeviceCopy<bem::PanelShape<double>> shape_;
  DeviceCopy<Vec3d> centroid_, normal_;
  DeviceCopy<double> middle_radius_;
  DeviceCopy<std::int32_t> first_ball_;
  DeviceCopy<Vec3d> ball_centre_;
  DeviceCopy<double> ball_radius_;
  DeviceCopy<std::int64_t> first_node_;
  DeviceCopy<Vec3d> points_, normals_;
  DeviceCopy<double> weights_;
  int middle_stride_;
  DeviceBuffer<bem::QuadratureNode> middle_nodes_;
};

bool sums_dipoles(bem::Layer layer) {
  return layer == bem::Layer::double_layer || layer == bem::Layer::hypersingular;
}

}  // namespace

std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_collocated_panels(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream) {
  const bem::RowRange kept{rows.begin, std::min(rows.end, discretization.unknowns())};
  const Geometry geometry(discretization, std::any_of(layers.begin(), layers.end(), sums_dipoles),
                          *stream);
  const auto pattern =
      std::make_shared<const DevicePattern>(geometry.near_pairs(kept, layers.size(), *stream));
  std::vector<DeviceBuffer<double>> values;
  std::vector<double*> of_layer;
  for (std::size_t l = 0; l < layers.size(); ++l)
    of_layer.push_back(values.emplace_back(pattern->columns.size(), *stream).data());
  integrate_near(geometry.view(), layers, kept, pattern->offsets.data(), pattern->columns.data(),
                 of_layer, *stream);
  std::vector<std::unique_ptr<bem::SparseMatrix>> matrices;
  for (DeviceBuffer<double>& each : values) {
    matrices.push_back(
        make_cuda_sparse(discretization.unknowns(), pattern, std::move(each), stream));
  }
  return matrices;
}

}  // namespace rankine::gpu
