// Values of a solution at a point of a wall, with derivatives along a ray into the fluid, and
// polynomials through values at walls and in the fluid.
//
// The second derivatives J of phi are symmetric and have no trace, since phi is harmonic. So they
// follow from derivatives along the wall, which are those of fits to the gradients at the panels:
//
//   J a_k = g_k ,   J n = (g_1.n) a^1 + (g_2.n) a^2 - (a^1.g_1 + a^2.g_2) n
//
// for tangents a_1, a_2 with derivatives g_1, g_2 along them, the unit normal n and the dual
// tangents a^1, a^2.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

/// phi and its gradient.
struct PotentialState {
  double phi = 0.0;
  Vec3d gradient{};
};

/// The state at a wall, with the derivative of the gradient along a direction.
struct WallState {
  PotentialState state;
  Vec3d slope{};
  bool knows_slope = false;  ///< false if the wall is too steep over the plane of the fits
};

/// The state at a point of the smooth surface over a panel, from phi and its gradient at the collocation points; `direction`: unit vector.
WallState wall_state(const Panels& panels, std::span<const double> potential,
                     std::span<const Vec3d> gradient, std::int32_t panel,
                     const SurfacePoint& surface, const Vec3d& direction, PanelPatch& patch);

/// Hermite interpolation along a ray, by a polynomial of t/(1 + k t), t the distance. It goes
/// through states in the fluid and at walls; at walls also through the slope of the gradient, and
/// through slope and curvature of the potential.
class WayPolynomial {
 public:
  /// `direction`: unit vector along the ray; `curvature`: k, 1/m.
  WayPolynomial(const Vec3d& direction, double curvature)
      : direction_(direction), curvature_(curvature) {}

  /// States may be added in any order, not two at one distance: at most two walls and four points
  /// in the fluid.
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
    /// Value and derivatives at `node`, `known` of them.
    void add(double node, int known, const std::array<Value, 3>& derivatives);
    Value operator()(double s) const;

   private:
    std::array<double, Most> node_{};
    std::array<Value, Most> last_{};   ///< differences that end with the newest node
    std::array<Value, Most> first_{};  ///< from the first node on: the coefficients
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
