// P2M, P2L, L2P and M2P: harmonics at points across SIMD lanes, summed into or with expansions.
#pragma once

#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

/// R or S of order `order` at one pack of points; the S come from R at the inverted point:
///   S(r) = R(r/|r|^2) / |r|
template <class T>
RANKINE_INLINE void harmonics_at(Harmonic kind, const RecursionTable<T>& table, int order,
                                 Pack<T> x, Pack<T> y, Pack<T> z, Pack<T>* out) {
  using P = Pack<T>;
  if (kind == Harmonic::regular) {
    regular_harmonics<T, P>(table, order, x, y, z, out);
    return;
  }
  const P r2 = x * x + y * y + z * z;
  const P u = where_nonzero(r2, rsqrt<Root::precise>(r2));
  const P u2 = u * u;
  regular_harmonics<T, P>(table, order, x * u2, y * u2, z * u2, out);
  for (int k = 0; k < order * order; ++k) out[k] = out[k] * u;
}

template <class T>
void accumulate(Harmonic kind, const RecursionTable<T>& table, int order, const T* x, const T* y,
                const T* z, std::int32_t count, const T* origin, T scale, const T* const* strengths,
                int sets, T* out) {
  using P = Pack<T>;
  constexpr int width = P::width, max_sets = 4;
  const int size = order * order;
  P values[max_order * max_order];
  P sums[max_sets][max_order * max_order];
  for (std::int32_t i = 0; i < count; i += width) {
    const int lanes = count - i;
    harmonics_at<T>(kind, table, order, (P::load(x + i) + (-origin[0])) * scale,
                    (P::load(y + i) + (-origin[1])) * scale,
                    (P::load(z + i) + (-origin[2])) * scale, values);
    for (int s = 0; s < sets; ++s) {
      const P q = P::load_first(strengths[s] + i, lanes);
      if (i == 0) {
        for (int k = 0; k < size; ++k) sums[s][k] = q * values[k];
      } else {
        for (int k = 0; k < size; ++k) sums[s][k] += q * values[k];
      }
    }
  }
  if (count == 0) return;
  for (int s = 0; s < sets; ++s) {
    for (int k = 0; k < size; ++k) out[s * size + k] += sums[s][k].sum();
  }
}

template <class T>
void evaluate(Harmonic kind, const RecursionTable<T>& table, int order, const T* x, const T* y,
              const T* z, std::int32_t count, const T* origin, T scale,
              const T* const* coefficients, const int* orders, const T* weights, int sets,
              T* const* results) {
  using P = Pack<T>;
  constexpr int width = P::width;
  P values[max_order * max_order];
  for (std::int32_t i = 0; i < count; i += width) {
    const int lanes = count - i;
    harmonics_at<T>(kind, table, order, (P::load(x + i) + (-origin[0])) * scale,
                    (P::load(y + i) + (-origin[1])) * scale,
                    (P::load(z + i) + (-origin[2])) * scale, values);
    for (int s = 0; s < sets; ++s) {
      const int size = orders[s] * orders[s];
      P sum[4] = {};
      int k = 0;
      for (; k + 4 <= size; k += 4) {
        for (int lane = 0; lane < 4; ++lane)
          sum[lane] += values[k + lane] * coefficients[s][k + lane];
      }
      for (; k < size; ++k) sum[0] += values[k] * coefficients[s][k];
      const P total = ((sum[0] + sum[1]) + (sum[2] + sum[3])) * weights[s];
      (P::load_first(results[s] + i, lanes) + total).store_first(results[s] + i, lanes);
    }
  }
}

}  // namespace rankine::fmm::RANKINE_SIMD
