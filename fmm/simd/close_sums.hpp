// Search for close pairs and their P2P (fmm/close_pairs.hpp). They are rare, so accuracy matters
// more than speed. Targets are in SIMD lanes, sources are broadcast.
#pragma once

#include <limits>

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

template <class T>
T least_distance2(const T* const (&source_at)[3], std::int32_t source_begin,
                  std::int32_t source_end, const T* const (&target_at)[3],
                  std::int32_t target_begin, std::int32_t target_end, const T (&shift)[3],
                  bool each_pair_once) {
  using P = Pack<T>;
  constexpr T farthest = std::numeric_limits<T>::max();
  T beyond[2 * P::width] = {};  // read from P::width - n on: n zeros, then huge numbers
  for (int i = P::width; i < 2 * P::width; ++i) beyond[i] = farthest;
  P least = P(farthest);
  for (std::int32_t i = target_begin; i < target_end; ++i) {
    P x[3];
    for (int axis = 0; axis < 3; ++axis) x[axis] = P(target_at[axis][i] + shift[axis]);
    const auto distance2 = [&](std::int32_t j) {
      const P dx = x[0] - P::load(source_at[0] + j), dy = x[1] - P::load(source_at[1] + j),
              dz = x[2] - P::load(source_at[2] + j);
      return dx * dx + dy * dy + dz * dz;
    };
    std::int32_t j = each_pair_once ? i + 1 : source_begin;
    for (; j + P::width <= source_end; j += P::width) least = lesser(least, distance2(j));
    if (j < source_end)
      least = lesser(least, distance2(j) + P::load(beyond + P::width - (source_end - j)));
  }
  T result = farthest;
  for (int i = 0; i < P::width; ++i) result = least.v[i] < result ? least.v[i] : result;
  return result;
}

/// 1/sqrt(x), correctly computed by division and square root; zero if x is zero.
RANKINE_INLINE Pack<double> exact_rsqrt(Pack<double> x) {
  Pack<double> u;
  for (int i = 0; i < Pack<double>::width; ++i)
    u.v[i] = x.v[i] > 0.0 ? 1.0 / __builtin_sqrt(x.v[i]) : 0.0;
  return u;
}

template <PairTerms terms, class Term, class T>
void close_leaf(const Term& term, const SourceArrays<T>& s, const double* const (&source_at)[3],
                const SourceRange<T>* ranges, int range_count, const TargetSums<double>& t,
                double inverse_side, int rhs) {
  using P = Pack<double>;
  constexpr int size = running_sums(terms);
  const int requested = components({.derivatives = t.derivatives, .vortices = terms.vortices});
  for (std::int32_t first = 0; first < t.count; first += P::width) {
    const int lanes = t.count - first < P::width ? t.count - first : P::width;
    P x[3];
    for (int axis = 0; axis < 3; ++axis) x[axis] = P::load_first(t.at[axis] + first, lanes);
    for (int k = 0; k < rhs; ++k) {
      P sum[size];
      for (P& each : sum) each = P();
      for (int i = 0; i < range_count; ++i) {
        for (std::int32_t j = ranges[i].begin; j < ranges[i].end; ++j) {
          const P dx = (x[0] + (-source_at[0][j])) * inverse_side,
                  dy = (x[1] + (-source_at[1][j])) * inverse_side,
                  dz = (x[2] + (-source_at[2][j])) * inverse_side;
          const SourceStrengths<T> at = s.strengths.from_rhs(k);
          double charge = 0.0, dipole[3];
          if constexpr (terms.charges) charge = at.charge[j];
          if constexpr (terms.vortices) {
            for (int axis = 0; axis < 3; ++axis) dipole[axis] = at.dipole[axis][j];
          } else if constexpr (terms.dipoles) {
            const double along = at.along == nullptr ? 1.0 : at.along[j];
            for (int axis = 0; axis < 3; ++axis) dipole[axis] = along * at.dipole[axis][j];
          }
          const double inverse_core = terms.vortices ? static_cast<double>(s.inverse_core[j]) : 0.0;
          const P r2 = dx * dx + dy * dy + dz * dz;
          const P u = where_nonzero(r2, exact_rsqrt(term.under_root(r2)));
          term.template add<terms>(term.pair(dx, dy, dz, u, inverse_core), charge, dipole, sum);
        }
      }
      term.template finish<terms>(sum);
      for (int c = 0; c < requested; ++c) {
        double* const to = t.sum[c] + k * t.rhs_stride + first;
        for (int i = 0; i < lanes; ++i) to[i] += sum[c].v[i];
      }
    }
  }
}

template <class T>
void p2p_close(const PairKernel& kernel, const SourceArrays<T>& sources,
               const double* const (&source_at)[3], const SourceRange<T>* ranges, int range_count,
               const TargetSums<double>& targets, double inverse_side, int rhs) {
  constexpr int all_derivatives = 2;  // the others are not compiled
  with_kernel<double>(kernel, [&](const auto& term) {
    with_terms_of(term, sources.strengths.charge != nullptr, sources.strengths.dipole[0] != nullptr,
                  all_derivatives, [&](auto terms) {
                    if constexpr (terms().derivatives == all_derivatives)
                      close_leaf<terms()>(term, sources, source_at, ranges, range_count, targets,
                                          inverse_side, rhs);
                  });
  });
}

}  // namespace rankine::fmm::RANKINE_SIMD
