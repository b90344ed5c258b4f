// Iterative refinement around GMRES: the solution of an accurate system by a cheaper operator.
//
//   r = b - A x       with the accurate A
//   solve A' d = r    by GMRES with the cheap A'
//   x = x + d         and again
//
// Every round multiplies the residual by about max(tolerance of the inner solve, |A - A'|/|A|), so
// a summation in float reaches the accuracy of double after two or three accurate products
// [H02 ch. 12; CH18]. Several right-hand sides go through every round together, accurate products
// and inner solves alike.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/bem/krylov/gmres.hpp"

namespace rankine::bem {

/// Solves A x = b for `rhs` right-hand sides, `b` and `x` rhs x n, to the true residual
/// `options.tolerance`, relative to |b|, judged with `accurate`. `inner` is the cheap operator,
/// `inner_accuracy` its relative error: an inner solve goes no further than that. Iterations,
/// history and callback speak of inner iterations, residuals relative to |b|. `x` holds the initial
/// guesses and receives the solutions. It can be asked to stop as gmres() can. `preconditioner` is that of
/// gmres(), for the inner solves.
std::vector<GmresResult> refine(Backend& backend, int rhs, LinearOperator& accurate,
                                LinearOperator& inner, double inner_accuracy, const double* b,
                                double* x, const GmresOptions& options,
                                LinearOperator* preconditioner = nullptr);

/// The same for one right-hand side.
GmresResult refine(Backend& backend, LinearOperator& accurate, LinearOperator& inner,
                   double inner_accuracy, const double* b, double* x, const GmresOptions& options,
                   LinearOperator* preconditioner = nullptr);

}  // namespace rankine::bem
