// Choices that formulas make by numbers, for one number and, with overloads that are found by their arguments, for
// numbers in SIMD lanes. Host and device.
#pragma once

#include <utility>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine {

/// What comparisons of numbers T give.
template <class T>
using Mask = decltype(std::declval<T>() > std::declval<T>());

/// `a` where the condition holds, else `b`; both are evaluated.
template <class T>
RANKINE_HD T select(bool where, T a, T b) {
  return where ? a : b;
}

RANKINE_HD inline bool any(bool condition) { return condition; }

}  // namespace rankine
