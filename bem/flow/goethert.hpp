// Subsonic flow of a compressible fluid, linear in the perturbation [G40]. With x along the stream
// U and b^2 = 1 - M^2,
//
//   b^2 phi_xx + phi_yy + phi_zz = 0 ,     (U + b^2 phi_x, phi_y, phi_z).n = 0 on the body:
//
// no mass flows through the wall. In the scaled coordinates x' = S x, S = diag(1, b, b), the
// potential phi'(x') = b^2 phi(x) is exactly that of an incompressible flow with the stream U past
// the scaled body, with phi'_n = -U.n'. The quantities of both flows are related by
//
//   grad phi = S grad' phi' / b^2 ,
//   p = -rho/2 (2 U phi_x + b^2 phi_x^2 + phi_y^2 + phi_z^2) = p' / b^2 ,
//   F = S F' / b^4 .
//
// The flux of mass w = (U + b^2 phi_x, phi_y, phi_z) is parallel to S^-1 u'. So streamlines of the
// equivalent flow are lines of w. With that pressure, the jump across a wake with the doublet
// strength m is -rho w.grad m: a wake that follows w carries no load.
//
// This pressure, of second order in the perturbation, is consistent with the equation: closed
// bodies have no drag, and lift and induced drag agree with those from the circulation far
// downstream.
#pragma once

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

class GoethertRule {
 public:
  /// Throws InputError without a stream and unless 0 <= mach < 1.
  GoethertRule(const Vec3d& stream, double mach);

  double mach() const { return mach_; }
  double beta() const { return beta_; }  ///< b
  /// S x, for points, wall velocities and directions.
  Vec3d stretched(const Vec3d& x) const { return along(x) + beta_ * (x - along(x)); }
  /// S^-1 x.
  Vec3d restored(const Vec3d& x) const { return along(x) + (x - along(x)) / beta_; }
  /// The lines of wakes of the scaled body, from those of the body itself, and the reverse. `own`:
  /// the lines that are replaced; their starts and directions stay.
  WakeLines stretched(const WakeLines& lines, WakeLines own) const;
  WakeLines restored(const WakeLines& lines, WakeLines own) const;
  /// F from F'.
  Vec3d force(const Vec3d& equivalent) const { return gradient(equivalent) / (beta_ * beta_); }
  /// grad phi from grad' phi'.
  Vec3d gradient(const Vec3d& equivalent) const { return stretched(equivalent) / (beta_ * beta_); }

  /// The flow, from that past the scaled body. `body`: the panels of the body itself.
  Solution physical(const Panels& body, Solution equivalent) const;
  /// The same at points off the surface.
  Field physical(const Vec3d& stream, Field equivalent) const;
  /// Bounds of the errors of the flow, from those of the equivalent one.
  ErrorEstimate physical(ErrorEstimate equivalent) const;

 private:
  Vec3d along(const Vec3d& x) const { return dot(x, axis_) * axis_; }

  Vec3d axis_;
  double mach_, beta_;
};

/// The incompressible flow past the scaled body.
struct EquivalentFlow {
  GoethertRule rule;
  FlowProblem problem;
};

/// The pressure coefficient at the speed of sound, in isentropic flow of a gas with ratio of
/// specific heats 1.4; -infinity at M = 0.
double sonic_pressure_coefficient(double mach);

/// The Mach number at which a flow becomes sonic, from its least pressure coefficient `cp` at
/// `mach`, which is assumed to vary as (1 - M^2)^(-1/2); 1 if `cp` is not negative.
double critical_mach(double mach, double cp);

}  // namespace rankine::bem
