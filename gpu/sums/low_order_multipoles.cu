#include "rankine/gpu/sums/low_order_multipoles.hpp"

#include "rankine/gpu/runtime/async_copy.cuh"
#include "rankine/gpu/runtime/device_loops.cuh"
#include "rankine/gpu/sums/low_order_expansion.cuh"
#include "rankine/gpu/sums/sum_components.cuh"

namespace rankine::gpu {
namespace {

template <class T>
__global__ void map_kernel(const typename DerivativeMap<T>::Entry* map, int rows, int width,
                           Expansions<const T> multipoles, std::int64_t boxes, int stride, T* to) {
  const std::int64_t i = thread_index();
  if (i >= boxes * stride) return;
  const int row = static_cast<int>(i % stride), column = blockIdx.y;
  const T* const from =
      multipoles.data + column * multipoles.rhs_stride + i / stride * multipoles.stride;
  T sum = T(0);
  for (int k = 0; row < rows && k < width; ++k) {
    const auto entry = map[k * rows + row];
    sum += entry.coefficient * from[entry.column];
  }
  to[column * boxes * stride + i] = sum;
}

// ---- The expansions of a chunk of targets -------------------------------------------------------

constexpr int warps_per_block = 4;

template <class T>
struct LowOrderTask {
  MultipoleListsView lists;
  const TargetChunk* chunks;
  std::int32_t chunk_count;
  const T* coefficients;
  std::int32_t stride;
  std::int64_t column_stride;
  PointView<T> targets;
  SumView<T> sums;
};

/// The frame of an expansion: in units of its box edge, the targets of the chunk are at scale * x +
/// shift.
template <class T>
struct alignas(16) View {
  T shift[3], scale;
};

/// The shared memory of a warp: a few views at a time, sorted by order.
template <class T, int most, bool gradient>
struct WarpStorage {
  static constexpr int quads = quads_of(most, gradient, sizeof(T));
  static constexpr int affordable = 10 * 1024 / (quads * 16);
  static constexpr int views = affordable >= 32 ? 32 : (affordable >= 16 ? 16 : 8);
  Quad<T> coefficients[views][quads];
  View<T> view[views];
  std::int32_t box[views];
};

template <class T, int most, bool gradient, int targets>
class ChunkSums {
 public:
  using Storage = WarpStorage<T, most, gradient>;
  static constexpr int sets = gradient ? 4 : 1;

  __device__ ChunkSums(const LowOrderTask<T>& task, const TargetChunk& chunk, Storage& storage)
      : task_(task), storage_(storage), frame_(task.lists.boxes[chunk.box]) {
    const fmm::Box* const boxes = task.lists.boxes;
#pragma unroll
    for (int i = 0; i < targets; ++i) {
      const std::int32_t at = chunk.begin + min(lane() + 32 * i, chunk.count - 1);
      // Positions of targets are relative to the centres of their leaves.
      std::int32_t leaf = chunk.box;
      while (!boxes[leaf].is_leaf()) {
        leaf = boxes[leaf].first_child;
        while (boxes[leaf].target_end <= at) ++leaf;
      }
      const Vec3d shift = box_shift(boxes[leaf], frame_);
      x_[i][0] = task.targets.x[at] + static_cast<T>(shift.x);
      x_[i][1] = task.targets.y[at] + static_cast<T>(shift.y);
      x_[i][2] = task.targets.z[at] + static_cast<T>(shift.z);
    }
  }

  /// Adds the boxes on the far list of b, which have the size of b.
  __device__ void add_far(std::int32_t b) {
    const fmm::Box box = task_.lists.boxes[b];
    T sums[targets][sets] = {};
    add_row(
        task_.lists.far.row(b),
        [&](const fmm::Box& source) {
          return int(task_.lists.order_at[fmm::offset_between(box, source)]);
        },
        [&](auto order, int v) { add<order>(v, sums); });
    add_scaled(sums, static_cast<T>(1.0 / fmm::box_edge(box)));
  }

  /// Adds the boxes, of any size, on the list of leaf b.
  __device__ void add_own(std::int32_t b) {
    add_row(
        task_.lists.own.row(b), [&](const fmm::Box&) { return task_.lists.order; },
        [&](auto order, int v) {
          T sums[targets][sets] = {};
          add<order>(v, sums);
          add_scaled(sums, storage_.view[v].scale);
        });
  }

