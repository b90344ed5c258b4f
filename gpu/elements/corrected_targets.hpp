// The targets of a PanelDiscretization that have near corrections, and the panels near them, on the
// device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/bem/layers/panel_discretization.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_pairs.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// The rows with near corrections: of every image, those of the boundary, which come first.
struct CorrectedRows {
  std::int64_t points = 0, boundary = 0;  ///< of an image

  RANKINE_HD bool contain(std::int64_t row) const { return row % points < boundary; }
  /// The number of corrected rows before `row`. For a corrected row this is its index among them.
  RANKINE_HD std::int64_t before(std::int64_t row) const {
    const std::int64_t in_image = row % points;
    return row / points * boundary + (in_image < boundary ? in_image : boundary);
  }
};

class CorrectedTargets {
 public:
  CorrectedTargets(const bem::PanelDiscretization& discretization, const Stream& stream);

  const CorrectedRows& rows() const { return rows_; }
  /// The targets of all corrected rows. Target i is the point of panel i if i is below
  /// rows().boundary.
  const Vec3d* points() const { return points_.data(); }
  const Vec3d* normals() const { return normals_.data(); }
  /// The panels near each target whose row is corrected and among `rows`, one row per target.
  /// `bytes_per_pair` as for find_near_pairs(), which may throw.
  DevicePattern near_panels(const bem::RowRange& rows, std::size_t bytes_per_pair,
                            const Stream& stream) const;

 private:
  CorrectedRows rows_;
  bool of_panels_;  ///< the targets are the points of all panels
  DeviceCopy<Vec3d> points_, normals_;
  DeviceCopy<std::int32_t> first_ball_;
  DeviceCopy<Vec3d> ball_centre_;
  DeviceCopy<double> ball_radius_;
};

}  // namespace rankine::gpu
