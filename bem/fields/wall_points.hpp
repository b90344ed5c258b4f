// Points close to walls, and the nodes from which the field there is interpolated
// (bem/fields/potential_field.hpp). The nodes lie along the direction from the closest
// point of the surface, at multiples of the spacing of the panels around it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/panel_balls.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

// The intersection of a ray from a wall into the fluid with the next wall.

/// A ray from a point of the surface, with unit direction.
struct Ray {
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
  /// A ray can hit a panel only within the panel's `reach`, m. `panels` must outlive the object.
  OppositeWalls(const Panels& panels, std::vector<double> reach);

  /// For every ray, the first panel that it hits from the panel's outer side within reach.
  std::vector<OppositeWall> of(std::span<const Ray> rays) const;

 private:
  PanelReach reach_;
};

/// Distances of the interpolation nodes from the surface, in units of the local panel
/// spacing.
inline constexpr std::array node_distances{0.8, 1.2, 1.6, 2.0};
/// Distance from a panel, in units of its spacing, below which the integrals are too inaccurate for
/// interpolation nodes.
inline constexpr double reliable = 0.3;
/// The same for an opposite wall, whose own value and slope are used.
inline constexpr double reliable_in_gaps = node_distances.front();

/// A point near the surface.
struct WallPoint {
  std::int32_t panel = -1;  ///< the closest panel; -1 if the point is far from all panels
  SurfacePoint nearest{};   ///< on the smooth surface
  Vec3d direction{};        ///< unit, from there into the fluid
  double distance = 0.0;    ///< m
  bool outside = true;
  bool behind = false;            ///< on the back of a thin panel
  double spacing = 0.0;           ///< unit of `node_distances`, m
  std::int64_t first_node = -1;   ///< index into `nodes`; -1: none
  OppositeWall opposite{};        ///< set only if the last node is too near it
  double opposite_spacing = 0.0;  ///< m
};

/// Points close to the surface and the nodes along their normals.
struct WallPoints {
  std::vector<WallPoint> points;
  std::vector<Vec3d> nodes;
};

/// Computes WallPoints for any number of sets of points. The data of the panels are computed once.
class WallFinder {
 public:
  /// The panels and `neighbourhood` must outlive the object.
  WallFinder(const Region& region, const PanelNeighbourhood& neighbourhood);

  /// `points` lie on the panels' side of symmetry planes.
  WallPoints find(std::span<const Vec3d> points) const;

  /// 1 for nodes that are so far from all panels that the integrals there are accurate.
  std::vector<std::uint8_t> reliable_at(std::span<const Vec3d> nodes) const;

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

// Values of a solution at a point of a wall, with derivatives along a ray into the fluid, and
// polynomials that interpolate values at walls and in the fluid.
//
// The matrix J of second derivatives of phi is symmetric, and its trace is zero since phi is
// harmonic. So it follows from derivatives along the wall, which come from fits to the gradients at
// the panels:
//
//   J a_k = g_k ,   J n = (g_1.n) a^1 + (g_2.n) a^2 - (a^1.g_1 + a^2.g_2) n
//
// for tangents a_1, a_2 with derivatives g_1, g_2 along them, the unit normal n and the dual
// tangents a^1, a^2.

/// phi and its gradient.
struct PotentialState {
  double phi = 0.0;
  Vec3d gradient{};
};

/// The state at a wall, with the derivative of the gradient along a direction.
struct WallState {
  PotentialState state;
  Vec3d slope{};
  bool has_slope = false;  ///< false if the wall is too steep relative to the plane of the fits
};

/// The state at a point of the smooth surface over a panel, from phi and its gradient at the
/// collocation points; `direction`: unit vector.
WallState wall_state(const Panels& panels, std::span<const double> potential,
                     std::span<const Vec3d> gradient, std::int32_t panel,
                     const SurfacePoint& surface, const Vec3d& direction, PanelPatch& patch);

/// Hermite interpolation along a ray, by a polynomial of t/(1 + k t), t the distance. It matches
/// states in the fluid and at walls; at walls also the slope of the gradient, and slope and
/// curvature of the potential.
class RayPolynomial {
 public:
  /// `direction`: unit vector along the ray; `curvature`: k, 1/m.
  RayPolynomial(const Vec3d& direction, double curvature)
      : direction_(direction), curvature_(curvature) {}

  /// States may be added in any order, at different distances: at most two walls and four points in
  /// the fluid.
  void add_wall(double distance, const WallState& wall);
  /// A wall whose slope of the gradient is not used.
  void add_wall(double distance, const PotentialState& wall);
  void add(double distance, const PotentialState& state);

  PotentialState at(double distance) const;

 private:
  /// Newton's divided differences [SB02, section 2.1.5]; a node is repeated for every known
  /// derivative.
  template <class Value, std::size_t Most>
  class Newton {
   public:
    /// The first `known` of value, first and second derivative at `node`.
    void add(double node, int known, const std::array<Value, 3>& derivatives);
    Value operator()(double s) const;

   private:
    std::array<double, Most> node_{};
    std::array<Value, Most> last_{};   ///< differences that end at the newest node
    std::array<Value, Most> first_{};  ///< differences that start at the first node: the
                                       ///< coefficients
    std::size_t count_ = 0;
  };

  /// `gradients`: 1 if the gradient is known, 2 if its slope is known as well.
  void add_wall(double distance, const WallState& wall, int gradients);
  double stretched(double t) const { return t / (1.0 + curvature_ * t); }

  Vec3d direction_;
  double curvature_;
  Newton<double, 10> phi_;
  Newton<Vec3d, 8> gradient_;
};

}  // namespace rankine::bem
