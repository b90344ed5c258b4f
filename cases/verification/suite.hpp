// Checks of `rankine verify` that need more than summary.json: pressures, eigenvalues of the
// layers, and sums compared with direct sums. Wrong numbers do not throw.
#pragma once

#include <string>
#include <vector>

#include "rankine/bem/backend.hpp"

namespace rankine::cases {

struct SuiteCheck {
  std::string group, name;
  double value = 0.0, limit = 0.0;
  /// The limit is a minimum (for an observed order), else a maximum (for an error).
  bool at_least = false;
  bool pass() const { return at_least ? value >= limit : value <= limit; }
};

/// Potential, velocity and Cp on geodesic spheres of 320 to 20 480 panels, and the order observed
/// between the finest two [L32 sec. 91-92]; the order of the volume of curved panels is four.
std::vector<SuiteCheck> check_sphere_refinement(bem::Backend& backend);

/// Eigenvalues of the layers on the unit sphere (bem/layers/layers.hpp) as Rayleigh quotients, with
/// observed orders. Errors are relative to the largest eigenvalue of the layer. Identities of
/// linear functions on flat panels, which hold up to quadrature errors.
std::vector<SuiteCheck> check_layers(bem::Backend& backend);

/// Potential and gradient of the fast multipole method compared with direct sums, at three
/// tolerances: the largest error over all distributions must not exceed the tolerance. Dipoles, the
/// treecode and single precision on one distribution.
std::vector<SuiteCheck> check_operator_errors(bem::Backend& backend);

/// Sums with softening and vortex cores compared with plain loops; an orbit, a vortex ring and a
/// diffusing vortex compared with closed forms (particle_suite.cpp).
std::vector<SuiteCheck> check_particles(bem::Backend& backend);

}  // namespace rankine::cases
