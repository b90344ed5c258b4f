// The intersection of a ray from a wall into the fluid with the next wall.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_balls.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

/// A ray from a point of the surface along a unit vector.
struct WayOut {
  Vec3d from, direction;
};

struct OppositeWall {
  std::int32_t panel = -1;  ///< -1: none within reach
  SurfacePoint surface{};   ///< on the smooth surface that is fitted to the panel
  double distance = 0.0;    ///< along the ray, m
};

/// Finds the walls that rays meet, for any number of sets of rays.
class OppositeWalls {
 public:
  /// Rays meet a panel within its `reach`, m. `panels` must outlive the object.
  OppositeWalls(const Panels& panels, std::vector<double> reach);

  /// For every ray the first panel that it meets from the panel's outer side within reach.
  std::vector<OppositeWall> of(std::span<const WayOut> ways) const;

 private:
  PanelReach reach_;
};

}  // namespace rankine::bem
