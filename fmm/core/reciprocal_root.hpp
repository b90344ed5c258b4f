// 1/sqrt(x) by one instruction sequence where the processor has one. Host and device.
#pragma once

#include <cmath>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine {

template <class T>
RANKINE_HD T reciprocal_root(T x) {
#ifdef __CUDA_ARCH__
  return rsqrt(x);
#else
  using std::sqrt;
  return T(1) / sqrt(x);
#endif
}

}  // namespace rankine
