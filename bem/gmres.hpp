// Flexible GMRES(m) with right preconditioning [Saad & Schultz 1986; Saad, SIAM J. Sci. Comput. 14
// (1993)]:
//
//   minimise |b - A x| over x0 + span{M^-1 v_1, ..., M^-1 v_k} ,  v orthonormal by classical
//   Gram-Schmidt, twice.
//
// All vectors live in the backend's memory; per iteration only the Hessenberg column comes to the
// host. Residuals are relative to |b|. The residual estimated by the recurrence is checked against
// b - A x at every restart and at the end.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "bem/backend.hpp"

namespace rankine::bem {

/// y = A x, both in the backend's memory, not overlapping.
using LinearMap = std::function<void(const double* x, double* y)>;

struct GmresIteration {
  int iteration = 0;
  double residual = 0.0;  ///< estimated, relative to |b|
  double seconds = 0.0;   ///< since gmres() began
};

enum class GmresStatus {
  converged,
  max_iterations,
  stagnated,   ///< a whole cycle did not reduce the true residual
  breakdown,   ///< the Krylov space is exhausted and the system still unsolved, or a value is not
               ///< finite
  interrupted  ///< the callback asked to stop; x holds the current iterate
};

struct GmresOptions {
  double tolerance = 1e-6;  ///< true residual relative to |b|
  int max_iterations = 200;
  int restart = 50;
  /// Called after every iteration; false stops.
  std::function<bool(const GmresIteration&)> callback{};
  /// Called before every product A v with the relative accuracy that suffices for it: 0, as
  /// accurate as there is, for true residuals; tolerance / current residual within a cycle [Bouras
  /// & Fraysse, SIAM J. Matrix Anal. Appl. 26 (2005); for boundary elements WLB22].
  std::function<void(double)> accuracy{};
};

struct GmresResult {
  GmresStatus status = GmresStatus::converged;
  int iterations = 0;
  double residual = 0.0;        ///< last estimate of the recurrence
  double true_residual = 0.0;   ///< |b - A x| / |b| of the x returned
  std::vector<double> history;  ///< estimates, iteration 0 (the initial guess) first
};

/// Solves A x = b of size n. `x` holds the initial guess and receives the solution.
/// `preconditioner` applies M^-1 and may change from call to call; empty: none. Throws InputError
/// for a tolerance, restart or iteration count out of range.
GmresResult gmres(Backend& backend, std::size_t n, const LinearMap& matrix, const double* b,
                  double* x, const GmresOptions& options, const LinearMap& preconditioner = {});

std::string_view to_string(GmresStatus status);

}  // namespace rankine::bem
