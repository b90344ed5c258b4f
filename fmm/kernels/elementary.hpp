// Elementary functions for regularised kernels, of double and float on host and device and of SIMD
// packs, for which fmm/simd/pack.hpp overloads some of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "rankine/fmm/core/select.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

template <class T>
concept RealNumber = std::is_floating_point_v<T>;

template <class T>
RANKINE_HD_INLINE T lesser(T a, T b) {
  return select(a < b, a, b);
}

/// The nearest integer, for |x| below 2^21.
template <RealNumber T>
RANKINE_HD_INLINE T nearest_whole(T x) {
#ifdef __CUDA_ARCH__
  return rint(x);
#else
  return std::nearbyint(x);
#endif
}

/// 2^k for integer k from -126 to 127.
template <RealNumber T>
RANKINE_HD_INLINE T power_of_two(T k) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == sizeof(float)) {
    return __int_as_float((static_cast<int>(k) + 127) << 23);
  } else {
    return __hiloint2double((static_cast<int>(k) + 1023) << 20, 0);
  }
#else
  return std::ldexp(T(1), static_cast<int>(k));
#endif
}

/// sum_i coefficients[i] x^i
template <std::size_t from = 0, class T, std::size_t n>
RANKINE_HD_INLINE T polynomial(const Scalar<T> (&coefficients)[n], const T& x) {
  if constexpr (from + 1 == n) {
    return T{} + coefficients[from];
  } else {
    return polynomial<from + 1, T>(coefficients, x) * x + coefficients[from];
  }
}

#ifdef __CUDA_ARCH__
// Results of the device's special function unit, to two units in the last place. Subnormal numbers
// are treated as zero.
__device__ inline float hardware_power_of_two(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}
__device__ inline float hardware_inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
#endif

/// e^x = scale (1 + reduced + quadratic), in parts that avoid the cancellation of 1 - e^x: for |x|
/// up to ln(2)/2, `scale` is 1 and `reduced` is x; `quadratic` is about x^2/2.
template <class T>
struct Exponential {
  T scale, reduced, quadratic;

  /// For x from -80 to 0, to two units in the last place. [CW80] Cody & Waite, Software manual for
  /// the elementary functions, ch. 6: ln 2 in two parts; Taylor polynomial of degree 7 (float) or
  /// 13 (double).
  RANKINE_HD_INLINE explicit Exponential(const T& x) {
    using S = Scalar<T>;
    constexpr bool single = sizeof(S) == sizeof(float);
    constexpr S high = single ? S(0.693359375) : S(6.93147180369123816490e-01),
                low = single ? S(-2.12194440e-4) : S(1.90821492927058770002e-10);
    const T k = nearest_whole(x * S(1.44269504088896340736));
    scale = power_of_two(k);
    reduced = (x - k * high) - k * low;
    const auto series = [&] {
      if constexpr (single) {
        constexpr S inverse_factorial[] = {S(1.0 / 2),   S(1.0 / 6),   S(1.0 / 24),
                                           S(1.0 / 120), S(1.0 / 720), S(1.0 / 5040)};
        return polynomial(inverse_factorial, reduced);
      } else {
        constexpr S inverse_factorial[] = {
            S(1.0 / 2),       S(1.0 / 6),        S(1.0 / 24),        S(1.0 / 120),
            S(1.0 / 720),     S(1.0 / 5040),     S(1.0 / 40320),     S(1.0 / 362880),
            S(1.0 / 3628800), S(1.0 / 39916800), S(1.0 / 479001600), S(1.0 / 6227020800)};
        return polynomial(inverse_factorial, reduced);
      }
    };
    quadratic = reduced * reduced * series();
  }

  RANKINE_HD_INLINE T value() const { return scale * (reduced + quadratic) + scale; }
  /// 1 - e^x
  RANKINE_HD_INLINE T fall() const {
    return (-scale + Scalar<T>(1)) - scale * (reduced + quadratic);
  }
};

}  // namespace rankine::fmm
