// The caller's points on the device.
#pragma once

#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/held_arrays.hpp"

namespace rankine::gpu {

class DevicePoints {
 public:
  /// Uploads points that are on the host. Points that are on the device must outlive the object.
  DevicePoints(const fmm::Points& points, MemorySpace where, const Stream& stream);

  /// All arrays are on the device. The targets are the sources if both are the same points.
  const fmm::Points& points() const { return points_; }
  /// As fmm::extent_of. Computed once. Throws InputError if a point is not finite.
  const fmm::PointsExtent& extent() const { return extent_; }

 private:
  void find_extent(const Stream& stream);

  fmm::Points points_;
  DeviceCopy<Vec3d> sources_, targets_, normals_;
  DeviceCopy<double> core_radii_;
  fmm::PointsExtent extent_;
};

}  // namespace rankine::gpu
