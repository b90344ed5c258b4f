// Points close to walls, and the stations from which the field there is interpolated (bem/flow/field.hpp): along the
// direction from the closest point of the surface, at multiples of the spacing of the panels around it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/opposite_wall.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

/// Distances of the interpolation's outer nodes from the surface, in spacings of the panels there.
inline constexpr std::array stations{0.8, 1.2, 1.6, 2.0};
/// Nearer to any panel than this, in its spacings, the integrals are not trusted: further away they serve
/// the interpolation better than to be left out.
inline constexpr double trusted = 0.3;
/// Before an opposite wall, whose own value and slope take part, they are left out as soon as before this one.
inline constexpr double trusted_in_gaps = stations.front();

/// A point near the surface.
struct WallPoint {
  std::int32_t panel = -1;  ///< the closest; -1 where that is far enough
  SurfacePoint foot{};      ///< on the smooth surface
  Vec3d direction{};        ///< unit, from there into the fluid
  double distance = 0.0;    ///< m
  bool outside = true;
  bool behind = false;   ///< of a thin panel, on the side that its normal points away from
  double spacing = 0.0;  ///< of the stations' unit, m
  std::int64_t first_station = -1;  ///< index into `stations_at`; -1: none
  OppositeWall opposite{};          ///< none unless the last station is too near to it
  double opposite_spacing = 0.0;    ///< m
};

/// Points close to the surface and the stations along their normals.
struct WallPoints {
  std::vector<WallPoint> points;
  std::vector<Vec3d> stations_at;
};

/// For any number of sets of points: what belongs to panels is made once.
class WallFinder {
 public:
  /// Both must outlive the object.
  WallFinder(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood);

  /// On the panels' side of symmetry planes.
  WallPoints find(std::span<const Vec3d> points) const;

  /// 1 for stations so far from all panels that integrals are trusted there.
  std::vector<std::uint8_t> trusts(std::span<const Vec3d> stations_at) const;

 private:
  WallPoint onto_surface(const ClosestPoint& closest, const Vec3d& x,
                         std::vector<std::int32_t>& beside) const;
  void find_opposite(WallPoints& wall) const;

  const FlowProblem& problem_;
  const PanelNeighbourhood& neighbourhood_;
  std::vector<double> spacing_;  ///< the largest of a panel and those around, m
  ClosestPoints close_, too_close_;
  OppositeWalls opposite_;
};

}  // namespace rankine::bem
