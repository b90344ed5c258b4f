// By how much the results of an operator differ from direct sums at some of its targets, in the sense of the
// promise in fmm/operator.hpp: relative to the larger of the results there and what their terms add up to when
// signs are random,
//
//   e^2 = sum_i |found_i - exact_i|^2 / max( sum_i |exact_i|^2 , sum_i sum_j |term of j at i|^2 ) .
#pragma once

#include <cstddef>
#include <span>

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Zero where nothing was found. Of vortices the value is the velocity.
struct SampledErrors {
  double value = 0.0, derivative = 0.0;

  double largest() const { return value > derivative ? value : derivative; }
};

/// Of charges, or of vortices, for one right-hand side; all arrays on the host. `found` are results at all targets of
/// `points`: potential and gradient, or velocity and its gradient; empty ones are not compared. `sampled`: indices of
/// targets. Direct sums in double, one pair at a time: some 10 ns each.
SampledErrors sampled_errors(const Points& points, const Options& options,
                             const Strengths& strengths, const Results& found,
                             std::span<const std::size_t> sampled);

}  // namespace rankine::fmm
