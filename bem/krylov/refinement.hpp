// Iterative refinement around GMRES: it solves an accurate system with a cheaper operator.
//
//   r = b - A x       with the accurate A
//   solve A' d = r    by GMRES with the cheap A'
//   x = x + d         and repeat
//
// Every round reduces the residual by a factor of about max(tolerance of the inner solve, |A -
// A'|/|A|). So a solve with sums in float reaches the accuracy of double after two or three
// accurate products [H02 ch. 12; CH18]. Several right-hand sides share every round, both accurate
// products and inner solves.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/bem/krylov/gmres.hpp"

namespace rankine::bem {

/// Solves A x = b for `rhs` right-hand sides, `b` and `x` rhs x n, until the true residual with
/// `accurate`, relative to |b|, is below `options.tolerance`. `inner` is the cheap operator and
/// `inner_accuracy` its relative error, the smallest tolerance of inner solves. Iterations, history
/// and callback refer to inner iterations, with residuals relative to |b|. `x` holds the initial
/// guesses and receives the solutions. It stops as gmres() does. `preconditioner` is for the inner
/// solves.
std::vector<GmresResult> refine(Backend& backend, int rhs, LinearOperator& accurate,
                                LinearOperator& inner, double inner_accuracy, const double* b,
                                double* x, const GmresOptions& options,
                                LinearOperator* preconditioner = nullptr);

/// The same for one right-hand side.
GmresResult refine(Backend& backend, LinearOperator& accurate, LinearOperator& inner,
                   double inner_accuracy, const double* b, double* x, const GmresOptions& options,
                   LinearOperator* preconditioner = nullptr);

}  // namespace rankine::bem
