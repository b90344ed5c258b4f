#include "rankine/gpu/elements/device_panels.hpp"

#include <cub/device/device_segmented_sort.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/gpu/elements/corrected_targets.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"
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

__global__ void __launch_bounds__(threads)
    find_quadrilaterals(const bem::PanelShape<double>* panels, std::size_t count, int* found) {
  const std::size_t j = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (j < count && panels[j].corners == 4) *found = 1;
}

bool has_quadrilaterals(std::span<const bem::PanelShape<double>> panels, const Stream& stream) {
  DeviceBuffer<int> found(1, stream);
  found.zero(stream);
  launch("quadrilaterals", find_quadrilaterals, {blocks_for(panels.size(), threads), threads},
         stream, panels.data(), panels.size(), found.data());
  return found.download(stream)[0] != 0;
}

/// The panels and nodes that near entries read, on the device.
class Geometry {
 public:
  Geometry(const bem::PanelDiscretization& discretization, bool with_node_normals,
           const Stream& stream)
      : shape_(discretization.panels().shape, stream),
        centroid_(discretization.panels().centroid, stream),
        middle_radius_(discretization.panel_nodes().middle_radius, stream),
        first_node_(discretization.panel_nodes().first, stream),
        points_(discretization.panel_nodes().points, stream),
        weights_(discretization.panel_nodes().weights, stream),
        middle_stride_(bem::middle_stride(has_quadrilaterals(shape_.span(), stream))),
        middle_nodes_(shape_.size() * static_cast<std::size_t>(middle_stride_), stream) {
    place_middle_nodes(shape_.span(), middle_stride_, middle_nodes_.data(), stream);
    if (with_node_normals) normals_ = {discretization.panel_nodes().normals, stream};
  }

  bem::NearEntryView view(const CorrectedTargets& targets) const {
    return {.shape = shape_.data(),
            .middle_nodes = middle_nodes_.data(),
            .middle_stride = middle_stride_,
            .centroid = centroid_.data(),
            .own = targets.rows().boundary,
            .target = targets.points(),
            .target_normal = targets.normals(),
            .middle_radius = middle_radius_.data(),
            .far_points = points_.data(),
            // Charges need no normals; any valid address is sufficient.
            .far_normals = normals_.size() > 0 ? normals_.data() : points_.data(),
            .far_weights = weights_.data(),
            .first_node = first_node_.data()};
  }

 private:
  DeviceCopy<bem::PanelShape<double>> shape_;
  DeviceCopy<Vec3d> centroid_;
  DeviceCopy<double> middle_radius_;
  DeviceCopy<std::int64_t> first_node_;
  DeviceCopy<Vec3d> points_, normals_;
  DeviceCopy<double> weights_;
  int middle_stride_;
  DeviceBuffer<bem::QuadratureNode> middle_nodes_;
};

/// Matrices of several layers with a common pattern.
struct Matrices {
  std::shared_ptr<DevicePattern> pattern;
  std::vector<DeviceBuffer<double>> values;  ///< per layer
};

struct MatricesView {
  std::int64_t* offsets;
  std::int32_t* columns;
  double* values[bem::layer_count];
  int layers;
};

MatricesView view_of(Matrices& matrices) {
  MatricesView view{matrices.pattern->offsets.data(), matrices.pattern->columns.data(), {}, 0};
  for (DeviceBuffer<double>& each : matrices.values) view.values[view.layers++] = each.data();
  return view;
}

/// Rows of targets by panels in ascending order, so that those of an unknown follow each other.
/// Rows by unknowns are made from them.
struct ByPanels {
  MatricesView matrices;  ///< corrected rows only
  CorrectedRows corrected;
  const std::int32_t* of_sheet;
  std::int64_t first, rows;  ///< of the rows by unknowns

  __device__ std::int64_t begin(std::int64_t row) const {
    return matrices.offsets[corrected.before(first + row) - corrected.before(first)];
  }
  __device__ std::int64_t unknown(std::int64_t entry) const {
    const std::int64_t panel = matrices.columns[entry];
    return panel < corrected.boundary ? panel
                                      : corrected.boundary + of_sheet[panel - corrected.boundary];
  }
  /// Whether entry k, in the row that starts at `begin`, is the first of its unknown.
  __device__ bool is_first(std::int64_t begin, std::int64_t k) const {
    return k == begin || unknown(k) != unknown(k - 1);
  }
};

/// The number of unknowns in every row, and a zero. One warp per row.
__global__ void __launch_bounds__(loop_threads)
    count_unknowns(const __grid_constant__ ByPanels from, std::int64_t* sizes) {
  const std::int64_t row = warp_index();
  if (row > from.rows) return;
  int found = 0;
  if (row < from.rows) {
    const std::int64_t begin = from.begin(row), end = from.begin(row + 1);
    for (std::int64_t k = begin + threadIdx.x % 32; k < end; k += 32)
      found += from.is_first(begin, k);
  }
  found = __reduce_add_sync(~0U, found);
  if (threadIdx.x % 32 == 0) sizes[row] = found;
}

