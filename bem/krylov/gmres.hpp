// Flexible GMRES(m) with right preconditioning [SS86, S93]:
//
//   minimise |b - A x| over x in x0 + span{M^-1 v_1, ..., M^-1 v_k}
//
// where the v are orthonormalised by classical Gram-Schmidt, applied twice.
//
// All vectors are in the backend's memory; per iteration only the Hessenberg column is copied to
// the host. Residuals are relative to |b|. The norm of the residual follows from the recurrence,
//
//   b - A x = V_(k+1) (beta e1 - H y) ,
//
// up to the rounding errors of products. Where these could matter, or products are approximate, and
// at every restart, b - A x is computed by a product.
//
// Several right-hand sides advance in lockstep: each has its own Krylov space and ends
// independently, but their products with A are computed together. The memory of the Krylov vectors
// is proportional to the number of right-hand sides.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/krylov/linear_system.hpp"

namespace rankine::bem {

struct GmresIteration {
  int iteration = 0;
  double residual = 0.0;  ///< estimated, relative to |b|
  double seconds = 0.0;   ///< since the solver began
  int rhs = 0;            ///< which right-hand side
};

enum class GmresStatus {
  converged,
  max_iterations,
  /// A whole cycle did not reduce the true residual.
  stagnated,
  /// The Krylov space is exhausted without a solution, or a product was not finite; x is the last
  /// finite iterate.
  breakdown,
  /// The callback or the Execution requested a stop; x is the current iterate.
  interrupted
};

/// One vector of a product with A.
struct ProductRequest {
  int rhs = 0;  ///< index of its right-hand side
  /// The relative accuracy that is sufficient: tolerance / current residual for a basis vector
  /// [BF05; for boundary elements WLB22]; 0 for an iterate x, whose product gives the true
  /// residual.
  double accuracy = 0.0;

  bool is_iterate() const { return accuracy == 0.0; }
};

/// The accuracy that is sufficient for all vectors of a product.
double least_accuracy(std::span<const ProductRequest> requests);

struct GmresOptions;
struct GmresResult;

/// A function like gmres().
using KrylovMethod = std::function<std::vector<GmresResult>(
    Backend& backend, int rhs, LinearOperator& matrix, const double* b, double* x,
    const GmresOptions& options, LinearOperator* preconditioner)>;

struct GmresOptions {
  double tolerance = 1e-6;   ///< true residual relative to |b|
  int max_iterations = 200;  ///< per right-hand side
  int restart = 200;
  /// Called after every iteration of every right-hand side; `false` stops all of them.
  std::function<bool(const GmresIteration&)> callback{};
  /// Called before every product with A, with its vectors in their order.
  std::function<void(std::span<const ProductRequest>)> before_product{};
  /// Called when x of a right-hand side has changed. The change is the sum of weights[k] v_k, where
  /// the v_k are the vectors multiplied for this right-hand side, in order, since its x was last
  /// multiplied or changed.
  std::function<void(int rhs, std::span<const double> weights)> after_update{};
  /// By how much a product may deviate from a linear map, relative to the norm of the result;
  /// infinite: products are as inaccurate as ProductRequest::accuracy allows.
  double product_error = 16.0 * std::numeric_limits<double>::epsilon();
  /// If this is not empty, gmres() calls it instead of its own implementation
  /// (bem/petsc/petsc.hpp).
  KrylovMethod method{};
};

struct GmresResult {
  GmresStatus status = GmresStatus::converged;
  int iterations = 0;
  double residual = 0.0;  ///< last estimate of the recurrence
  /// |b - A x| / |b| of the returned x, up to rounding errors (GmresOptions::product_error). If the
  /// solve was stopped or A x was not finite, the last estimate. Not finite if A x of the initial
  /// guess is not.
  double true_residual = 0.0;
  std::vector<double> history;  ///< estimates, iteration 0 (the initial guess) first
};

/// Solves A x = b, A n x n, for `rhs` right-hand sides. `b` and `x` are rhs x n; `x` holds the
/// initial guesses and receives the solutions. Every product of `matrix` includes all vectors that
/// are needed at that time, so the number of products is that of the slowest right-hand side.
/// `preconditioner` is M^-1, applied to one vector at a time; it may change from call to call;
/// null: none. Throws InputError for a tolerance, restart or iteration count out of range.
///
/// If the current Execution requests a stop, a running product is abandoned, x is set to the
/// iterate of the completed iterations, and no other product follows. If a right-hand side has no
/// completed iteration, the function throws Stopped.
std::vector<GmresResult> gmres(Backend& backend, int rhs, LinearOperator& matrix, const double* b,
                               double* x, const GmresOptions& options,
                               LinearOperator* preconditioner = nullptr);

/// The same for one right-hand side.
GmresResult gmres(Backend& backend, LinearOperator& matrix, const double* b, double* x,
                  const GmresOptions& options, LinearOperator* preconditioner = nullptr);

std::string_view to_string(GmresStatus status);

}  // namespace rankine::bem