  __device__ void write(const TargetChunk& chunk) const {
#pragma unroll
    for (int i = 0; i < targets; ++i) {
      const int local = lane() + 32 * i;
      if (local >= chunk.count) break;
#pragma unroll
      for (int s = 0; s < sets; ++s)
        *component(task_.sums, s, static_cast<int>(blockIdx.y), chunk.begin + local) +=
            total_[i][s];
    }
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x % 32); }

  __device__ void add_scaled(const T (&sums)[targets][sets], T scale) {
#pragma unroll
    for (int i = 0; i < targets; ++i) {
#pragma unroll
      for (int s = 0; s < sets; ++s)
        total_[i][s] = fma(sums[i][s], s == 0 ? scale : scale * scale, total_[i][s]);
    }
  }

  /// Coefficients of view v in the storage.
  template <int order>
  __device__ __forceinline__ void add(int v, T (&sums)[targets][sets]) const {
    const View<T> view = storage_.view[v];
    T at[targets][3];
#pragma unroll
    for (int i = 0; i < targets; ++i) {
#pragma unroll
      for (int axis = 0; axis < 3; ++axis)
        at[i][axis] = fma(x_[i][axis], view.scale, view.shift[axis]);
    }
    add_expansion<order, gradient>(storage_.coefficients[v]->value, at, sums);
  }

  /// Starts copying the coefficients of the views [begin, end), which have the same order.
  template <int order>
  __device__ void fetch(int begin, int end) {
    constexpr int quads = quads_of(order, gradient, sizeof(T));
    const T* const from = task_.coefficients + blockIdx.y * task_.column_stride;
    for (int i = lane(); i < (end - begin) * quads; i += 32) {
      const int v = begin + i / quads, quad = i % quads;
      const T* const of_box = from + static_cast<std::int64_t>(storage_.box[v]) * task_.stride;
      copy_async(&storage_.coefficients[v][quad], of_box + quad * in_quad<T>);
    }
  }

  /// Stores the boxes of the lanes below `count`, sorted by order; those of order p end at end[p].
  template <class OrderOf>
  __device__ void store_views(const std::int32_t* items, int count, const OrderOf& order_of,
                              int (&end)[most + 1]) {
    const bool exists = lane() < count;
    const std::int32_t c = items[exists ? lane() : 0];
    const fmm::Box source = task_.lists.boxes[c];
    const int own_order = exists ? order_of(source) : 0;
    int slot = 0;
    end[0] = 0;
#pragma unroll
    for (int p = 1; p <= most; ++p) {
      const unsigned same = __ballot_sync(~0u, own_order == p);
      if (own_order == p) slot = end[p - 1] + __popc(same & ((1u << lane()) - 1));
      end[p] = end[p - 1] + __popc(same);
    }
    if (!exists) return;
    const Vec3d shift = box_shift(frame_, source);
    const double scale = 1.0 / fmm::box_edge(source);
    storage_.view[slot] = {{static_cast<T>(shift.x * scale), static_cast<T>(shift.y * scale),
                            static_cast<T>(shift.z * scale)},
                           static_cast<T>(scale)};
    storage_.box[slot] = c;
  }

  /// Calls add_view(order, position in the storage) for the boxes of a row.
  template <class OrderOf, class Add>
  __device__ void add_row(const fmm::RowPointers& row, const OrderOf& order_of,
                          const Add& add_view) {
    for (const std::int32_t* first = row.first; first < row.last; first += Storage::views) {
      const int count = min(Storage::views, static_cast<int>(row.last - first));
      int end[most + 1];
      __syncwarp();
      store_views(first, count, order_of, end);
      __syncwarp();
      unrolled<1, most + 1>([&](auto p) { fetch<p>(end[p - 1], end[p]); });
      commit_copies();
      wait_for_copies<0>();
      __syncwarp();
      unrolled<1, most + 1>([&](auto p) {
        for (int v = end[p - 1]; v < end[p]; ++v) add_view(p, v);
      });
    }
  }

