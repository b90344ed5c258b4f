// Points close to walls, and the nodes from which the field there is interpolated
// (bem/fields/potential_field.hpp). The nodes (stations) lie along the direction from the closest point of the
// surface, at multiples of the spacing of the panels around it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/fields/opposite_wall.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

/// Distances of the interpolation nodes from the surface, in spacings of the panels there.
inline constexpr std::array stations{0.8, 1.2, 1.6, 2.0};
/// Distance from any panel, in its spacings, below which the integrals are too inaccurate for
/// interpolation nodes.
inline constexpr double trusted = 0.3;
/// The same distance from an opposite wall, whose own value and slope are used.
inline constexpr double trusted_in_gaps = stations.front();

/// A point near the surface.
struct WallPoint {
  std::int32_t panel = -1;  ///< the closest panel; -1 if it is far enough away
  SurfacePoint foot{};      ///< on the smooth surface
  Vec3d direction{};        ///< unit, from there into the fluid
  double distance = 0.0;    ///< m
  bool outside = true;
  bool behind = false;              ///< on the back of a thin panel
  double spacing = 0.0;             ///< unit of the stations, m
  std::int64_t first_station = -1;  ///< index into `stations_at`; -1: none
  OppositeWall opposite{};          ///< none unless the last station is too near it
  double opposite_spacing = 0.0;    ///< m
};

/// Points close to the surface and the stations along their normals.
struct WallPoints {
  std::vector<WallPoint> points;
  std::vector<Vec3d> stations_at;
};

/// Finds them for any number of sets of points. Data of the panels are computed once.
class WallFinder {
 public:
  /// The panels and `neighbourhood` must outlive the object.
  WallFinder(const Region& region, const PanelNeighbourhood& neighbourhood);

  /// `points` lie on the panels' side of symmetry planes.
  WallPoints find(std::span<const Vec3d> points) const;

  /// 1 for stations so far from all panels that the integrals are accurate there.
  std::vector<std::uint8_t> trusts(std::span<const Vec3d> stations_at) const;

 private:
  WallPoint onto_surface(const ClosestPoint& closest, const Vec3d& x,
                         std::vector<std::int32_t>& beside) const;
  void find_opposite(WallPoints& wall) const;

  Region region_;
  const PanelNeighbourhood& neighbourhood_;
  std::vector<double> spacing_;  ///< the largest spacing of a panel and the panels around it, m
  ClosestPoints close_, too_close_;
  OppositeWalls opposite_;
};

}  // namespace rankine::bem
