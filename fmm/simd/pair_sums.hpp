// P2P: direct sums between the points of near leaves, targets across SIMD lanes, sources broadcast.
#pragma once

#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::fmm::RANKINE_SIMD {

/// What one instance of the pair loop computes.
template <class T, bool with_charges, bool with_dipoles, bool with_gradient, int right_hand_sides,
          Refine refinement>
struct PairSums {
  using P = Pack<T>;
  static constexpr int width = P::width;
  static constexpr int rhs = right_hand_sides;

  /// Sums over all ranges for `packs` packs of targets starting at `first`.
  template <int packs>
  static RANKINE_INLINE void block(const SourceArrays<T>& s, const SourceRange<T>* ranges,
                                   int range_count, const TargetSums<T>& t, std::int32_t first) {
    P x[packs], y[packs], z[packs];
    P potential[rhs][packs] = {}, gx[rhs][packs] = {}, gy[rhs][packs] = {}, gz[rhs][packs] = {};
    for (int a = 0; a < packs; ++a) {
      x[a] = P::load(t.x + first + a * width);
      y[a] = P::load(t.y + first + a * width);
      z[a] = P::load(t.z + first + a * width);
    }
    for (int i = 0; i < range_count; ++i) {
      const SourceRange<T>& range = ranges[i];
      P tx[packs], ty[packs], tz[packs];
      for (int a = 0; a < packs; ++a) {
        tx[a] = x[a] + range.shift[0];
        ty[a] = y[a] + range.shift[1];
        tz[a] = z[a] + range.shift[2];
      }
      if (range.self) {
        sources<packs, true>(s, range, tx, ty, tz, potential, gx, gy, gz);
      } else {
        sources<packs, false>(s, range, tx, ty, tz, potential, gx, gy, gz);
      }
    }
    for (int k = 0; k < rhs; ++k) {
      for (int a = 0; a < packs; ++a) {
        const std::int64_t at = k * t.rhs_stride + first + a * width;
        const int count = t.count - (first + a * width);
        add(t.potential + at, potential[k][a], count);
        if constexpr (with_gradient) {
          add(t.gradient_x + at, gx[k][a], count);
          add(t.gradient_y + at, gy[k][a], count);
          add(t.gradient_z + at, gz[k][a], count);
        }
      }
    }
  }

  static RANKINE_INLINE void add(T* to, P value, int count) {
    (P::load_first(to, count) + value).store_first(to, count);
  }

  template <int packs, bool self>
  static RANKINE_INLINE void sources(const SourceArrays<T>& s, const SourceRange<T>& range,
                                     const P* tx, const P* ty, const P* tz, P (*potential)[packs],
                                     P (*gx)[packs], P (*gy)[packs], P (*gz)[packs]) {
    for (std::int32_t j = range.begin; j < range.end; ++j) {
      for (int a = 0; a < packs; ++a) {
        const P dx = tx[a] + (-s.x[j]), dy = ty[a] + (-s.y[j]), dz = tz[a] + (-s.z[j]);
        const P r2 = dx * dx + dy * dy + dz * dz;
        P u = rsqrt<refinement>(r2);
        if constexpr (self) u = where_nonzero(r2, u);
        const P u2 = u * u;
        for (int k = 0; k < rhs; ++k) {
          const std::int64_t at = k * s.rhs_stride + j;
          if constexpr (with_charges) {
            const P qu = u * s.charge[at];
            potential[k][a] += qu;
            if constexpr (with_gradient) {
              const P force = qu * u2;
              gx[k][a] = gx[k][a] - force * dx;
              gy[k][a] = gy[k][a] - force * dy;
              gz[k][a] = gz[k][a] - force * dz;
            }
          }
          if constexpr (with_dipoles) {
            const P u3 = u * u2;
            const T mx = s.dipole_x[at], my = s.dipole_y[at], mz = s.dipole_z[at];
            const P mr = (dx * mx + dy * my + dz * mz) * u3;
            potential[k][a] += mr;
            if constexpr (with_gradient) {
              const P radial = mr * u2 * T(3);
              gx[k][a] += u3 * mx - radial * dx;
              gy[k][a] += u3 * my - radial * dy;
              gz[k][a] += u3 * mz - radial * dz;
            }
          }
        }
      }
    }
  }

  static void leaf(const SourceArrays<T>& s, const SourceRange<T>* ranges, int range_count,
                   const TargetSums<T>& t) {
    constexpr int packs = rhs > 1 || (with_dipoles && with_gradient) ? 1 : 2;
    std::int32_t first = 0;
    for (; first + (packs - 1) * width < t.count; first += packs * width) {
      block<packs>(s, ranges, range_count, t, first);
    }
    if (first < t.count) block<1>(s, ranges, range_count, t, first);
  }
};

template <class T, bool with_charges, bool with_dipoles, bool with_gradient, int rhs>
void p2p_refined(const SourceArrays<T>& s, const SourceRange<T>* ranges, int range_count,
                 const TargetSums<T>& t, bool full) {
  if constexpr (sizeof(T) == 8) {
    if (full) {
      return PairSums<T, with_charges, with_dipoles, with_gradient, rhs, Refine::full>::leaf(
          s, ranges, range_count, t);
    }
  }
  PairSums<T, with_charges, with_dipoles, with_gradient, rhs, Refine::quick>::leaf(s, ranges,
                                                                                   range_count, t);
}

template <class T, int rhs>
void p2p_columns(const SourceArrays<T>& s, const SourceRange<T>* ranges, int range_count,
                 const TargetSums<T>& t, bool full) {
  const bool gradient = t.gradient_x != nullptr;
  const auto run = [&](auto charges, auto dipoles) {
    constexpr bool c = decltype(charges)::value, d = decltype(dipoles)::value;
    gradient ? p2p_refined<T, c, d, true, rhs>(s, ranges, range_count, t, full)
             : p2p_refined<T, c, d, false, rhs>(s, ranges, range_count, t, full);
  };
  if (s.charge != nullptr && s.dipole_x != nullptr) {
    run(std::true_type{}, std::true_type{});
  } else if (s.charge != nullptr) {
    run(std::true_type{}, std::false_type{});
  } else if (s.dipole_x != nullptr) {
    run(std::false_type{}, std::true_type{});
  }
}

template <class T>
void p2p(const SourceArrays<T>& sources, const SourceRange<T>* ranges, int range_count,
         const TargetSums<T>& targets, int rhs, bool full) {
  SourceArrays<T> s = sources;
  TargetSums<T> t = targets;
  const auto advance = [&](int columns) {
    if (s.charge != nullptr) s.charge += columns * s.rhs_stride;
    if (s.dipole_x != nullptr) {
      s.dipole_x += columns * s.rhs_stride;
      s.dipole_y += columns * s.rhs_stride;
      s.dipole_z += columns * s.rhs_stride;
    }
    t.potential += columns * t.rhs_stride;
    if (t.gradient_x != nullptr) {
      t.gradient_x += columns * t.rhs_stride;
      t.gradient_y += columns * t.rhs_stride;
      t.gradient_z += columns * t.rhs_stride;
    }
  };
  while (rhs > 0) {
    const int columns = rhs >= 4 ? 4 : rhs >= 2 ? 2 : 1;
    if (columns == 4) p2p_columns<T, 4>(s, ranges, range_count, t, full);
    if (columns == 2) p2p_columns<T, 2>(s, ranges, range_count, t, full);
    if (columns == 1) p2p_columns<T, 1>(s, ranges, range_count, t, full);
    advance(columns);
    rhs -= columns;
  }
}

}  // namespace rankine::fmm::RANKINE_SIMD
