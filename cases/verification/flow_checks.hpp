// Checks of whole flows on meshes without a pattern: errors with their orders, and estimates against them.
#pragma once

#include <vector>

#include "cases/verification/suite.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// Spheres and ellipsoids 3:2:1 and 5:1:1 of triangles without a pattern, graded, of quadrilaterals and
/// stretched, and two spheres a tenth and a hundredth of a radius apart [J12], at 2 000 and 8 000 panels or
/// so: potential and velocity with their orders, and estimated over true errors, the worst of both norms.
std::vector<SuiteCheck> check_flows(bem::Backend& backend, int threads);

}  // namespace rankine::cases
