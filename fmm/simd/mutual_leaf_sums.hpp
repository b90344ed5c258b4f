// P2P of points that are both sources and targets: each distance is computed once for both points.
//
// A leaf is paired with several others. Their points are gathered in SIMD lanes, its own points are
// broadcast. The sums of its own points stay in packs until all lanes are done, and are then
// reduced over lanes.
#pragma once

#include "rankine/fmm/core/dispatch.hpp"
#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

template <class Term, class T, PairTerms terms, Root root>
struct MutualLoop {
  using P = Pack<T>;
  static constexpr int width = P::width, size = components(terms);
  /// Points of the leaf per tile; the packs of their sums stay in the first-level cache.
  static constexpr int tile_points = 64;
  static constexpr int most_packs = register_bytes == 64 ? 4 : 2;

  /// Points of the other leaves, in complete packs.
  struct Lanes {
    T* at[3];
    T* charge;
    T* sum[size];
    std::int32_t count;
  };

  Term term;

  /// Pairs of `packs` packs of lanes, starting at `first`, with `count` points of the leaf,
  /// starting at `begin`.
  template <int packs>
  RANKINE_INLINE void block(const SourceArrays<T>& s, std::int32_t begin, int count,
                            const Lanes& lanes, std::int32_t first,
                            P (&others)[size][tile_points]) const {
    P x[packs][3], charge[packs], sum[packs][size];
    for (int a = 0; a < packs; ++a) {
      const std::int32_t from = first + a * width;
      for (int axis = 0; axis < 3; ++axis) x[a][axis] = P::load(lanes.at[axis] + from);
      charge[a] = P::load(lanes.charge + from);
      for (int c = 0; c < size; ++c) sum[a][c] = P();
    }
    for (int j = 0; j < count; ++j) {
      const std::int32_t at = begin + j;
      P other[size];
      for (int c = 0; c < size; ++c) other[c] = others[c][j];
      for (int a = 0; a < packs; ++a) {
        const P dx = x[a][0] + (-s.at[0][at]), dy = x[a][1] + (-s.at[1][at]),
                dz = x[a][2] + (-s.at[2][at]);
        const P u = rsqrt<root>(term.under_root(dx * dx + dy * dy + dz * dz));
        constexpr const P* no_dipole = nullptr;
        term.template add<terms>(term.pair(dx, dy, dz, u), P(s.strengths.charge[at]), no_dipole,
                                 sum[a]);
        term.template add<terms>(term.pair(-dx, -dy, -dz, u), charge[a], no_dipole, other);
      }
      for (int c = 0; c < size; ++c) others[c][j] = other[c];
    }
    for (int a = 0; a < packs; ++a) {
      for (int c = 0; c < size; ++c) {
        T* const to = lanes.sum[c] + first + a * width;
        (P::load(to) + sum[a][c]).store(to);
      }
    }
  }

  /// Pairs of `count` points of the leaf, starting at `from`, with all lanes.
  void tile(const MutualPoints<T>& points, const MutualRange<T>& leaf, std::int32_t from, int count,
            const Lanes& lanes) const {
    P others[size][tile_points];
    const int whole = (count + width - 1) / width * width;
    for (int c = 0; c < size; ++c) {
      for (int j = 0; j < whole; ++j) others[c][j] = P();
    }
    std::int32_t first = 0;
    for (; first + most_packs * width <= lanes.count; first += most_packs * width)
      block<most_packs>(points.sources, leaf.begin + from, count, lanes, first, others);
    for (; first < lanes.count; first += width)
      block<1>(points.sources, leaf.begin + from, count, lanes, first, others);
    for (int c = 0; c < size; ++c) {
      T* const to = points.sum[c] + leaf.place + from;
      for (int j = 0; j < count; j += width) {
        P* const rows = others[c] + j;
        transpose(rows);
        P sum = P::load_first(to + j, count - j);
        for (int i = 0; i < width; ++i) sum += rows[i];
        sum.store_first(to + j, count - j);
      }
    }
  }

  /// Gathers the points of the ranges. Unused lanes of the last pack have zero charge and are far
  /// from the leaf.
  static Lanes gather(const SourceArrays<T>& s, std::span<const MutualRange<T>> ranges,
                      T* workspace) {
    std::int32_t points = 0;
    for (const MutualRange<T>& range : ranges) points += range.count();
    const std::int32_t stride = mutual_stride(points, width);
    Lanes lanes;
    for (int axis = 0; axis < 3; ++axis) lanes.at[axis] = workspace + axis * stride;
    lanes.charge = workspace + 3 * stride;
    for (int c = 0; c < size; ++c) lanes.sum[c] = workspace + (4 + c) * stride;
    lanes.count = (points + width - 1) / width * width;
    const auto copy = [&](const T* from, T* to, T shift, const SourceRange<T>& range) {
      for (std::int32_t i = range.begin; i < range.end; i += width, to += width)
        (P::load(from + i) + (-shift)).store(to);  // may write beyond the range, into the next one
    };
    std::int32_t to = 0;
    for (const MutualRange<T>& range : ranges) {
      for (int axis = 0; axis < 3; ++axis)
        copy(s.at[axis], lanes.at[axis] + to, range.shift[axis], range);
      copy(s.strengths.charge, lanes.charge + to, T(0), range);
      to += range.count();
    }
    constexpr T away = T(4);
    for (int axis = 0; axis < 3; ++axis) P(away).store(lanes.at[axis] + to);
    P().store(lanes.charge + to);
    for (int c = 0; c < size; ++c) {
      for (std::int32_t i = 0; i < lanes.count; i += width) P().store(lanes.sum[c] + i);
    }
    return lanes;
  }

  void sum(const MutualPoints<T>& points, const MutualRange<T>& leaf,
           std::span<const MutualRange<T>> others, T* workspace) const {
    const Lanes lanes = gather(points.sources, others, workspace);
    for (std::int32_t from = 0; from < leaf.count(); from += tile_points) {
      const int rest = leaf.count() - from;
      tile(points, leaf, from, rest < tile_points ? rest : tile_points, lanes);
    }
    for (int c = 0; c < size; ++c) {
      const T* from = lanes.sum[c];
      for (const MutualRange<T>& range : others) {
        T* const to = points.sum[c] + range.place;
        for (std::int32_t i = 0; i < range.count(); ++i) to[i] += from[i];
        from += range.count();
      }
    }
  }
};

template <class T>
void p2p_mutual(const PairKernel& kernel, const MutualPoints<T>& points, const MutualRange<T>& leaf,
                std::span<const MutualRange<T>> others, Root root, T* workspace) {
  with_kernel<T>(kernel, [&]<class Term>(const Term& term) {
    if constexpr (!Term::vortices) {
      dispatch(
          [&](auto gradient, auto precise) {
            constexpr Root chosen = precise && sizeof(T) == 8 ? Root::precise : Root::quick;
            constexpr PairTerms terms{.derivatives = gradient ? 1 : 0};
            MutualLoop<Term, T, terms, chosen>{term}.sum(points, leaf, others, workspace);
          },
          points.derivatives > 0, root == Root::precise);
    }
  });
}

}  // namespace rankine::fmm::RANKINE_SIMD
