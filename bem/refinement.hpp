// Iterative refinement around GMRES: the solution of an accurate system by a cheaper operator.
//
//   r = b - A x  (accurate);   solve A' d = r by GMRES with the cheap A';   x += d;   repeat
//
// Every round multiplies the residual by about max(tolerance of the inner solve, |A - A'|/|A|), so
// a summation in float reaches the accuracy of double after two or three accurate products [Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), ch. 12; Carson & Higham, SIAM J.
// Sci. Comput. 40 (2018)].
#pragma once

#include <cstddef>

#include "bem/gmres.hpp"

namespace rankine::bem {

/// Solves A x = b to the true residual `options.tolerance`, relative to |b|, judged with
/// `accurate`. `inner` is the cheap operator, `inner_accuracy` its relative error: an inner solve
/// goes no further than that. Iterations, history and callback speak of inner iterations, residuals
/// relative to |b|. `x` holds the initial guess and receives the solution.
GmresResult refine(Backend& backend, std::size_t n, const LinearMap& accurate,
                   const LinearMap& inner, double inner_accuracy, const double* b, double* x,
                   const GmresOptions& options);

}  // namespace rankine::bem
