// Random pairs of a target and a source from two boxes of a far-field pair, for the sample of
// fmm/truncation.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>

#include "rankine/fmm/box_sums.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

inline std::size_t drawn_below(std::size_t n, std::mt19937_64& random) { return random() % n; }

/// Between 0 and 1.
inline double drawn_fraction(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

inline Vec3d drawn_direction(std::mt19937_64& random) {
  const auto component = [&] { return 2.0 * drawn_fraction(random) - 1.0; };
  for (;;) {
    const double x = component(), y = component(), z = component();
    const double r2 = x * x + y * y + z * z;
    if (r2 <= 1.0 && r2 > 1e-4) return Vec3d{x, y, z} * (1.0 / std::sqrt(r2));
  }
}

/// Points of a box relative to the centre of the box `centred`, in edges of that box.
struct BoxPoints {
  std::span<const Vec3d> points;  ///< in Morton order
  std::int32_t begin, count;
  const Octree& tree;
  const Box& centred;

  Vec3d operator[](std::int32_t i) const {
    return position_in_box(points[begin + i], centred, tree.corner, tree.side) *
           (1.0 / box_edge(centred));
  }
};

/// The points of two boxes, relative to the centres of the expansions of a translation.
struct PairPoints {
  Served::Kind kind;
  Vec3d shift;  ///< centre of the targets' expansion minus that of the sources', in its edges
  double edge;  ///< of the boxes of the expansions, in edges of the root
  BoxPoints targets, sources;

  /// The factor from order to order of the error of a pair: of the multipole or of the local
  /// expansion, whichever falls more slowly.
  double ratio(const Vec3d& x, const Vec3d& y) const {
    const double of_targets = norm(x) / norm(shift - y), of_sources = norm(y) / norm(shift + x);
    if (kind == Served::m2l) return std::max(of_targets, of_sources);
    return kind == Served::m2p ? of_sources : of_targets;
  }
};

struct DrawnPoint {
  Vec3d at;
  std::int32_t index;  ///< in Morton order
  double stands_for;   ///< number of points of the box that it represents
};

/// Draws one of some of the points with a probability in proportion to likely(position).
template <class Likely>
DrawnPoint draw_point(const BoxPoints& points, std::mt19937_64& random, const Likely& likely) {
  constexpr int points_looked_at = 64;
  Vec3d x[points_looked_at];
  std::int32_t index[points_looked_at];
  double share[points_looked_at], all = 0.0;
  const int looked_at = std::min(points.count, points_looked_at);
  for (int k = 0; k < looked_at; ++k) {
    index[k] = points.count <= points_looked_at
                   ? k
                   : static_cast<std::int32_t>(
                         drawn_below(static_cast<std::size_t>(points.count), random));
    x[k] = points[index[k]];
    share[k] = likely(x[k]) + std::numeric_limits<double>::min();
    all += share[k];
  }
  double left = all * drawn_fraction(random);
  int k = 0;
  while (k + 1 < looked_at && left >= share[k]) left -= share[k++];
  return {x[k], points.begin + index[k], points.count * all / (share[k] * looked_at)};
}

/// The square of an error that falls like ratio^order.
inline double square_falling(double ratio, int order) {
  double result = 1.0, factor = ratio * ratio;
  for (int n = order; n > 0; n /= 2) {
    if (n % 2 == 1) result *= factor;
    factor *= factor;
  }
  return result;
}

}  // namespace rankine::fmm
