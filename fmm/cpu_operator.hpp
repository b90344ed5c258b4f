// The operator on the CPU.
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Builds the CPU operator. Throws InputError for a tolerance outside its range or points that are
/// not finite.
std::unique_ptr<Operator> make_cpu_operator(const Points& points, const Options& options);

}  // namespace rankine::fmm
