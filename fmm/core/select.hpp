// Selection between two values by a condition, for single numbers; fmm/simd/pack.hpp has overloads
// for SIMD packs. Host and device.
#pragma once

#include <utility>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine {

/// The type of a comparison of two T.
template <class T>
using Mask = decltype(std::declval<T>() > std::declval<T>());

/// `a` if the condition holds, otherwise `b`; both are evaluated.
template <class T>
RANKINE_HD_INLINE T select(bool where, T a, T b) {
  return where ? a : b;
}

RANKINE_HD_INLINE bool any(bool condition) { return condition; }

}  // namespace rankine
