// SIMD vectors with the arithmetic of numbers. The formulas of bem/panels are instantiated with
// them to integrate several panels at a time. Compiled once per instruction set, in the namespace
// RANKINE_SIMD.
#pragma once

#include <bit>
#include <cstdint>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::bem::RANKINE_SIMD {

using Doubles = fmm::RANKINE_SIMD::Pack<double>::Vector;
using Bits [[gnu::vector_size(sizeof(Doubles))]] = std::int64_t;

/// The result of a comparison: all bits of a lane are set, or none.
struct LaneMask {
  Bits bits;
  friend RANKINE_INLINE LaneMask operator&&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
  friend RANKINE_INLINE LaneMask operator||(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
  friend RANKINE_INLINE LaneMask operator!(LaneMask a) { return {~a.bits}; }
};

struct Lanes {
  static constexpr int width = fmm::RANKINE_SIMD::Pack<double>::width;
  Doubles v;

  RANKINE_INLINE Lanes() : v{} {}
  RANKINE_INLINE Lanes(double s) : v(Doubles{} + s) {}
  RANKINE_INLINE explicit Lanes(Doubles d) : v(d) {}
  static RANKINE_INLINE Lanes load(const double* p) {
    return Lanes(fmm::RANKINE_SIMD::Pack<double>::load(p).v);
  }
  RANKINE_INLINE void store(double* p) const { fmm::RANKINE_SIMD::Pack<double>(v).store(p); }

  friend RANKINE_INLINE Lanes operator+(Lanes a, Lanes b) { return Lanes(a.v + b.v); }
  friend RANKINE_INLINE Lanes operator-(Lanes a, Lanes b) { return Lanes(a.v - b.v); }
  friend RANKINE_INLINE Lanes operator*(Lanes a, Lanes b) { return Lanes(a.v * b.v); }
  friend RANKINE_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(a.v / b.v); }
  friend RANKINE_INLINE Lanes operator-(Lanes a) { return Lanes(-a.v); }
  RANKINE_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  RANKINE_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  RANKINE_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }
  friend RANKINE_INLINE LaneMask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  friend RANKINE_INLINE LaneMask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
  friend RANKINE_INLINE LaneMask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
  friend RANKINE_INLINE LaneMask operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }
};

RANKINE_INLINE Lanes select(LaneMask where, Lanes a, Lanes b) {
  return Lanes(where.bits ? a.v : b.v);
}
RANKINE_INLINE bool any(LaneMask mask) {
  std::int64_t all = 0;
  for (int i = 0; i < Lanes::width; ++i) all |= mask.bits[i];
  return all != 0;
}
RANKINE_INLINE Lanes max(Lanes a, Lanes b) { return select(a < b, b, a); }
RANKINE_INLINE Lanes min(Lanes a, Lanes b) { return select(b < a, b, a); }

namespace detail {
RANKINE_INLINE Bits bits_of(Lanes a) { return reinterpret_cast<Bits>(a.v); }
RANKINE_INLINE Lanes of_bits(Bits b) { return Lanes(reinterpret_cast<Doubles>(b)); }
inline constexpr std::int64_t sign_bit = std::bit_cast<std::int64_t>(-0.0);
}  // namespace detail

RANKINE_INLINE Lanes abs(Lanes a) {
  return detail::of_bits(detail::bits_of(a) & ~detail::sign_bit);
}
RANKINE_INLINE Lanes copysign(Lanes size, Lanes sign) {
  return detail::of_bits((detail::bits_of(size) & ~detail::sign_bit) |
                         (detail::bits_of(sign) & detail::sign_bit));
}

RANKINE_INLINE Lanes sqrt(Lanes a) {
#if defined(__AVX512F__)
  return Lanes(
      reinterpret_cast<Doubles>(_mm512_maskz_sqrt_pd(0xff, reinterpret_cast<__m512d>(a.v))));
#elif defined(__AVX2__)
  return Lanes(reinterpret_cast<Doubles>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(a.v))));
#else
  Lanes root;
  for (int i = 0; i < Lanes::width; ++i) root.v[i] = __builtin_sqrt(a.v[i]);
  return root;
#endif
}

RANKINE_INLINE Lanes norm(const Vec3<Lanes>& a) { return sqrt(dot(a, a)); }

/// sum_i coefficients[i] x^i
template <std::size_t n>
RANKINE_INLINE Lanes series(const double (&coefficients)[n], Lanes x) {
  Lanes sum(coefficients[n - 1]);
  for (std::size_t i = n - 1; i > 0; --i) sum = sum * x + coefficients[i - 1];
  return sum;
}

/// ln(1 + x) for x >= 0 to a few units in the last place: 2 artanh(s) for the mantissa of 1 + x,
/// plus a term for the rounding error of 1 + x. The series is the Chebyshev interpolant of
/// artanh(s)/s for s^2 <= 0.0295, to 2e-18.
RANKINE_INLINE Lanes log1p(Lanes x) {
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
  const Lanes whole = Lanes(1.0) + x, lost = (x - (whole - Lanes(1.0))) / whole;
  const Bits bits = detail::bits_of(whole);
  Lanes m = detail::of_bits((bits & fraction) | (bias << 52));
  Lanes exponent(__builtin_convertvector((bits >> 52) - bias, Doubles));
  const LaneMask large = m > Lanes(1.41421356237309505);
  m = select(large, m * 0.5, m);
  exponent = select(large, exponent + 1.0, exponent);
  const Lanes s = (m - 1.0) / (m + 1.0);
  return exponent * ln2_high + (2.0 * s * series(artanh, s * s) + (exponent * ln2_low + lost));
}

/// The angle of (x, y) to a few units in the last place; 0 at the origin. The series is the
/// Chebyshev interpolant of arctan(t)/t for t^2 <= tan^2(pi/8), to 2e-18.
RANKINE_INLINE Lanes atan2(Lanes y, Lanes x) {
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
  const Lanes a = abs(x), b = abs(y), longer = max(a, b), shorter = min(a, b);
  const LaneMask beyond = shorter > longer * eighth;
  const Lanes above = select(beyond, shorter - longer, shorter),
              below = select(beyond, shorter + longer, longer);
  const Lanes t = above / select(below > Lanes(0.0), below, Lanes(1.0));
  Lanes angle = t * series(arctan, t * t) + select(beyond, Lanes(0.25 * pi), Lanes(0.0));
  angle = select(b > a, Lanes(0.5 * pi) - angle, angle);
  angle = select(x < Lanes(0.0), Lanes(pi) - angle, angle);
  return copysign(angle, y);
}

}  // namespace rankine::bem::RANKINE_SIMD
