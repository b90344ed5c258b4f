// SIMD vectors (packs) as wide as the registers of an instruction set, with the arithmetic of
// numbers: formulas written for a number compute several values at a time. Compilers keep wider
// vectors in memory, which makes loops three to seven times slower.
//
// This header and the kernels that include it are compiled once per instruction set, each time in
// the namespace RANKINE_SIMD, so that no function compiled for one processor can be linked into the
// code for another.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <type_traits>
#include <utility>

#include "rankine/fmm/kernels/pair_terms.hpp"

#define RANKINE_INLINE inline __attribute__((always_inline))

namespace rankine::fmm::RANKINE_SIMD {

/// Bytes of a SIMD register.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// Adds halves of the vector recursively; `i`: the lanes of a half.
template <class Vector, int... i>
RANKINE_INLINE auto sum_of_lanes(Vector v, std::integer_sequence<int, i...>) {
  constexpr int half = sizeof...(i);
  if constexpr (half == 1) {
    return v[0] + v[1];
  } else {
    return sum_of_lanes(
        __builtin_shufflevector(v, v, i...) + __builtin_shufflevector(v, v, (i + half)...),
        std::make_integer_sequence<int, half / 2>());
  }
}

/// The integers with as many bits as T.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == sizeof(float), std::int32_t, std::int64_t>;

/// The result of a comparison: all bits of a lane are set, or none.
template <class T>
struct PackMask {
  using Bits [[gnu::vector_size(register_bytes)]] = BitsOf<T>;

  Bits bits;

  friend RANKINE_INLINE PackMask operator&&(PackMask a, PackMask b) { return {a.bits & b.bits}; }
  friend RANKINE_INLINE PackMask operator||(PackMask a, PackMask b) { return {a.bits | b.bits}; }
  friend RANKINE_INLINE PackMask operator!(PackMask a) { return {~a.bits}; }
};

/// `width` numbers with the arithmetic of one.
template <class T>
struct Pack {
  static constexpr int width = register_bytes / static_cast<int>(sizeof(T));
  using Scalar = T;
  using Mask = PackMask<T>;
  using Vector [[gnu::vector_size(register_bytes)]] = T;

  Vector v;

  /// `Pack()` is zero; a Pack declared without initialiser is uninitialised.
  Pack() = default;
  RANKINE_INLINE Pack(Vector vector) : v(vector) {}
  /// (A template, since GCC takes T and Vector for one type here.)
  template <class Number>
  requires std::is_arithmetic_v<Number> RANKINE_INLINE Pack(Number s)
      : v(static_cast<T>(s) - Vector{}) {}  // compiles to a broadcast

  static RANKINE_INLINE Pack load(const T* p) {
    using Unaligned [[gnu::vector_size(register_bytes), gnu::aligned(sizeof(T)), gnu::may_alias]] =
        T;
    return Pack(*reinterpret_cast<const Unaligned*>(p));
  }
  RANKINE_INLINE void store(T* p) const {
    using Unaligned [[gnu::vector_size(register_bytes), gnu::aligned(sizeof(T)), gnu::may_alias]] =
        T;
    *reinterpret_cast<Unaligned*>(p) = v;
  }

  /// The first `count` lanes from memory, zero in the others.
  static RANKINE_INLINE Pack load_first(const T* p, int count) {
    if (count >= width) return load(p);
    Pack result{};
    for (int i = 0; i < count; ++i) result.v[i] = p[i];
    return result;
  }
  RANKINE_INLINE void store_first(T* p, int count) const {
    if (count >= width) return store(p);
    for (int i = 0; i < count; ++i) p[i] = v[i];
  }

  RANKINE_INLINE T sum() const {
    return sum_of_lanes(v, std::make_integer_sequence<int, width / 2>());
  }

