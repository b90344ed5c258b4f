// Checks of `rankine verify --all`: added mass, moving bodies, problems inside, against exact solutions.
#pragma once

#include <vector>

#include "cases/verification/suite.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// The six added masses of ellipsoids from 1:1:1 to 10:1:1 and 1:1:0.1, 20 480 panels each: 0.1 %
/// [L32 sec. 114, 115].
std::vector<SuiteCheck> check_added_mass(bem::Backend& backend, int threads);

/// The 12 x 12 matrix of two equal spheres at gaps of 4, 1 and 0.4 radii: 0.3 % of the series, and
/// symmetric to 1e-4 [L32 sec. 99].
std::vector<SuiteCheck> check_two_spheres(bem::Backend& backend, int threads);

/// Force and moment of an ellipsoid that moves and turns, in a stream and without one, against
/// Kirchhoff's equations [L32 sec. 124].
std::vector<SuiteCheck> check_moving_bodies(bem::Backend& backend, int threads);

/// Harmonic polynomials of degree 1 to 4 inside a sphere from potentials, fluxes and both, with the
/// orders observed.
std::vector<SuiteCheck> check_inside(bem::Backend& backend, int threads);

/// Capacitances of conductors without thickness, disc and square plate, graded towards their rims [J99 sec.
/// 3.13; HM04], and iterations to 1e-6 of equations of the first kind on sphere and cube.
std::vector<SuiteCheck> check_sheets(bem::Backend& backend, int threads);

/// Added masses of plates without thickness broadside on, disc and ellipse, and of the disc about a diameter, with
/// the order observed [L32 sec. 102, 108, 114].
std::vector<SuiteCheck> check_thin_walls(bem::Backend& backend, int threads);

}  // namespace rankine::cases
