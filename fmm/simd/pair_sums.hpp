// P2P: direct sums between the points of near leaves, targets across SIMD lanes, sources broadcast.
#pragma once

#include "rankine/fmm/core/dispatch.hpp"
#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

/// The pair loop for one leaf. Pairs of a leaf with itself are tested for distance zero; those of
/// different leaves are apart (fmm/close_pairs.hpp).
template <class KernelTerm, class T, PairTerms terms, int columns, Root root>
struct PairLoop {
  using P = Pack<T>;
  static constexpr int width = P::width;
  static constexpr int size = components(terms);

  /// Sums over all ranges for `packs` packs of targets starting at `first`.
  template <int packs>
  static RANKINE_INLINE void block(const SourceArrays<T>& s, const SourceRange<T>* ranges,
                                   int range_count, const TargetSums<T>& t, std::int32_t first) {
    P sum[packs][columns][size];
    sum_ranges<packs>(s, ranges, range_count, t, first, sum);
    for (int a = 0; a < packs; ++a) {
      const int count = t.count - (first + a * width);
      for (int k = 0; k < columns; ++k) {
        for (int c = 0; c < size; ++c) {
          T* const to = t.sum[c] + k * t.rhs_stride + first + a * width;
          (P::load_first(to, count) + sum[a][k][c]).store_first(to, count);
        }
      }
    }
  }

  template <int packs>
  static RANKINE_INLINE void sum_ranges(const SourceArrays<T>& s, const SourceRange<T>* ranges,
                                        int range_count, const TargetSums<T>& t, std::int32_t first,
                                        P (&sum)[packs][columns][size]) {
    P x[packs][3];
    for (int a = 0; a < packs; ++a) {
      for (int axis = 0; axis < 3; ++axis) x[a][axis] = P::load(t.at[axis] + first + a * width);
      for (int k = 0; k < columns; ++k) {
        for (int c = 0; c < size; ++c) sum[a][k][c] = P();
      }
    }
    for (int i = 0; i < range_count; ++i) {
      const SourceRange<T>& range = ranges[i];
      P shifted[packs][3];
      for (int a = 0; a < packs; ++a) {
        for (int axis = 0; axis < 3; ++axis) shifted[a][axis] = x[a][axis] + range.shift[axis];
      }
      if (range.self()) {
        sources<packs, true>(s, range, shifted, sum);
      } else {
        sources<packs, false>(s, range, shifted, sum);
      }
    }
  }

  template <int packs, bool test>
  static RANKINE_INLINE void sources(const SourceArrays<T>& s, const SourceRange<T>& range,
                                     const P (&x)[packs][3], P (&sum)[packs][columns][size]) {
    for (std::int32_t j = range.begin; j < range.end; ++j) {
      for (int a = 0; a < packs; ++a) {
        const P dx = x[a][0] + (-s.at[0][j]), dy = x[a][1] + (-s.at[1][j]),
                dz = x[a][2] + (-s.at[2][j]);
        const P r2 = dx * dx + dy * dy + dz * dz;
        P u = rsqrt<root>(r2);
        if constexpr (test) u = where_nonzero(r2, u);
        const auto pair = KernelTerm::pair(dx, dy, dz, u);
        for (int k = 0; k < columns; ++k) {
          const std::int64_t at = k * s.rhs_stride + j;
          T charge = T(0), dipole[3];
          if constexpr (terms.charges) charge = s.charge[at];
          if constexpr (terms.dipoles) {
            for (int axis = 0; axis < 3; ++axis) dipole[axis] = s.dipole[axis][at];
          }
          KernelTerm::template add<terms>(pair, charge, dipole, sum[a][k]);
        }
      }
    }
  }

  static void leaf(const SourceArrays<T>& s, const SourceRange<T>* ranges, int range_count,
                   const TargetSums<T>& t) {
    constexpr int packs = columns > 1 || terms.derivatives > (terms.dipoles ? 0 : 1) ? 1 : 2;
    std::int32_t first = 0;
    for (; first + (packs - 1) * width < t.count; first += packs * width)
      block<packs>(s, ranges, range_count, t, first);
    if (first < t.count) block<1>(s, ranges, range_count, t, first);
  }
};

template <class T>
void p2p(Kernel kernel, const SourceArrays<T>& sources, const SourceRange<T>* ranges,
         int range_count, const TargetSums<T>& targets, int rhs, Root root) {
  const auto run = [&](auto terms, auto columns, int first) {
    SourceArrays<T> s = sources;
    TargetSums<T> t = targets;
    if (s.charge != nullptr) s.charge += first * s.rhs_stride;
    for (const T*& dipole : s.dipole) {
      if (dipole != nullptr) dipole += first * s.rhs_stride;
    }
    for (int c = 0; c < components(terms); ++c) t.sum[c] += first * t.rhs_stride;
    // Float has but one root.
    dispatch(
        [&](auto precise) {
          constexpr Root chosen = precise && sizeof(T) == 8 ? Root::precise : Root::quick;
          with_kernel(kernel, [&](auto term) {
            PairLoop<typename decltype(term)::type, T, terms, columns, chosen>::leaf(
                s, ranges, range_count, t);
          });
        },
        root == Root::precise);
  };
  with_terms(sources.charge != nullptr, sources.dipole[0] != nullptr, targets.derivatives,
             [&](auto terms) {
               for_column_blocks(rhs, [&](auto columns, int first) {
                 if constexpr (terms().derivatives < 2) {
                   run(terms, columns, first);
                 } else {  // registers hold second derivatives of one
                   for (int k = 0; k < columns; ++k)
                     run(terms, std::integral_constant<int, 1>{}, first + k);
                 }
               });
             });
}

}  // namespace rankine::fmm::RANKINE_SIMD
