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
/// between the finest two [L32 sec. 91-92].
std::vector<SuiteCheck> check_sphere_refinement(bem::Backend& backend);

/// Eigenvalues on the unit sphere as Rayleigh quotients, with observed orders:
///   S Y_l =  Y_l / (2l+1)
///   D Y_l = -Y_l / (2(2l+1))
/// Errors are relative to the largest eigenvalue of the layer.
std::vector<SuiteCheck> check_sphere_eigenvalues(bem::Backend& backend);

/// Potential and gradient of the fast multipole method compared with direct sums: the largest error
/// over all distributions at three tolerances, which are the limits. Dipoles, the treecode and
/// single precision on one distribution.
std::vector<SuiteCheck> check_operator_errors(bem::Backend& backend);

/// Sums with softening and vortex cores compared with plain loops; an orbit, a vortex ring and a
/// diffusing vortex compared with closed forms (particle_suite.cpp).
std::vector<SuiteCheck> check_particles(bem::Backend& backend);

}  // namespace rankine::cases
