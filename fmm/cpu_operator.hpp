// The summation operator on the processor: SIMD kernels, loops over threads.
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Strengths and results given to apply() are in host memory. Throws InputError for options outside
/// their ranges or points that are not finite.
std::unique_ptr<Operator> make_cpu_operator(const Points& points, const Options& options);

}  // namespace rankine::fmm