/// Writes the rows by unknowns, whose offsets are known. One warp per row.
__global__ void __launch_bounds__(loop_threads)
    add_up_panels(const __grid_constant__ ByPanels from, const __grid_constant__ MatricesView to) {
  const std::int64_t row = warp_index();
  if (row >= from.rows) return;
  const std::int64_t begin = from.begin(row), end = from.begin(row + 1);
  const unsigned lane = threadIdx.x % 32;
  std::int64_t at = to.offsets[row];
  for (std::int64_t base = begin; base < end; base += 32) {
    const std::int64_t k = base + lane;
    const bool is_first = k < end && from.is_first(begin, k);
    const unsigned firsts = __ballot_sync(~0U, is_first);
    if (is_first) {
      const std::int64_t mine = at + __popc(firsts & ((1U << lane) - 1U));
      const std::int64_t unknown = from.unknown(k);
      to.columns[mine] = static_cast<std::int32_t>(unknown);
      for (int l = 0; l < to.layers; ++l) {
        double sum = from.matrices.values[l][k];
        for (std::int64_t next = k + 1; next < end && from.unknown(next) == unknown; ++next)
          sum += from.matrices.values[l][next];
        to.values[l][mine] = sum;
      }
    }
    at += __popc(firsts);
  }
}

/// Sorts the columns of every row.
void sort_rows(DevicePattern& pattern, const Stream& stream) {
  DeviceBuffer<std::int32_t> sorted(pattern.columns.size(), stream);
  with_scratch("sorting near panels", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(scratch, bytes, pattern.columns.data(), sorted.data(),
                                              static_cast<std::int64_t>(sorted.size()),
                                              static_cast<std::int64_t>(pattern.offsets.size() - 1),
                                              pattern.offsets.data(), pattern.offsets.data() + 1,
                                              stream.handle());
  });
  pattern.columns = std::move(sorted);
}

/// Rows by unknowns from those by panels.
Matrices by_unknowns(Matrices by_panels, const CorrectedRows& corrected,
                     const bem::PanelDiscretization& discretization, const bem::RowRange& rows,
                     const Stream& stream) {
  const std::size_t count = rows.end - rows.begin;
  const DeviceCopy<std::int32_t> of_sheet(discretization.of_sheet(), stream);
  const ByPanels from{view_of(by_panels), corrected, of_sheet.data(),
                      static_cast<std::int64_t>(rows.begin), static_cast<std::int64_t>(count)};
  Matrices made{std::make_shared<DevicePattern>(), {}};
  made.pattern->offsets = {count + 1, stream};
  launch("counting near unknowns", &count_unknowns, one_warp_each(count + 1), stream, from,
         made.pattern->offsets.data());
  sum_before(made.pattern->offsets, stream);
  std::int64_t total = 0;
  download_bytes(&total, made.pattern->offsets.data() + count, sizeof total, stream);
  stream.synchronize();
  made.pattern->columns = {static_cast<std::size_t>(total), stream};
  for (std::size_t l = 0; l < by_panels.values.size(); ++l)
    made.values.emplace_back(static_cast<std::size_t>(total), stream);
  launch("adding up near entries", &add_up_panels, one_warp_each(count), stream, from,
         view_of(made));
  return made;
}

bool sums_dipoles(bem::Layer layer) {
  return layer == bem::Layer::double_layer || layer == bem::Layer::hypersingular;
}

}  // namespace

std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_panels(
    const bem::PanelDiscretization& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream) {
  const bem::RowRange kept{rows.begin, std::min(rows.end, discretization.targets().size())};
  const CorrectedTargets targets(discretization, *stream);
  const Geometry geometry(discretization, std::any_of(layers.begin(), layers.end(), sums_dipoles),
                          *stream);
  // Rows by panels and those by unknowns exist at the same time.
  const bool has_sheets = !discretization.of_sheet().empty();
  const std::size_t bytes_per_pair = layers.size() * sizeof(double) * (has_sheets ? 2 : 1) +
                                     (has_sheets ? sizeof(std::int32_t) : 0);
  Matrices made{std::make_shared<DevicePattern>(targets.near_panels(kept, bytes_per_pair, *stream)),
                {}};
  if (has_sheets) sort_rows(*made.pattern, *stream);
  std::vector<double*> of_layer;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    of_layer.push_back(made.values.emplace_back(made.pattern->columns.size(), *stream).data());
  }
  const CorrectedRows& corrected = targets.rows();
  const auto before = [&](std::size_t row) {
    return static_cast<std::size_t>(corrected.before(static_cast<std::int64_t>(row)));
  };
  integrate_near(geometry.view(targets), layers, {before(kept.begin), before(kept.end)},
                 made.pattern->offsets.data(), made.pattern->columns.data(), of_layer, *stream);
  if (has_sheets) made = by_unknowns(std::move(made), corrected, discretization, kept, *stream);
  std::vector<std::unique_ptr<bem::SparseMatrix>> matrices;
  for (DeviceBuffer<double>& each : made.values) {
    matrices.push_back(
        make_cuda_sparse(discretization.unknowns(), made.pattern, std::move(each), stream));
  }
  return matrices;
}

}  // namespace rankine::gpu
