// P2M, P2L, L2P and M2P: harmonics at points across SIMD lanes, summed into or with expansions.
#pragma once

#include "rankine/fmm/dual.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

template <class T>
RANKINE_INLINE Pack<T> inverse_root(Pack<T> x) {
  return where_nonzero(x, rsqrt<Root::precise>(x));
}

/// The coordinates of the pack of points that begins at i, along one axis.
template <class T>
RANKINE_INLINE Pack<T> coordinate(const ScaledPoints<T>& points, int axis, std::int32_t i) {
  return (Pack<T>::load(points.at[axis] + i) + (-points.origin[axis])) * points.scale;
}

/// Adds the sources lane by lane to `sums`, a pack per coefficient.
template <class Numbers, class T>
void accumulate_as(Harmonic kind, const RecursionTable<T>& table, int order,
                   const ScaledPoints<T>& points, const T* charges, const T* const* dipoles,
                   Pack<T>* sums) {
  using P = Pack<T>;
  for (std::int32_t i = 0; i < points.count; i += P::width) {
    const int lanes = points.count - i;
    const auto axis = [&](int a) {
      P moment{};
      if constexpr (Numbers::dipoles) moment = P::load_first(dipoles[a] + i, lanes) * points.scale;
      return Numbers::coordinate(coordinate(points, a, i), moment);
    };
    const auto start = Numbers::start(charges != nullptr ? P::load_first(charges + i, lanes) : P());
    visit_harmonics(table, order, harmonic_point(kind, axis(0), axis(1), axis(2), start),
                    [&](int k, auto harmonic) { sums[k] += Numbers::added(harmonic); });
  }
}

template <class T>
void accumulate(Harmonic kind, const RecursionTable<T>& table, int order,
                const ScaledPoints<T>& points, const T* charges, const T* const* dipoles,
                T* workspace, T* out) {
  using P = Pack<T>;
  const int size = coefficient_count(order);
  P* const sums = reinterpret_cast<P*>(workspace);
  for (int k = 0; k < size; ++k) sums[k] = P();
  if (dipoles != nullptr) {
    accumulate_as<DipoleNumbers<P>>(kind, table, order, points, charges, dipoles, sums);
  } else {
    accumulate_as<ChargeNumbers<P>>(kind, table, order, points, charges, dipoles, sums);
  }
  for (int k = 0; k < size; ++k) out[k] += sums[k].sum();
}

template <class T>
void evaluate(Harmonic kind, const RecursionTable<T>& table, int order,
              const ScaledPoints<T>& points, const EvaluatedExpansion<T>* expansions, int count,
              T* workspace) {
  using P = Pack<T>;
  P* const values = reinterpret_cast<P*>(workspace);
  for (std::int32_t i = 0; i < points.count; i += P::width) {
    const int lanes = points.count - i;
    visit_harmonics(table, order,
                    harmonic_point(kind, coordinate(points, 0, i), coordinate(points, 1, i),
                                   coordinate(points, 2, i), one<P>()),
                    [&](int k, P harmonic) { values[k] = harmonic; });
    for (int e = 0; e < count; ++e) {
      const auto& [coefficients, expansion_order, weight, result] = expansions[e];
      const int size = coefficient_count(expansion_order);
      P sum[4] = {};
      int k = 0;
      for (; k + 4 <= size; k += 4) {
        for (int part = 0; part < 4; ++part) sum[part] += values[k + part] * coefficients[k + part];
      }
      for (; k < size; ++k) sum[0] += values[k] * coefficients[k];
      const P total = ((sum[0] + sum[1]) + (sum[2] + sum[3])) * weight;
      (P::load_first(result + i, lanes) + total).store_first(result + i, lanes);
    }
  }
}

}  // namespace rankine::fmm::RANKINE_SIMD
