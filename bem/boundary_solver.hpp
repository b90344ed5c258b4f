// Solves boundary problems (bem/boundary_problem.hpp) that have the same discretized surface and
// integral equation and different known values. Near corrections, sums and preconditioner are set
// up once, and GMRES starts from the previous solution.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/krylov/late_preconditioner.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/system_solver.hpp"

namespace rankine::bem {

/// How often a solver will be used. With `one` it frees near corrections as soon as the solve no
/// longer needs them; a second solve would integrate them again.
enum class Uses { one, many };

class BoundarySolver {
 public:
  /// A solver for at most `most_rhs` right-hand sides at a time. `discretization` and `backend`
  /// must outlive the object. Throws InputError for options that do not fit.
  BoundarySolver(const Discretization& discretization, BoundaryFormulation formulation,
                 int most_rhs, const SolveOptions& options, Backend& backend, Uses uses);

  /// Solves for known values, rhs x rows. The first solve starts from the initial guess of the
  /// options, later ones from the previous solution. The result has no potential and no flux until
  /// evaluate() is called. The first solve sets up everything, checks the sums and builds them
  /// again if they do not meet their tolerance (bem/layers/far_field_check.hpp); later solves use
  /// them unchanged. Throws as solve() in bem/boundary_problem.hpp.
  BoundarySolution solve(std::span<const double> known);
  /// Adds potential and flux to the last solution; call it once. If it is requested to stop, the
  /// solution has no potential.
  void evaluate(BoundarySolution& solution);

  /// Sets the start of the next solve, rhs x unknowns; empty: zero. Throws InputError for another
  /// number of values.
  void start_from(std::span<const double> unknown);
  std::vector<double> start() const;
  /// The next solves have this tolerance, start from zero and report nothing.
  void estimate_with(double tolerance) {
    options_.gmres.tolerance = tolerance;
    options_.gmres.callback = {};
    options_.stage = {};
    start_from({});
  }

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
  LatePreconditioner* late_ = nullptr;       ///< `preconditioner_`, if it is one that may be made
                                             ///< later
  std::optional<FarField> far_, inner_far_;  ///< none before the first solve
  std::optional<FarFieldCheck> check_;
  Array x_;
  BoundarySolution zeros_;  ///< vectors for the next results
  // State of the last solve.
  int rhs_ = 0;
  AlignedVector<double> known_;
  Array near_b_, near_potential_;  ///< near corrections of the known values
  Array b_, potential_;            ///< A x = b; the potential, at first that of the known values
};

}  // namespace rankine::bem
