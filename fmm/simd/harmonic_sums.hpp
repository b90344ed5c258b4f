// P2M, P2L, L2P and M2P: harmonics at points in SIMD lanes, summed into expansions or multiplied
// with them.
#pragma once

#include <type_traits>

#include "rankine/fmm/core/dispatch.hpp"
#include "rankine/fmm/dual.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

template <class T>
RANKINE_INLINE Pack<T> inverse_root(Pack<T> x) {
  return where_nonzero(x, rsqrt<Root::precise>(x));
}

/// The coordinates along one axis of the pack of points that begins at i. Lanes after the last
/// point are at the centre of the box, since powers of coordinates far from a small box would
/// overflow.
template <class T>
RANKINE_INLINE Pack<T> coordinate(const ScaledPoints<T>& points, int axis, std::int32_t i) {
  const Pack<T> at = Pack<T>::load_first(points.at[axis] + i, points.count - i);
  return (at + (-points.origin[axis])) * points.scale;
}

/// Adds the sources to `sums`, one pack per coefficient, with separate sums in each lane.
template <class Numbers, class T>
void accumulate_as(Harmonic kind, const RecursionTable<T>& table, int order,
                   const ScaledPoints<T>& points, const SourceStrengths<T>& strengths,
                   Pack<T>* sums) {
  using P = Pack<T>;
  for (std::int32_t i = 0; i < points.count; i += P::width) {
    const int lanes = points.count - i;
    const auto axis = [&](int a) {
      P moment{};
      if constexpr (Numbers::dipoles) {
        moment = P::load_first(strengths.dipole[a] + i, lanes) * points.scale;
      }
      return Numbers::coordinate(coordinate(points, a, i), moment);
    };
    const auto start = Numbers::start(
        strengths.charge != nullptr ? P::load_first(strengths.charge + i, lanes) : P());
    visit_harmonics(table, order, harmonic_point(kind, axis(0), axis(1), axis(2), start),
                    [&](int k, auto harmonic) { sums[k] += Numbers::added(harmonic); });
  }
}

/// The same for several right-hand sides that share the harmonics of unit charges and, as
/// derivatives, of dipoles along shared directions. `columns` packs per coefficient.
template <bool charges, bool dipoles, int columns, class T>
void accumulate_columns(Harmonic kind, const RecursionTable<T>& table, int order,
                        const ScaledPoints<T>& points, const SourceStrengths<T>& strengths,
                        Pack<T>* sums) {
  using P = Pack<T>;
  using Numbers = std::conditional_t<dipoles, Dual<P>, P>;
  for (std::int32_t i = 0; i < points.count; i += P::width) {
    const int lanes = points.count - i;
    const auto axis = [&](int a) {
      const P x = coordinate(points, a, i);
      if constexpr (dipoles) {
        return Numbers{x, P::load_first(strengths.dipole[a] + i, lanes) * points.scale};
      } else {
        return x;
      }
    };
    P charge[columns], along[columns];
    for (int c = 0; c < columns; ++c) {
      const std::int64_t at = c * strengths.rhs_stride + i;
      if constexpr (charges) charge[c] = P::load_first(strengths.charge + at, lanes);
      if constexpr (dipoles) along[c] = P::load_first(strengths.along + at, lanes);
    }
    visit_harmonics(table, order, harmonic_point(kind, axis(0), axis(1), axis(2), one<Numbers>()),
                    [&](int k, const Numbers& harmonic) {
                      for (int c = 0; c < columns; ++c) {
                        P& sum = sums[k * columns + c];
                        if constexpr (dipoles) {
                          sum += harmonic.d * along[c];
                          if constexpr (charges) sum += harmonic.v * charge[c];
                        } else {
                          sum += harmonic * charge[c];
                        }
                      }
                    });
  }
}

template <class T>
void accumulate(Harmonic kind, const RecursionTable<T>& table, int order,
                const ScaledPoints<T>& points, const SourceStrengths<T>& strengths, int rhs,
                T* workspace, T* out, std::int64_t out_stride) {
  using P = Pack<T>;
  const int size = coefficient_count(order);
  P* const sums = reinterpret_cast<P*>(workspace);
  const bool with_charges = strengths.charge != nullptr,
             with_dipoles = strengths.dipole[0] != nullptr;
  const auto add = [&](int first, int columns, auto&& sum) {
    for (int k = 0; k < size * columns; ++k) sums[k] = P();
    sum(strengths.from_rhs(first));
    for (int c = 0; c < columns; ++c) {
      T* const to = out + (first + c) * out_stride;
      for (int k = 0; k < size; ++k) to[k] += sums[k * columns + c].sum();
    }
  };
  if (with_dipoles && strengths.along == nullptr) {  // every right-hand side has separate moments
    for (int k = 0; k < rhs; ++k) {
      add(k, 1, [&](const SourceStrengths<T>& of) {
        accumulate_as<DipoleNumbers<P>>(kind, table, order, points, of, sums);
      });
    }
    return;
  }
  for_column_blocks(rhs, [&](auto columns, int first) {
    add(first, columns, [&](const SourceStrengths<T>& of) {
      if (with_dipoles && with_charges) {
        accumulate_columns<true, true, columns>(kind, table, order, points, of, sums);
      } else if (with_dipoles) {
        accumulate_columns<false, true, columns>(kind, table, order, points, of, sums);
      } else if constexpr (columns == 1) {
        accumulate_as<ChargeNumbers<P>>(kind, table, order, points, of, sums);
      } else {
        accumulate_columns<true, false, columns>(kind, table, order, points, of, sums);
      }
    });
  });
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
