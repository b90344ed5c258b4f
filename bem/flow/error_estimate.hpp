// How far a flow may be from the exact one, from what the solve already has. Per panel, by the root of the
// sum of squares,
//
//   velocity    0.5 |u - u*|          u* predicted by a quadratic through the velocities of the panels around;
//                                     0 where so few are there that the gradient of phi is that of a plane
//               0.42 |grad_s c|       c = mean of phi over the panel less its value at the point, which
//                                     stand for one another in the integral equation; source: 0.38
//               |U| tan(tilt)         between the panel's normal and that of a cubic through the points of
//                                     the panels around; 0.4 of it on curved panels
//               0.12 (k l)^2 |u|      flat panels
//               0.09 k l |u|          flat panels, source formulation, in place of it: the part of a panel's
//                                     own curvature that its integrals lack
//               0.5 (1 - pi/w) |u|    next to a sharp edge whose faces the flow goes round by the angle w, where
//                                     u ~ r^(pi/w - 1): what a first row of panels leaves, however small
//               0.7 |c_q|             of a potential alone: the same of the flux, of which charges are made
//   potential   0.3 |c|               0.27 in the source formulation
//               0.5 |phi - phi*|
//               0.07 (k l) (k l)_rms phi_rms , source: 0.17 sqrt((k l) (k l)_rms) phi_rms ,  flat panels
//   both        residual of GMRES and error of the sums, relative to |U| and phi_rms
//
// Inside, where walls see more of each other, all but the last are twice that; where the potential is given,
// the last alone is its error. What a residual leaves in the charges of the smallest panels, where potentials
// are given, is in |u - u*|: it differs from panel to panel.
//
// k l is the angle by which the surface turns along the panel's most curved edge. The factors bring the
// estimates near the true errors of spheres, ellipsoids and pairs of spheres with 500 to 20 000 panels of
// several kinds, within a factor of three in the mean and at worst, and those at the edges of boxes
// (docs/validation.md). Where a mesh does not resolve the flow, u and u* differ by as much as velocities do:
// the estimate says that, and not how much more it may be.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_fits.hpp"

namespace rankine::bem {

/// Relative errors are as `relative_error` has them: area-weighted L2 over that of the solution, and largest
/// over largest.
struct ErrorFigures {
  FieldError velocity, potential, cp;
  double force = 0.0;       ///< of the whole and of parts, N
  double added_mass = 0.0;  ///< of the added-mass velocity, m/s
  double speed = 0.0;  ///< that velocities are compared with: |U|; the rms of |U + v|, of w, or of
                       ///< the gradient of a potential alone
  double doubtful =
      0.0;  ///< share of the area where velocities err by more than `doubtful_from` of it
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

/// Of a complete solution and its fits, with the total force, N, and the added-mass velocity, m/s, that were found. The
/// force errs as pressures do that err independently from panel to panel, and at least by the total force on
/// walls at rest, which must vanish (d'Alembert); the added mass by the potential's relative error. `backend`: where
/// slopes are taken.
ErrorEstimate estimate_errors(const FlowProblem& problem, const Solution& solution,
                              const SurfaceFits& fits, const Vec3d& force, const Vec3d& added_mass,
                              Backend& backend);

}  // namespace rankine::bem
