#include "rankine/gpu/sums/device_points.hpp"

#include <cub/device/device_reduce.cuh>

#include <array>
#include <limits>
#include <vector>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// The bounding box of points. It is not empty and `finite` is 0 if a point is not finite.
struct Extent {
  double lower[3], upper[3];
  int finite;
};

struct ExtentOfPoint {
  __device__ Extent operator()(const Vec3d& p) const {
    return {{p.x, p.y, p.z}, {p.x, p.y, p.z}, isfinite(p.x + p.y + p.z) ? 1 : 0};
  }
};

struct JoinedExtent {
  __device__ Extent operator()(const Extent& a, const Extent& b) const {
    Extent all;
    for (int axis = 0; axis < 3; ++axis) {
      all.lower[axis] = fmin(a.lower[axis], b.lower[axis]);
      all.upper[axis] = fmax(a.upper[axis], b.upper[axis]);
    }
    all.finite = a.finite & b.finite;
    return all;
  }
};

void reduce(std::span<const Vec3d> points, Extent* to, const Stream& stream) {
  constexpr double far = std::numeric_limits<double>::infinity();
  const Extent none{{far, far, far}, {-far, -far, -far}, 1};
  with_scratch("bounding box", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(
        scratch, bytes, points.data(), to, static_cast<std::int64_t>(points.size()), JoinedExtent{},
        ExtentOfPoint{}, none, stream.handle());
  });
}

__global__ void compare_kernel(const Vec3d* a, const Vec3d* b, std::int64_t n, int* differ) {
  const std::int64_t i = thread_index();
  if (i < n && (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z)) *differ = 1;
}

bool same_points(std::span<const Vec3d> a, std::span<const Vec3d> b, const Stream& stream) {
  if (a.size() != b.size() || a.data() == b.data()) return a.size() == b.size();
  DeviceBuffer<int> differ(1, stream);
  differ.zero(stream);
  launch("comparing points", &compare_kernel, one_thread_each(a.size()), stream, a.data(), b.data(),
         static_cast<std::int64_t>(a.size()), differ.data());
  return differ.download(stream)[0] == 0;
}

__global__ void radius_kernel(const double* radii, std::int64_t n, int* wrong) {
  const std::int64_t i = thread_index();
  if (i < n && !(radii[i] > 0.0 && isfinite(radii[i]))) *wrong = 1;
}

/// Throws as fmm::check_core_radii does.
void check_radii(std::span<const double> radii, const Stream& stream) {
  DeviceBuffer<int> wrong(1, stream);
  wrong.zero(stream);
  launch("checking core radii", &radius_kernel, one_thread_each(radii.size()), stream, radii.data(),
         static_cast<std::int64_t>(radii.size()), wrong.data());
  if (wrong.download(stream)[0] != 0)
    fmm::check_core_radii(copied<double>(radii, stream).download(stream));
}

/// Throws as fmm::check_points does.
void report(std::span<const Vec3d> points, const char* what, const Stream& stream) {
  std::vector<Vec3d> host(points.size());
  download_bytes(host.data(), points.data(), points.size_bytes(), stream);
  stream.synchronize();
  fmm::check_points(host, what);
}

BoundingBox box_of(const Extent& extent) {
  BoundingBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = extent.lower[axis];
    box.upper[axis] = extent.upper[axis];
  }
  return box;
}

}  // namespace

DevicePoints::DevicePoints(const fmm::Points& points, MemorySpace where, const Stream& stream)
    : points_(points) {
  // Refuses too many points before they are counted in 32 bits.
  for (const auto& [of, what] :
       {std::pair(points.sources, "sources"), std::pair(points.targets, "targets")}) {
    if (of.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      fmm::check_points(of, what);
  }
  if (where == MemorySpace::host) {
    const bool same = points.sources.data() == points.targets.data() &&
                      points.sources.size() == points.targets.size();
    sources_ = {points.sources, stream};
    if (!same) targets_ = {points.targets, stream};
    normals_ = {points.normals, stream};
    core_radii_ = {points.core_radii, stream};
    points_ = {sources_.span(), same ? sources_.span() : targets_.span(), normals_.span(),
               core_radii_.span()};
  }
  if (where == MemorySpace::device && !points.core_radii.empty())
    check_radii(points.core_radii, stream);
  find_extent(stream);
  if (extent_.shared_points) points_.targets = points_.sources;
}

void DevicePoints::find_extent(const Stream& stream) {
  extent_.shared_points = same_points(points_.sources, points_.targets, stream);
  extent_.sources = static_cast<std::int32_t>(points_.sources.size());
  extent_.targets = static_cast<std::int32_t>(points_.targets.size());
  DeviceBuffer<Extent> found(2, stream);
  reduce(points_.sources, found.data(), stream);
  if (!extent_.shared_points) reduce(points_.targets, found.data() + 1, stream);
  std::vector<Extent> both = found.download(stream);
  if (extent_.shared_points) both[1] = both[0];
  if (both[0].finite == 0) report(points_.sources, "sources", stream);
  if (both[1].finite == 0) report(points_.targets, "targets", stream);
  extent_.box = box_of(both[0]);
  extent_.box.add(box_of(both[1]));
}

}  // namespace rankine::gpu
