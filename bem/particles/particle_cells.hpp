// Points sorted into cubic cells, to find those within a radius of a place.
//
// Flat arrays alone: the keys of the cells in order, and the points in that order. A key has z in its
// lowest bits, so that three neighbours along z are one range of points, and a search takes nine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

class ParticleCells {
 public:
  /// Cells of edge `radius`, m. Points must be finite.
  ParticleCells(std::span<const Vec3d> points, double radius);

  /// Calls work(index, r) for every point closer to `place` than the radius, where r is the point
  /// minus `place`. The order depends on nothing but the points.
  template <class Work>
  void near(const Vec3d& place, Work&& work) const {
    const std::array<std::int64_t, 3> cell = cell_of(place);
    for (std::int64_t x = cell[0] - 1; x <= cell[0] + 1; ++x) {
      for (std::int64_t y = cell[1] - 1; y <= cell[1] + 1; ++y) {
        const auto begin = std::lower_bound(keys_.begin(), keys_.end(), key(x, y, cell[2] - 1));
        for (auto at = begin; at != keys_.end() && *at <= key(x, y, cell[2] + 1); ++at) {
          const auto k = static_cast<std::size_t>(at - keys_.begin());
          const Vec3d r = points_[k] - place;
          if (dot(r, r) < radius_ * radius_) work(static_cast<std::size_t>(order_[k]), r);
        }
      }
    }
  }

 private:
  /// Cells are numbered from 1; points far outside share those at the end.
  static constexpr std::int64_t most = (std::int64_t{1} << 20) - 2;

  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>((x << 40) | (y << 20) | z);
  }
  std::array<std::int64_t, 3> cell_of(const Vec3d& point) const;

  double radius_;
  Vec3d corner_{};
  AlignedVector<std::uint64_t> keys_;  ///< sorted, one per point
  AlignedVector<std::int32_t> order_;  ///< the point of each key
  std::vector<Vec3d> points_;          ///< in the order of the keys
};

}  // namespace rankine::bem
