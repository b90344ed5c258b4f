#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/point_order.hpp"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

/// A warp takes a leaf.
template <class T>
__global__ void local_kernel(const fmm::Box* boxes, const std::int32_t* leaves,
                             std::int32_t leaf_count, PointSet set, const Vec3d* points,
                             const std::int32_t* order, std::int64_t n, Vec3d corner, double side,
                             T* out) {
  const std::int32_t warp =
      static_cast<std::int32_t>(blockIdx.x * (threads / 32) + threadIdx.x / 32);
  if (warp >= leaf_count) return;
  const fmm::Box box = boxes[leaves[warp]];
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
__global__ void reorder_kernel(const Vec3d* vectors, const std::int32_t* order, std::int64_t n,
                               T* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const Vec3d v = vectors[order[i]];
  out[i] = static_cast<T>(v.x);
  out[n + i] = static_cast<T>(v.y);
  out[2 * n + i] = static_cast<T>(v.z);
}

}  // namespace

template <class T>
DeviceBuffer<T> local_points(const fmm::Plan& plan, const DeviceBuffer<fmm::Box>& boxes,
                             const DeviceBuffer<std::int32_t>& leaves, PointSet set,
                             const DeviceBuffer<Vec3d>& points,
                             const DeviceBuffer<std::int32_t>& order, const Stream& stream) {
  DeviceBuffer<T> result(3 * points.size(), stream);
  launch("placing points in their leaves", &local_kernel<T>,
         {dim3(blocks_for(leaves.size(), threads / 32)), dim3(threads)}, stream, boxes.data(),
         leaves.data(), static_cast<std::int32_t>(leaves.size()), set, points.data(), order.data(),
         static_cast<std::int64_t>(points.size()), plan.tree.corner, plan.tree.side, result.data());
  return result;
}

template <class T>
DeviceBuffer<T> reordered(const DeviceBuffer<Vec3d>& vectors,
                          const DeviceBuffer<std::int32_t>& order, const Stream& stream) {
  DeviceBuffer<T> result(3 * vectors.size(), stream);
  launch("reordering vectors", &reorder_kernel<T>,
         {dim3(blocks_for(vectors.size(), threads)), dim3(threads)}, stream, vectors.data(),
         order.data(), static_cast<std::int64_t>(vectors.size()), result.data());
  return result;
}

template DeviceBuffer<float> local_points<float>(const fmm::Plan&, const DeviceBuffer<fmm::Box>&,
                                                 const DeviceBuffer<std::int32_t>&, PointSet,
                                                 const DeviceBuffer<Vec3d>&,
                                                 const DeviceBuffer<std::int32_t>&, const Stream&);
template DeviceBuffer<double> local_points<double>(const fmm::Plan&, const DeviceBuffer<fmm::Box>&,
                                                   const DeviceBuffer<std::int32_t>&, PointSet,
                                                   const DeviceBuffer<Vec3d>&,
                                                   const DeviceBuffer<std::int32_t>&,
                                                   const Stream&);
template DeviceBuffer<float> reordered<float>(const DeviceBuffer<Vec3d>&,
                                              const DeviceBuffer<std::int32_t>&, const Stream&);
template DeviceBuffer<double> reordered<double>(const DeviceBuffer<Vec3d>&,
                                                const DeviceBuffer<std::int32_t>&, const Stream&);

}  // namespace rankine::gpu
