// Solves boundary problems (bem/boundary_problem.hpp) that share a discretized surface and an
// integral equation and differ in their known values: near corrections, sums and preconditioner are
// made once, and GMRES starts from the last solution.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/system_solver.hpp"

namespace rankine::bem {

/// How often a solver will be used. For one solve it releases near corrections as soon as that
/// solve needs them no more; a second solve would integrate them again.
enum class Uses { one, many };

class BoundarySolver {
 public:
  /// For at most `most_rhs` right-hand sides at a time. `discretization` and `backend` must outlive
  /// the object. Throws InputError for options that do not fit.
  BoundarySolver(const Discretization& discretization, BoundaryFormulation formulation,
                 int most_rhs, const SolveOptions& options, Backend& backend, Uses uses);

  /// Solves for known values, rhs x rows, from the present unknown on: at first the initial guess of
  /// the options, then the last solution. What comes back has no potential, and no flux that layers
  /// of the solution give, until evaluate(). The first solve prepares everything, measures the sums
  /// and builds them anew where they do not keep their tolerance (bem/layers/far_field_check.hpp);
  /// later ones use them as they are. Throws as solve() in bem/boundary_problem.hpp.
  BoundarySolution solve(std::span<const double> known);
  /// Adds what follows from the last solution, once. Asked to stop, it leaves it without a potential.
  void evaluate(BoundarySolution& solution);

  /// From where the next solve starts, rhs x unknowns; empty: from zero. Throws InputError for
  /// another number.
  void start_from(std::span<const double> unknown);
  std::vector<double> start() const;

 private:
  void check(std::span<const double> known) const;
  void assemble();
  void precondition();
  void sum_known();
  std::vector<double> solve_system(SystemSolver& solver);
  std::size_t sized(std::size_t per_rhs) const { return per_rhs * static_cast<std::size_t>(rhs_); }

  Backend& backend_;
  BoundaryFormulation formulation_;
  SolveOptions options_;
  int most_rhs_;
  Uses uses_;
  LayerSet layers_;
  Preconditioner chosen_;
  std::unique_ptr<LinearOperator> preconditioner_;
  std::optional<FarField> far_, inner_far_;  ///< none before the first solve
  std::optional<FarFieldCheck> check_;
  Array x_;
  // Of the last solve.
  int rhs_ = 0;
  std::vector<double> known_;
  Array near_b_, near_potential_;  ///< near corrections of the known values
  Array b_, potential_;            ///< A x = b; the potential, at first that of the known values
};

}  // namespace rankine::bem