  const LowOrderTask<T>& task_;
  Storage& storage_;
  fmm::Box frame_;
  T x_[targets][3];
  T total_[targets][sets] = {};
};

template <class T, int most, bool gradient, int targets>
__device__ void sum_chunk(const LowOrderTask<T>& task, const TargetChunk& chunk,
                          WarpStorage<T, most, gradient>& storage) {
  ChunkSums<T, most, gradient, targets> sums(task, chunk, storage);
  const fmm::Box* const boxes = task.lists.boxes;
  for (std::int32_t b = chunk.box; b != chunk.stop; b = boxes[b].parent) sums.add_far(b);
  if (boxes[chunk.box].is_leaf()) sums.add_own(chunk.box);
  sums.write(chunk);
}

/// Evaluates expansions of orders up to `most`; a warp per chunk.
template <class T, int most, bool gradient>
__global__ void __launch_bounds__(32 * warps_per_block, sizeof(T) == 4 ? 4 : 2)
    low_order_kernel(const __grid_constant__ LowOrderTask<T> task) {
  __shared__ WarpStorage<T, most, gradient> storage[warps_per_block];
  const int warp = static_cast<int>(threadIdx.x / 32),
            index = static_cast<int>(blockIdx.x) * warps_per_block + warp;
  if (index >= task.chunk_count) return;
  const TargetChunk chunk = task.chunks[index];
  if (chunk.count > 32) {
    sum_chunk<T, most, gradient, 2>(task, chunk, storage[warp]);
  } else {
    sum_chunk<T, most, gradient, 1>(task, chunk, storage[warp]);
  }
}

template <class T, int most, bool gradient>
void launch_low_order(const LowOrderTask<T>& task, int columns, const Stream& stream) {
  const LaunchShape shape{dim3(blocks_for(task.chunk_count, warps_per_block), columns),
                          dim3(32 * warps_per_block)};
  launch("M2P", &low_order_kernel<T, most, gradient>, shape, stream, task);
}

}  // namespace

template <class T>
LowOrderMaps<T>::LowOrderMaps(int order_, const Stream& stream)
    : order(order_),
      potential(low_order_map<T>(order, false), stream),
      gradient(low_order_map<T>(order, true), stream) {}

template <class T>
std::int32_t LowOrderMaps<T>::stride(int order, bool gradient) {
  return (low_order_size(order, gradient) + in_quad<T> - 1) / in_quad<T> * in_quad<T>;
}

template <class T>
void evaluate_low_order(const LowOrderMaps<T>& maps, const MultipoleLists& lists,
                        const PointView<T>& targets, Expansions<const T> multipoles,
                        std::int64_t boxes, DeviceBuffer<T>& coefficients, const SumView<T>& sums,
                        int columns, const Stream& stream) {
  const bool with_gradient = sums.gradient != nullptr;
  const DeviceMap<T>& map = with_gradient ? maps.gradient : maps.potential;
  const std::int32_t stride = LowOrderMaps<T>::stride(maps.order, with_gradient);
  const LaunchShape shape{dim3(blocks_for(boxes * stride, loop_threads), columns),
                          dim3(loop_threads)};
  launch("coefficients of M2P", &map_kernel<T>, shape, stream, map.entries.data(), map.rows,
         map.width, multipoles, boxes, stride, coefficients.data());
  for (const DeviceBuffer<TargetChunk>* chunks : {&lists.groups, &lists.leaves}) {
    const LowOrderTask<T> task{lists.view(),
                               chunks->data(),
                               static_cast<std::int32_t>(chunks->size()),
                               coefficients.data(),
                               stride,
                               boxes * stride,
                               targets,
                               sums};
    if (with_gradient) {
      if (maps.order <= 5) {
        launch_low_order<T, 5, true>(task, columns, stream);
      } else {
        launch_low_order<T, most_low_order, true>(task, columns, stream);
      }
    } else {
      launch_low_order<T, most_low_order, false>(task, columns, stream);
    }
  }
}

#define RANKINE_INSTANTIATE(T)                                                                \
  template struct LowOrderMaps<T>;                                                            \
  template void evaluate_low_order<T>(const LowOrderMaps<T>&, const MultipoleLists&,          \
                                      const PointView<T>&, Expansions<const T>, std::int64_t, \
                                      DeviceBuffer<T>&, const SumView<T>&, int, const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
