// Estimates of the errors of a flow, from data of the solve. Per panel, an estimate is the root of
// the sum of the squares of
//
//   velocity   0.5 |u - u*|         u* is predicted by a quadratic through the velocities around;
//                                   0 if these are so few that phi is fitted by a plane
//              0.42 |grad_s c|      c = mean of phi over the panel minus its value at the point,
//                                   which replaces the mean in the integral equation; source: 0.38
//              |U| tan(tilt)        between the normals of the panel and of a cubic through the
//                                   points of the panels around; curved panels: 0.4 times that
//              0.12 (k l)^2 |u|     flat panels
//              0.09 k l |u|         instead of it in the source formulation, whose integrals
//                                   lack the curvature of the panel itself
//              0.5 (1 - pi/w) |u|   next to a sharp edge with the angle w in the fluid, where
//                                   u ~ r^(pi/w - 1): the error of the first row of panels
//              0.7 |c_q|            for a potential alone: the same for the flux, and for charges
//   potential  0.3 |c|              0.27 in the source formulation
//              0.5 |phi - phi*|
//              0.07 (k l) (k l)_rms phi_rms           flat panels
//              0.17 sqrt((k l) (k l)_rms) phi_rms     instead of it in the source formulation
//   both       residual of GMRES and error of the sums, relative to |U| and phi_rms
//
// In interior domains, where walls face each other, all terms but the last are doubled. Where the
// potential is given, the last term is the only one of the potential. The effect of the residual on
// the charges of the smallest panels, where potentials are given, is part of |u - u*|, since it
// differs from panel to panel.
//
// k l is the angle by which the surface turns along the panel's most curved edge. The factors are
// fitted to the true errors of spheres, ellipsoids and pairs of spheres with 500 to 20 000 panels
// of several kinds, which they match within a factor of three in the mean and in the maximum, and
// to errors at the edges of boxes (docs/validation.md). If a mesh does not resolve the flow, u and
// u* differ by as much as velocities do; the true error may then be larger than the estimate.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_fits.hpp"

namespace rankine::bem {

/// Relative errors as in `relative_error`: area-weighted L2 over that of the solution, and largest
/// error over largest value.
struct ErrorFigures {
  FieldError velocity, potential, cp;
  double force = 0.0;       ///< error of the force on the whole and on parts, N
  double added_mass = 0.0;  ///< error of the added-mass velocity, m/s
  /// Reference of velocity errors: the larger of |U| and the rms of w; the rms of |U + v|, or of the
  /// gradient of a potential alone.
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

/// Estimates for a complete solution and its fits, with the computed total force, N, and added-mass
/// velocity, m/s. The error of the force assumes independent pressure errors on all panels; it is
/// at least the total force on walls at rest, which must vanish (d'Alembert). The relative error of
/// the added mass is that of the potential. `backend` computes slopes.
ErrorEstimate estimate_errors(const FlowProblem& problem, const Solution& solution,
                              const SurfaceFits& fits, const Vec3d& force, const Vec3d& added_mass,
                              Backend& backend);

}  // namespace rankine::bem
