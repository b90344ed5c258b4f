// Octrees built on the device, with the same result as on the host: the same functions do the work
// for one box (fmm/octree.hpp); sorting, scanning and the loops over boxes are kernels.
#pragma once

#include <cstdint>
#include <memory>

#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"

namespace rankine::gpu {

// The caller's points on the device.

class DevicePoints {
 public:
  /// Uploads points that are on the host. Points that are on the device must outlive the object.
  DevicePoints(const fmm::Points& points, MemorySpace where, const Stream& stream);

  /// All arrays are on the device. If both are the same points, the targets refer to the array of
  /// the sources.
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

/// As fmm::Octree.
struct DeviceTree {
  fmm::Octree root;  ///< with its first box only, and without orders
  std::int32_t box_count = 0;
  DeviceBuffer<fmm::Box> boxes;  ///< the first box_count
  DeviceBuffer<std::int32_t> source_order;
  DeviceBuffer<std::int32_t> target_order;  ///< empty if the points are shared

  bool shared_points() const { return root.shared_points; }
  int depth() const { return root.depth(); }
  /// Boxes of a level: [level_begin(l), level_begin(l + 1)).
  std::int32_t level_begin(int level) const {
    return root.level_begin[static_cast<std::size_t>(level)];
  }
};

/// Points along the Morton curve of a root box.
struct SortedPoints {
  DeviceBuffer<std::uint64_t> keys;
  DeviceBuffer<std::int32_t> order;
};
struct SortedSets {
  SortedPoints sources, targets;  ///< no targets if the points are shared
};
SortedSets sort_points(const DevicePoints& points, const fmm::Octree& root, const Stream& stream);

/// As fmm::divided, without orders.
DeviceTree divided(fmm::Octree root, const SortedSets& points, int leaf_capacity, double least_edge,
                   const Stream& stream);

/// As fmm::build_octree.
DeviceTree build_device_tree(const DevicePoints& points, int leaf_capacity, double padding,
                             const Stream& stream, double least_edge = 0.0);

/// The points' order along the Morton curve of their root box, without boxes. For few points the
/// order is coarse.
DeviceTree sort_device_points(const DevicePoints& points, const Stream& stream);

}  // namespace rankine::gpu
