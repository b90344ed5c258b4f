// Estimates of the errors of a flow, from the data of its solve. The estimate of a panel is the
// root of the sum of the squares of these terms:
//
//   velocity   0.5 |u - u*|         u* is predicted by a quadratic through the velocities around
//                                   (0: phi is fitted by a plane); |u - u*| at concave edges
//              |U| tan(tilt)        between the normals of the panel and of a cubic through the
//                                   points of the panels around; curved panels: 0.4 times that
//              d = 0.5 (1 - pi/w) |u_e|
//                                   in the first row of panels at a sharp edge with the angle w in
//                                   the fluid; u_e ~ r^(pi/w - 1) is the flow around the edge
//              0.7 |c_q|            if the problem is not a flow; c_q: mean of the flux over the
//                                   panel minus its value at the point
//              gradient of the errors that Green's identity shows (bem/flow/green_errors.hpp)
//   potential  a/5 |c|              c = mean of phi over the panel minus its value at the point,
//                                   which replaces the mean in the integral equation
//              a/3 |phi - phi*|
//              0.08 a d l           next to a sharp edge; l: root of the panel's area
//              errors that Green's identity shows
//              g.x and |g|          inside: g (x - x0) is the part of the error that is linear, by
//                                   Green's identity of phi and x
//   both       residual of GMRES and error of the sums, relative to |U| and phi_rms
//
// where a is the amplification of residuals. On panels where the singularity of an edge is fitted
// (bem/layers/edge_strengths.hpp), terms with u*, c and phi* are left out, and d is the difference
// between two fits, except in corners. The double layer is computed with the value at the point
// instead of the mean, that is, without c; for a sphere in a stream the resulting error is c/6.
// Terms from Green's identity are means over the surface. On panels with a given potential, only
// the last term applies to the potential. If potentials are given, the effect of the residual on
// the charges of the smallest panels is part of |u - u*|, since it differs from panel to panel.
//
// Estimates are at most three times too small, and hardly ever ten times too large, on spheres,
// ellipsoids, discs and boxes with 160 to 20 000 panels of several kinds
// (docs/validation-estimates.md). If a mesh does not resolve the flow, u and u* differ by as much
// as the velocities themselves, and the true error may be larger than the estimate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/green_errors.hpp"
#include "rankine/bem/flow/surface_fits.hpp"

namespace rankine::bem {

/// Relative errors as in `relative_error`: area-weighted L2 over that of the solution, and largest
/// error over largest value.
struct ErrorFigures {
  FieldError velocity, potential, cp;
  double force = 0.0;       ///< largest error of the total force and the forces on parts, N
  double added_mass = 0.0;  ///< relative error of the added-mass velocity
  /// Reference of velocity errors: the larger of |U| and the rms of w. With sources, doublets or
  /// vortices: the rms of |U + v|. If the problem is not a flow: the rms of the gradient.
  double speed = 0.0;
  double doubtful =
      0.0;  ///< share of the area with velocity errors above `doubtful_from` times `speed`
  std::size_t doubtful_panels = 0;
  std::size_t worst = 0;  ///< the panel with the largest estimate of the velocity's error
  double at_worst = 0.0;  ///< that estimate over `speed`
};

inline constexpr double doubtful_from = 0.1;

struct ErrorEstimate {
  std::vector<double> velocity;   ///< per panel, m/s
  std::vector<double> potential;  ///< per panel, m^2/s
  ErrorFigures figures;
};

/// Bound of the error of the forces on parts whose pressures have the errors `pressure`, one per
/// panel, with unfavourable signs: |int p n_x dA|^2 <= int p^2 dA int n_x^2 dA. `part` has the part
/// of every panel; empty: one part.
double force_error(const Panels& panels, std::span<const std::int32_t> part,
                   std::span<const double> pressure);

/// Estimates for a complete solution, its fits and residuals, with the computed total force, N. The
/// relative error of the added mass is that of the potential. The error of the force applies to one
/// body, or to all bodies with the same motion. It combines errors of the pressure, taken as
/// independent on areas as wide as the length of a panel, with the relative error of the added
/// mass. For bodies that move differently, in interiors and with sources, the bound force_error()
/// is used. The estimate is at least as large as a computed force that must vanish (d'Alembert).
ErrorEstimate estimate_errors(const FlowProblem& problem, const Solution& solution,
                              const SurfaceFits& fits, const GreenErrors& green,
                              const Vec3d& force);

}  // namespace rankine::bem
