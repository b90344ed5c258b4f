// What the solution knows at a point of a wall, with derivatives along a way into the fluid, and the
// polynomials through walls and places in the fluid.
//
// The gradient J of the perturbation velocity is symmetric and has no trace: nothing swirls and nothing is
// compressed. So derivatives along a wall, of fits to the velocities of panels, are all that it takes:
//
//   J a_k = g_k ,   J n = (g_1.n) a^1 + (g_2.n) a^2 - (a^1.g_1 + a^2.g_2) n
//
// for tangents a_1, a_2 with derivatives g_1, g_2 along them, the unit normal n and the dual tangents a^1, a^2.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

/// phi and the perturbation velocity.
struct FlowState {
  double phi = 0.0;  ///< m^2/s
  Vec3d velocity{};  ///< m/s
};

/// At a wall also the derivative of the velocity along a direction.
struct WallState {
  FlowState state;
  Vec3d slope{};             ///< 1/s
  bool knows_slope = false;  ///< not where the wall is too steep over the plane of the fits
};

/// At a point of the smooth surface over a panel, from phi, m^2/s, and the perturbation velocity, m/s, at the
/// collocation points; `direction`: unit.
WallState wall_state(const Panels& panels, std::span<const double> potential,
                     std::span<const Vec3d> perturbation, std::int32_t panel,
                     const SurfacePoint& surface, const Vec3d& direction, PanelPatch& patch);

/// Hermite's interpolation along a way: through states in the fluid, and at walls through slopes of the
/// velocity and, of the potential, slope and curvature, as a polynomial of t/(1 + k t), t the distance.
class WayPolynomial {
 public:
  /// `direction`: unit, along the way; `curvature`: k, 1/m.
  WayPolynomial(const Vec3d& direction, double curvature)
      : direction_(direction), curvature_(curvature) {}

  /// In any order, no two at one distance; at most two walls and four places in the fluid.
  void add_wall(double distance, const WallState& wall);
  /// Of which the slope of the velocity is not to be used.
  void add_wall(double distance, const FlowState& wall);
  void add(double distance, const FlowState& state);

  FlowState at(double distance) const;

 private:
  /// Newton's divided differences [SB02, section 2.1.5], a node as often as values are known of it.
  template <class Value, std::size_t Most>
  class Newton {
   public:
    /// Value and derivatives at `node`, `known` of them.
    void add(double node, int known, const std::array<Value, 3>& derivatives);
    Value operator()(double s) const;

   private:
    std::array<double, Most> node_{};
    std::array<Value, Most> last_{};   ///< differences of so many nodes more than the newest
    std::array<Value, Most> first_{};  ///< of so many nodes after the first: the coefficients
    std::size_t count_ = 0;
  };

  /// `velocities`: how many of the velocity and its slope are known.
  void add_wall(double distance, const WallState& wall, int velocities);
  double stretched(double t) const { return t / (1.0 + curvature_ * t); }

  Vec3d direction_;
  double curvature_;
  Newton<double, 10> phi_;
  Newton<Vec3d, 8> velocity_;
};

}  // namespace rankine::bem
