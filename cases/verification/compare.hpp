// Compares a solution with the exact flow named in the table [verify] of the case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_fits.hpp"

namespace rankine::cases {

/// Errors against the exact solution.
struct VerifyResult {
  std::string exact;
  double potential_l2 = 0.0;  ///< area-weighted, relative to the exact perturbation potential
  double velocity_l2 = 0.0;   ///< area-weighted, relative to the exact surface velocity
  double velocity_max = 0.0;  ///< largest |U - exact| over the largest exact |U|
  /// Largest relative error of the coefficients k_i with U_i != 0.
  std::optional<double> added_mass;
  std::vector<std::string> exceeded;  ///< one sentence per exceeded limit
  bool pass() const { return exceeded.empty(); }
};

/// A warning if the mesh is not the body of the exact flow.
std::optional<std::string> warning_of_body(const VerifyInput& verify,
                                           const std::vector<Vec3d>& nodes);

/// Errors of the solution; empty if the case names no exact flow.
std::optional<VerifyResult> compare_with_exact(const VerifyInput& verify,
                                               const bem::FlowProblem& problem,
                                               const bem::Solution& solution,
                                               const bem::SurfaceFits& fits);

}  // namespace rankine::cases
