#include "rankine/gpu/sums/mutual_sums.hpp"

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

enum class PointSet { sources, targets };

/// A warp per box; it processes the points of a leaf.
template <class T>
__global__ void local_kernel(const fmm::Box* boxes, std::int32_t count, PointSet set,
                             const Vec3d* points, const std::int32_t* order, std::int64_t n,
                             Vec3d corner, double side, T* out) {
  const auto b = static_cast<std::int32_t>(warp_index());
  if (b >= count) return;
  const fmm::Box box = boxes[b];
  if (!box.holds_points()) return;
  const bool sources = set == PointSet::sources;
  const std::int32_t begin = sources ? box.source_begin : box.target_begin,
                     end = sources ? box.source_end : box.target_end;
  for (std::int32_t i = begin + static_cast<std::int32_t>(threadIdx.x % 32); i < end; i += 32) {
    const Vec3d r = fmm::position_in_box(points[order[i]], box, corner, side);
    out[i] = static_cast<T>(r.x);
    out[n + i] = static_cast<T>(r.y);
    out[2 * n + i] = static_cast<T>(r.z);
  }
}

template <class T>
DeviceBuffer<T> place(const DeviceTree& tree, PointSet set, std::span<const Vec3d> points,
                      const DeviceBuffer<std::int32_t>& order, const Stream& stream) {
  DeviceBuffer<T> result(3 * points.size(), stream);
  launch("placing points in their leaves", &local_kernel<T>,
         one_warp_each(static_cast<std::size_t>(tree.box_count)), stream, tree.boxes.data(),
         tree.box_count, set, points.data(), order.data(), static_cast<std::int64_t>(points.size()),
         tree.root.corner, tree.root.side, result.data());
  return result;
}

template <class T>
__global__ void reorder_kernel(const Vec3d* vectors, const std::int32_t* order, std::int64_t n,
                               T* out) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  const Vec3d v = vectors[order[i]];
  out[i] = static_cast<T>(v.x);
  out[n + i] = static_cast<T>(v.y);
  out[2 * n + i] = static_cast<T>(v.z);
}

template <class T>
__global__ void core_kernel(const double* radii, const std::int32_t* order, std::int64_t n,
                            double side, T* out) {
  constexpr double most = sizeof(T) == sizeof(float) ? 1e15 : 1e30;
  const std::int64_t i = thread_index();
  if (i < n) out[i] = static_cast<T>(fmin(side / radii[order[i]], most));
}

}  // namespace

template <class T>
DeviceBuffer<T> local_sources(const DeviceTree& tree, const DevicePoints& points,
                              const Stream& stream) {
  return place<T>(tree, PointSet::sources, points.points().sources, tree.source_order, stream);
}

template <class T>
DeviceBuffer<T> local_targets(const DeviceTree& tree, const DevicePoints& points,
                              const Stream& stream) {
  return place<T>(tree, PointSet::targets, points.points().targets, tree.target_order, stream);
}

template <class T>
DeviceBuffer<T> reordered(std::span<const Vec3d> vectors, const DeviceBuffer<std::int32_t>& order,
                          const Stream& stream) {
  DeviceBuffer<T> result(3 * vectors.size(), stream);
  launch("reordering vectors", &reorder_kernel<T>, one_thread_each(vectors.size()), stream,
         vectors.data(), order.data(), static_cast<std::int64_t>(vectors.size()), result.data());
  return result;
}

template <class T>
DeviceBuffer<T> inverse_cores(std::span<const double> core_radii,
                              const DeviceBuffer<std::int32_t>& order, double side,
                              const Stream& stream) {
  DeviceBuffer<T> result(core_radii.size(), stream);
  launch("core radii", &core_kernel<T>, one_thread_each(core_radii.size()), stream,
         core_radii.data(), order.data(), static_cast<std::int64_t>(core_radii.size()), side,
         result.data());
  return result;
}

#define RANKINE_INSTANTIATE(T)                                                                     \
  template DeviceBuffer<T> local_sources<T>(const DeviceTree&, const DevicePoints&,                \
                                            const Stream&);                                        \
  template DeviceBuffer<T> local_targets<T>(const DeviceTree&, const DevicePoints&,                \
                                            const Stream&);                                        \
  template DeviceBuffer<T> reordered<T>(std::span<const Vec3d>, const DeviceBuffer<std::int32_t>&, \
                                        const Stream&);                                            \
  template DeviceBuffer<T> inverse_cores<T>(                                                       \
      std::span<const double>, const DeviceBuffer<std::int32_t>&, double, const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
