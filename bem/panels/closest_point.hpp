// The point of a surface that is closest to a given point, among the panels within reach.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_balls.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

struct ClosestPoint {
  std::int32_t panel = -1;  ///< -1: no panel within reach
  Vec3d nearest{};          ///< closest point on it
  double distance = 0.0;
  /// Unit vector from the surface towards the point; the panel's normal if the point lies on it.
  Vec3d direction{};
  bool outside = true;  ///< whether the point is on the side to which the normals point
};

/// For every point the closest panel among those closer than `reach` panel sizes. The size is
/// sqrt(3) times the radius.
std::vector<ClosestPoint> closest_points(const Panels& panels, std::span<const Vec3d> points,
                                         double reach);

/// The same with a reach per panel, in metres, for any number of sets of points.
class ClosestPoints {
 public:
  /// `panels` must outlive the object.
  ClosestPoints(const Panels& panels, std::vector<double> reach);

  std::vector<ClosestPoint> of(std::span<const Vec3d> points) const;

 private:
  PanelReach reach_;
};

/// Closest point of triangle abc [Ericson, Real-Time Collision Detection (2005), sec. 5.1.5].
Vec3d closest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

}  // namespace rankine::bem
