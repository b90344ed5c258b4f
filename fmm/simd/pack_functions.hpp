// Elementary functions of packs of doubles, which the closed forms of panel integrals need.
#pragma once

#include <bit>
#include <cstdint>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/kernels/elementary.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

using Doubles = Pack<double>;

RANKINE_INLINE Doubles max(Doubles a, Doubles b) { return select(a < b, b, a); }
RANKINE_INLINE Doubles min(Doubles a, Doubles b) { return select(b < a, b, a); }

namespace detail {
RANKINE_INLINE auto bits_of(Doubles a) { return reinterpret_cast<PackMask<double>::Bits>(a.v); }
RANKINE_INLINE Doubles of_bits(PackMask<double>::Bits b) {
  return reinterpret_cast<Doubles::Vector>(b);
}
inline constexpr std::int64_t sign_bit = std::bit_cast<std::int64_t>(-0.0);
}  // namespace detail

RANKINE_INLINE Doubles abs(Doubles a) {
  return detail::of_bits(detail::bits_of(a) & ~detail::sign_bit);
}
RANKINE_INLINE Doubles copysign(Doubles size, Doubles sign) {
  return detail::of_bits((detail::bits_of(size) & ~detail::sign_bit) |
                         (detail::bits_of(sign) & detail::sign_bit));
}

RANKINE_INLINE Doubles sqrt(Doubles a) {
#if defined(__AVX512F__)
  return Doubles(reinterpret_cast<Doubles::Vector>(
      _mm512_maskz_sqrt_pd(0xff, reinterpret_cast<__m512d>(a.v))));
#elif defined(__AVX2__)
  return Doubles(reinterpret_cast<Doubles::Vector>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(a.v))));
#else
  Doubles root;
  for (int i = 0; i < Doubles::width; ++i) root.v[i] = __builtin_sqrt(a.v[i]);
  return root;
#endif
}

RANKINE_INLINE Doubles norm(const Vec3<Doubles>& a) { return sqrt(dot(a, a)); }

/// ln(1 + x) for x >= 0 to a few units in the last place: 2 artanh(s) for the mantissa of 1 + x,
/// plus a term for the rounding error of 1 + x. The series is the Chebyshev interpolant of
/// artanh(s)/s for s^2 <= 0.0295, to 2e-18.
RANKINE_INLINE Doubles log1p(Doubles x) {
  constexpr double artanh[] = {1.0,
                               3.33333333333338255e-01,
                               1.99999999996511690e-01,
                               1.42857143803208408e-01,
                               1.11110985283630240e-01,
                               9.09181584011466426e-02,
                               7.65626407418209531e-02,
                               7.40485518032763801e-02};
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  constexpr std::int64_t bias = 1023, fraction = (std::int64_t{1} << 52) - 1;
  const Doubles whole = Doubles(1.0) + x, lost = (x - (whole - Doubles(1.0))) / whole;
  const auto bits = detail::bits_of(whole);
  Doubles m = detail::of_bits((bits & fraction) | (bias << 52));
  Doubles exponent(__builtin_convertvector((bits >> 52) - bias, Doubles::Vector));
  const PackMask<double> large = m > Doubles(1.41421356237309505);
  m = select(large, m * 0.5, m);
  exponent = select(large, exponent + 1.0, exponent);
  const Doubles s = (m - 1.0) / (m + 1.0);
  return exponent * ln2_high + (2.0 * s * polynomial(artanh, s * s) + (exponent * ln2_low + lost));
}

/// The angle of (x, y) to a few units in the last place; 0 at the origin. The series is the
/// Chebyshev interpolant of arctan(t)/t for t^2 <= tan^2(pi/8), to 2e-18.
RANKINE_INLINE Doubles atan2(Doubles y, Doubles x) {
  constexpr double arctan[] = {1.0,
                               -3.33333333333331205e-01,
                               1.99999999999408928e-01,
                               -1.42857142792502445e-01,
                               1.11111107449196583e-01,
                               -9.09089680906402658e-02,
                               7.69204533090222520e-02,
                               -6.66295181362919070e-02,
                               5.84687829733087222e-02,
                               -5.03510245660155203e-02,
                               3.79652574538659332e-02,
                               -1.78053972054194459e-02};
  constexpr double pi = 3.14159265358979324, eighth = 0.414213562373095049;  // tan(pi/8)
  const Doubles a = abs(x), b = abs(y), longer = max(a, b), shorter = min(a, b);
  const PackMask<double> beyond = shorter > longer * eighth;
  const Doubles above = select(beyond, shorter - longer, shorter),
                below = select(beyond, shorter + longer, longer);
  const Doubles t = above / select(below > Doubles(0.0), below, Doubles(1.0));
  Doubles angle = t * polynomial(arctan, t * t) + select(beyond, Doubles(0.25 * pi), Doubles(0.0));
  angle = select(b > a, Doubles(0.5 * pi) - angle, angle);
  angle = select(x < Doubles(0.0), Doubles(pi) - angle, angle);
  return copysign(angle, y);
}

}  // namespace rankine::fmm::RANKINE_SIMD