  friend RANKINE_INLINE Pack operator+(Pack a, Pack b) { return a.v + b.v; }
  friend RANKINE_INLINE Pack operator-(Pack a, Pack b) { return a.v - b.v; }
  friend RANKINE_INLINE Pack operator*(Pack a, Pack b) { return a.v * b.v; }
  friend RANKINE_INLINE Pack operator/(Pack a, Pack b) { return a.v / b.v; }
  friend RANKINE_INLINE Pack operator-(Pack a) { return -a.v; }
  RANKINE_INLINE Pack& operator+=(Pack b) { return *this = *this + b; }
  RANKINE_INLINE Pack& operator-=(Pack b) { return *this = *this - b; }
  RANKINE_INLINE Pack& operator*=(Pack b) { return *this = *this * b; }
  friend RANKINE_INLINE Mask operator<(Pack a, Pack b) { return {a.v < b.v}; }
  friend RANKINE_INLINE Mask operator>(Pack a, Pack b) { return {a.v > b.v}; }
  friend RANKINE_INLINE Mask operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
  friend RANKINE_INLINE Mask operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
};

/// `a` in the lanes where the condition holds, `b` in the others.
template <class T>
RANKINE_INLINE Pack<T> select(PackMask<T> where, Pack<T> a, Pack<T> b) {
  return where.bits ? a.v : b.v;
}
template <class T>
RANKINE_INLINE bool any(PackMask<T> mask) {
  BitsOf<T> all = 0;
  for (int i = 0; i < Pack<T>::width; ++i) all |= mask.bits[i];
  return all != 0;
}

/// 1/sqrt(x) to about 1e-4 (AVX-512), 2e-7 (AVX2) or exactly; undefined for x = 0. The range is
/// that of float: the arguments are squared distances in units of the root box.
RANKINE_INLINE Pack<double> rsqrt_seed(Pack<double> x) {
  using P = Pack<double>;
#if defined(__AVX512F__)
  return P(
      reinterpret_cast<P::Vector>(_mm512_maskz_rsqrt14_pd(0xff, reinterpret_cast<__m512d>(x.v))));
#elif defined(__AVX2__)
  using Four [[gnu::vector_size(16)]] = float;
  const Four f = __builtin_convertvector(x.v, Four);
  Four y = reinterpret_cast<Four>(_mm_rsqrt_ps(reinterpret_cast<__m128>(f)));
  y = y * (1.5f - 0.5f * f * y * y);
  return P(reinterpret_cast<P::Vector>(_mm256_cvtps_pd(reinterpret_cast<__m128>(y))));
#else
  P y;
  for (int i = 0; i < P::width; ++i) y.v[i] = 1.0 / __builtin_sqrt(x.v[i]);
  return y;
#endif
}

RANKINE_INLINE Pack<float> rsqrt_seed(Pack<float> x) {
  using P = Pack<float>;
#if defined(__AVX512F__)
  return P(
      reinterpret_cast<P::Vector>(_mm512_maskz_rsqrt14_ps(0xffff, reinterpret_cast<__m512>(x.v))));
#elif defined(__AVX2__)
  return P(reinterpret_cast<P::Vector>(_mm256_rsqrt_ps(reinterpret_cast<__m256>(x.v))));
#else
  P y;
  for (int i = 0; i < P::width; ++i) y.v[i] = 1.0f / __builtin_sqrtf(x.v[i]);
  return y;
#endif
}

/// 1/sqrt(x), with Root::quick to about 5e-9; undefined where x = 0.
template <Root root>
RANKINE_INLINE Pack<double> rsqrt(Pack<double> x) {
  using P = Pack<double>;
  const P y = rsqrt_seed(x);
  const P e = P(1.0) - x * y * y;
  if constexpr (root == Root::quick) return y + y * e * 0.5;
  return y + y * e * (((e * (5.0 / 16.0)) + (3.0 / 8.0)) * e + 0.5);
}

template <Root>
RANKINE_INLINE Pack<float> rsqrt(Pack<float> x) {
  using P = Pack<float>;
  const P y = rsqrt_seed(x);
  const P e = P(1.0f) - x * y * y;
  return y + y * e * 0.5f;
}

/// `value` if x is not zero, otherwise zero.
template <class T>
RANKINE_INLINE Pack<T> where_nonzero(Pack<T> x, Pack<T> value) {
  const typename Pack<T>::Vector zero{};
  return x.v != zero ? value.v : zero;
}

// The functions of fmm/kernels/elementary.hpp that packs compute in another way.

/// Adding an integer to this number stores the integer in its last bits.
template <class T>
inline constexpr T whole_numbers = sizeof(T) == sizeof(float) ? T(0x1.8p23) : T(0x1.8p52);

template <class T>
RANKINE_INLINE Pack<T> nearest_whole(Pack<T> x) {
  return (x + whole_numbers<T>)-whole_numbers<T>;
}

template <class T>
RANKINE_INLINE Pack<T> power_of_two(Pack<T> k) {
  using Bits = typename PackMask<T>::Bits;
  constexpr BitsOf<T> bias = sizeof(T) == sizeof(float) ? 127 : 1023,
                      fraction = sizeof(T) == sizeof(float) ? 23 : 52;
  const auto bits = reinterpret_cast<Bits>((k + whole_numbers<T>).v);
  return reinterpret_cast<typename Pack<T>::Vector>((bits + bias) << fraction);
}

/// Exchanges the blocks of `step` lanes off the diagonal between rows i and i + step.
template <int step, class T, int... k>
RANKINE_INLINE void exchange(Pack<T>& a, Pack<T>& b, std::integer_sequence<int, k...>) {
  constexpr int width = Pack<T>::width;
  const auto low = a.v, high = b.v;
  a.v = __builtin_shufflevector(low, high, ((k & step) != 0 ? width + k - step : k)...);
  b.v = __builtin_shufflevector(low, high, ((k & step) != 0 ? width + k : k + step)...);
}

/// Transposes the width x width scalars held in `rows`.
template <class T, int step = 1>
RANKINE_INLINE void transpose(Pack<T>* rows) {
  constexpr int width = Pack<T>::width;
  for (int i = 0; i < width; ++i) {
    if ((i & step) != 0) continue;
    exchange<step>(rows[i], rows[i + step], std::make_integer_sequence<int, width>());
  }
  if constexpr (2 * step < width) transpose<T, 2 * step>(rows);
}

}  // namespace rankine::fmm::RANKINE_SIMD
