// The error of an operator's results at some of its targets, from direct sums. It is relative, as
// promised in fmm/operator.hpp, to the results or to sums with random signs, whichever is larger:
//
//   e^2 = sum_i |found_i - exact_i|^2 / max( sum_i |exact_i|^2 , sum_i sum_j |term of j at i|^2 ) .
#pragma once

#include <cstddef>
#include <span>

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Zero for results that were not passed. For vortices the value is the velocity.
struct SampledErrors {
  double value = 0.0, derivative = 0.0;

  double largest() const { return value > derivative ? value : derivative; }
};

/// For one right-hand side of charges or vortices; all arrays are on the host. `found`: results at
/// all targets of `points`, potential and gradient or velocity and its gradient; empty ones are not
/// compared. `sampled`: indices of targets. The direct sums are in double and take about 10 ns per
/// pair.
SampledErrors sampled_errors(const Points& points, const Options& options,
                             const Strengths& strengths, const Results& found,
                             std::span<const std::size_t> sampled);

}  // namespace rankine::fmm
