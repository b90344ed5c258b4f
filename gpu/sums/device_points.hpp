// Points as a caller gives them, on the device.
#pragma once

#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/held_arrays.hpp"

namespace rankine::gpu {

class DevicePoints {
 public:
  /// Uploads points of the host; points on the device must outlive the object.
  DevicePoints(const fmm::Points& points, MemorySpace where, const Stream& stream);

  /// All arrays on the device; targets are the sources where both are the same points.
  const fmm::Points& points() const { return points_; }
  /// As fmm::extent_of says. Found once; throws InputError for points that are not finite.
  const fmm::PointsExtent& extent() const { return extent_; }

 private:
  void find_extent(const Stream& stream);

  fmm::Points points_;
  DeviceCopy<Vec3d> sources_, targets_, normals_;
  DeviceCopy<double> core_radii_;
  fmm::PointsExtent extent_;
};

}  // namespace rankine::gpu
