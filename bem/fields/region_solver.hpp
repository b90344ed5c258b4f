// Solves the equations of a region (bem/fields/boundary_fields.hpp). With sheets it can solve again
// for other values of the sheets' equations, to estimate errors of their strengths.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/boundary_solver.hpp"
#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/fmm/core/mirrored.hpp"

namespace rankine::bem {

class RegionSolver {
 public:
  /// The region, `options` and `backend` must outlive the object. Throws InputError as solve()
  /// does.
  RegionSolver(RegionProblem problem, const RegionOptions& options, Backend& backend, Uses uses);

  std::vector<RegionSolution> solve();
  /// After solve(): solves again with these values added to `sheet_known`, from the last solution.
  std::vector<RegionSolution> solve_with_added(std::span<const double> sheet_known);
  /// After solve(): the strengths of sheets, rhs x sheet unknowns, with these values of
  /// `sheet_known` and zero on the boundary. Their relative error is about `tolerance`.
  std::vector<double> sheets_of(std::span<const double> sheet_known, double tolerance);

 private:
  std::vector<double> known() const;
  /// `between`: panels_between_edges().
  void find_edge_slopes(std::span<const std::int32_t> between, RegionSolution& solution) const;

  RegionProblem problem_;
  const RegionOptions& options_;
  MirrorHold held_;
  std::unique_ptr<const Discretization> discretization_;
  std::vector<EdgeStrength> edges_;
  double seconds_ = 0.0;  ///< of the discretization
  std::unique_ptr<BoundarySolver> solver_;
};

}  // namespace rankine::bem
