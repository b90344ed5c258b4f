#include "rankine/bem/krylov/gmres.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "rankine/bem/krylov/lockstep.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

void check(const GmresOptions& options) {
  if (!(options.tolerance > 0.0) || !(options.tolerance < 1.0)) {
    throw InputError("the solver tolerance is " + text_of(options.tolerance) +
                     "; give a number above 0 and below 1, such as 1e-6");
  }
  if (options.restart < 1) {
    throw InputError("the restart length is " + std::to_string(options.restart) +
                     "; give 1 or more, such as 50");
  }
  if (options.max_iterations < 0) {
    throw InputError("max_iterations is " + std::to_string(options.max_iterations) +
                     "; give 0 or more");
  }
}

}  // namespace

double least_accuracy(std::span<const ProductRequest> requests) {
  double least = std::numeric_limits<double>::infinity();
  for (const ProductRequest& each : requests) least = std::min(least, each.accuracy);
  return least;
}

std::vector<GmresResult> gmres(Backend& backend, int rhs, LinearOperator& matrix, const double* b,
                               double* x, const GmresOptions& options,
                               LinearOperator* preconditioner) {
  check(options);
  if (options.method) return options.method(backend, rhs, matrix, b, x, options, preconditioner);
  Lockstep lockstep(backend, matrix, options.before_product, preconditioner);
  for (int k = 0; k < rhs; ++k) {
    const std::size_t first = static_cast<std::size_t>(k) * matrix.rows();
    lockstep.add(b + first, x + first, options, k);
  }
  return lockstep.run();
}

GmresResult gmres(Backend& backend, LinearOperator& matrix, const double* b, double* x,
                  const GmresOptions& options, LinearOperator* preconditioner) {
  return gmres(backend, 1, matrix, b, x, options, preconditioner).front();
}

std::string_view to_string(GmresStatus status) {
  constexpr std::array words{"converged", "max_iterations", "stagnated", "breakdown",
                             "interrupted"};
  return words[static_cast<std::size_t>(status)];
}

}  // namespace rankine::bem
