// P2P: direct sums between the points of near leaves, with targets in SIMD lanes and sources
// broadcast.
#pragma once

#include "rankine/fmm/core/dispatch.hpp"
#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

/// The pair loop for one leaf. `units`: right-hand sides share the directions of dipoles. Only
/// pairs within a leaf are tested for distance zero; all other pairs at distance zero are close
/// pairs (fmm/close_pairs.hpp).
template <class Term, class T, PairTerms terms, int columns, bool units, Root root>
struct PairLoop {
  using P = Pack<T>;
  static constexpr int width = P::width;
  static constexpr int size = running_sums(terms);

  Term term;

  /// Sums over all ranges for `packs` packs of targets starting at `first`.
  template <int packs>
  RANKINE_INLINE void block(const SourceArrays<T>& s, const SourceRange<T>* ranges, int range_count,
                            const TargetSums<T>& t, std::int32_t first) const {
    P sum[packs][columns][size];
    sum_ranges<packs>(s, ranges, range_count, t, first, sum);
    for (int a = 0; a < packs; ++a) {
      const int count = t.count - (first + a * width);
      for (int k = 0; k < columns; ++k) {
        term.template finish<terms>(sum[a][k]);
        for (int c = 0; c < components(terms); ++c) {
          T* const to = t.sum[c] + k * t.rhs_stride + first + a * width;
          (P::load_first(to, count) + sum[a][k][c]).store_first(to, count);
        }
      }
    }
  }

  template <int packs>
  RANKINE_INLINE void sum_ranges(const SourceArrays<T>& s, const SourceRange<T>* ranges,
                                 int range_count, const TargetSums<T>& t, std::int32_t first,
                                 P (&sum)[packs][columns][size]) const {
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
  RANKINE_INLINE void sources(const SourceArrays<T>& s, const SourceRange<T>& range,
                              const P (&x)[packs][3], P (&sum)[packs][columns][size]) const {
    for (std::int32_t j = range.begin; j < range.end; ++j) {
      for (int a = 0; a < packs; ++a) {
        const P dx = x[a][0] + (-s.at[0][j]), dy = x[a][1] + (-s.at[1][j]),
                dz = x[a][2] + (-s.at[2][j]);
        const P r2 = dx * dx + dy * dy + dz * dz;
        P u = rsqrt<root>(term.under_root(r2));
        if constexpr (test) u = where_nonzero(r2, u);
        T inverse_core = T(0);
        if constexpr (terms.vortices) inverse_core = s.inverse_core[j];
        add(s.strengths, j, term.pair(dx, dy, dz, u, inverse_core), sum[a]);
      }
    }
  }

  /// Adds the contribution of source j to every column.
  RANKINE_INLINE void add(const SourceStrengths<T>& s, std::int32_t j, const auto& pair,
                          P (&sum)[columns][size]) const {
    T dipole[3];
    if constexpr (units) {  // for unit strengths once, then scaled for each column
      P of_charge[size] = {}, of_dipole[size] = {};
      constexpr PairTerms charge_terms{true, false, terms.derivatives},
          dipole_terms{false, true, terms.derivatives};
      if constexpr (terms.charges) term.template add<charge_terms>(pair, T(1), dipole, of_charge);
      if constexpr (terms.dipoles) {
        for (int axis = 0; axis < 3; ++axis) dipole[axis] = s.dipole[axis][j];
        term.template add<dipole_terms>(pair, T(0), dipole, of_dipole);
      }
      for (int k = 0; k < columns; ++k) {
        const std::int64_t at = k * s.rhs_stride + j;
        for (int c = 0; c < size; ++c) {
          if constexpr (terms.charges) sum[k][c] += of_charge[c] * s.charge[at];
          if constexpr (terms.dipoles) sum[k][c] += of_dipole[c] * s.along[at];
        }
      }
    } else {
      for (int k = 0; k < columns; ++k) {
        const std::int64_t at = k * s.rhs_stride + j;
        T charge = T(0);
        if constexpr (terms.charges) charge = s.charge[at];
        if constexpr (terms.dipoles || terms.vortices) {
          for (int axis = 0; axis < 3; ++axis) dipole[axis] = s.dipole[axis][at];
        }
        term.template add<terms>(pair, charge, dipole, sum[k]);
      }
    }
  }

  void leaf(const SourceArrays<T>& s, const SourceRange<T>* ranges, int range_count,
            const TargetSums<T>& t) const {
    constexpr int packs = columns > 1 || terms.derivatives > (terms.dipoles ? 0 : 1) ? 1 : 2;
    std::int32_t first = 0;
    for (; first + (packs - 1) * width < t.count; first += packs * width)
      block<packs>(s, ranges, range_count, t, first);
    if (first < t.count) block<1>(s, ranges, range_count, t, first);
  }
};

template <class T>
void p2p(const PairKernel& kernel, const SourceArrays<T>& sources, const SourceRange<T>* ranges,
         int range_count, const TargetSums<T>& targets, int rhs, Root root) {
  const SourceStrengths<T>& strengths = sources.strengths;
  const auto run = [&]<bool shared>(auto term, auto terms, auto columns, int first) {
    SourceArrays<T> s = sources;
    s.strengths = strengths.from_rhs(first);
    TargetSums<T> t = targets;
    for (int c = 0; c < components(terms); ++c) t.sum[c] += first * t.rhs_stride;
    const auto sum = [&]<Root chosen>() {
      PairLoop<decltype(term), T, terms, columns, shared, chosen>{term}.leaf(s, ranges, range_count,
                                                                             t);
    };
    // In float there is only one root.
    if constexpr (sizeof(T) == 8) {
      if (root == Root::precise) return sum.template operator()<Root::precise>();
    }
    sum.template operator()<Root::quick>();
  };
  with_kernel<T>(kernel, [&]<class Term>(Term term) {
    const auto of_terms = [&](auto terms) {
      // Several columns at a time: sums of 1/r, whose dipoles share directions. For second
      // derivatives registers are sufficient for one column.
      constexpr std::integral_constant<int, 1> one;
      if constexpr (std::is_same_v<Term, Laplace>) {
        if (terms().dipoles == (strengths.along != nullptr)) {
          if constexpr (terms().derivatives < 2) {
            return for_column_blocks(rhs, [&](auto columns, int first) {
              constexpr bool shared = terms().dipoles || columns > 1;
              run.template operator()<shared>(term, terms, columns, first);
            });
          } else if constexpr (terms().dipoles) {
            for (int k = 0; k < rhs; ++k) run.template operator()<true>(term, terms, one, k);
            return;
          }
        }
      }
      for (int k = 0; k < rhs; ++k) run.template operator()<false>(term, terms, one, k);
    };
    with_terms_of(term, strengths.charge != nullptr, strengths.dipole[0] != nullptr,
                  targets.derivatives, of_terms);
  });
}

}  // namespace rankine::fmm::RANKINE_SIMD
