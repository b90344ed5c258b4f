// Estimates of the errors of a flow, from data of the solve. Per panel, an estimate is the root of
// the sum of the squares of
//
//   velocity   0.5 |u - u*|         u* is predicted by a quadratic through the velocities around;
//                                   0 if these are so few that phi is fitted by a plane
//              |U| tan(tilt)        between the normals of the panel and of a cubic through the
//                                   points of the panels around; curved panels: 0.4 times that
//              0.5 (1 - pi/w) |u_e| next to a sharp edge with the angle w in the fluid, where
//                                   u_e, which flows around the edge, is ~ r^(pi/w - 1): the error
//                                   d of the first row of panels
//              0.7 |c_q|            for a potential alone: the flux's mean minus its value
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
// with the amplification a of residuals. c is a density that the double layer lacks; of a sphere in
// a stream it makes c/6. Terms of what Green's identity shows are means over the surface. Where the
// potential is given, the last term is the only one of the potential. The effect of the residual on
// the charges of the smallest panels, where potentials are given, is part of |u - u*|, since it
// differs from panel to panel.
//
// Estimates are at most three times too small, and hardly ever ten times too large, on spheres,
// ellipsoids, discs and boxes with 160 to 20 000 panels of several kinds (docs/validation.md). Only
// the shape of panels is tested, not that of the body: if edges of panels stay straight because
// their fit is not reliable, the polyhedron is what is solved. If a mesh does not resolve the flow,
// u and u* differ by as much as velocities do; the true error may then be larger than the estimate.
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
  double force = 0.0;       ///< error of the force on the whole and on parts, N
  double added_mass = 0.0;  ///< relative error of the added-mass velocity
  /// Reference of velocity errors: the larger of |U| and the rms of w; the rms of |U + v|, or of
  /// the gradient of a potential alone.
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

/// Largest error of the forces on parts whose pressures err by `pressure`, one value per panel,
/// with one sign where a component of the normal has: |int p n_x dA|^2 <= int p^2 dA int n_x^2 dA.
/// `part` of every panel, or empty: all are one.
double force_error(const Panels& panels, std::span<const std::int32_t> part,
                   std::span<const double> pressure);

/// Estimates for a complete solution, its fits and residuals, with the computed total force, N. The
/// relative error of the added mass is that of the potential. The error of the force is that on one
/// body, or on all that have one motion. It assumes independent pressure errors on all panels, and
/// of the whole the relative error of the added mass; of bodies that move differently, in interiors
/// and beside sources errors of one sign. It is at least a force that must vanish (d'Alembert).
ErrorEstimate estimate_errors(const FlowProblem& problem, const Solution& solution,
                              const SurfaceFits& fits, const GreenErrors& green,
                              const Vec3d& force);

}  // namespace rankine::bem
