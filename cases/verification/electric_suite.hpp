// Checks of `rankine verify --all`: conductors and dielectrics against exact solutions.
#pragma once

#include <vector>

#include "cases/verification/suite.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// Ellipsoids from 1:1:1 to 10:1:1 and 1:1:0.1, two spheres a hundredth of a radius apart and at distance 3
/// of their centres: 0.2 %; the torus 2:1: 0.1 %; the unit cube with graded panels: 0.05 % [HP13]; the matrix
/// of five bodies symmetric to 1e-4.
std::vector<SuiteCheck> check_capacitances(bem::Backend& backend, int threads);

/// Polarizability and inner field of spheres in a uniform field, permittivities 0.01 to 1000 times that
/// around, and of a coated one; the capacitance of a conductor in a shell; the field of a charge beside a
/// sphere: 0.2 % [J99 sec. 4.4]. The matrix of five conductors in a dielectric symmetric to 1e-4.
std::vector<SuiteCheck> check_dielectrics(bem::Backend& backend, int threads);

}  // namespace rankine::cases
