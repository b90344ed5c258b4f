// Points sorted into cubic cells, for the search of points within a radius of a position.
//
// The data are flat arrays: the sorted keys of the cells, and the points in that order. A key has z
// in its lowest bits. Neighbours along z are therefore one range of points, and a search with the
// edge of the cells as radius reads nine ranges.
// Host and device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// A thread that works alone. Alternatively several threads (lanes) share the work at a position,
/// each with a part of the points around it; sums are then over all lanes
/// (gpu/elements/device_redistribution.cu).
struct OneLane {
  static constexpr int count = 1;
  int index = 0;
  RANKINE_HD double sum(double x) const { return x; }
  RANKINE_HD bool any(bool is) const { return is; }
  RANKINE_HD std::uint64_t of(int, std::uint64_t value) const { return value; }
  RANKINE_HD void wait() const {}
  /// An object shared by all lanes.
  template <class T>
  struct Shared {
    T object;
    RANKINE_HD explicit Shared(const OneLane&) {}
    RANKINE_HD T& get() { return object; }
  };
};

struct ParticleCells {
  double edge = 0.0;    ///< of the cells, m
  double radius = 0.0;  ///< of searches, at most the edge, m
  Vec3d corner{};       ///< the least coordinates of all points
  std::size_t count = 0;
  const std::uint64_t* keys = nullptr;  ///< sorted, one per point
  const std::int32_t* order = nullptr;  ///< the point of each key
  const Vec3d* points = nullptr;        ///< in the order of the keys

  static constexpr int key_bits = 60;

  RANKINE_HD std::uint64_t key_of(const Vec3d& place) const {
    return key(cell(place, 0), cell(place, 1), cell(place, 2));
  }

  /// The same cells for searches with a smaller radius.
  RANKINE_HD ParticleCells within(double smaller) const {
    ParticleCells cells = *this;
    cells.radius = smaller;
    return cells;
  }

  /// Calls work(index, r) for every point closer to `place` than the radius, where r is the point
  /// minus `place`. The order depends only on the points. Lanes search the beginnings of different
  /// ranges, and process every range together.
  template <class Work, class Lanes = OneLane>
  RANKINE_HD void near(const Vec3d& place, Work&& work, const Lanes& lanes = {}) const {
    const Vec3d reach{radius, radius, radius}, low = place - reach, high = place + reach;
    const std::int64_t x = cell(low, 0), y = cell(low, 1), z = cell(low, 2), z_end = cell(high, 2);
    const int rows = static_cast<int>(cell(high, 1) - y) + 1,
              ranges = rows * (static_cast<int>(cell(high, 0) - x) + 1);
    const auto key_in = [&](int range, std::int64_t of_z) {
      return key(x + range / rows, y + range % rows, of_z);
    };
    for (int begin = 0; begin < ranges; begin += Lanes::count) {
      const int own = begin + lanes.index, end = std::min(begin + Lanes::count, ranges);
      const std::uint64_t own_first = own < ranges ? first_from(key_in(own, z)) : 0;
      for (int range = begin; range < end; ++range) {
        const std::uint64_t last = key_in(range, z_end);
        for (std::size_t k = lanes.of(range - begin, own_first) + lanes.index;
             k < count && keys[k] <= last; k += Lanes::count) {
          const Vec3d r = points[k] - place;
          if (dot(r, r) < radius * radius) work(static_cast<std::size_t>(order[k]), r);
        }
      }
    }
  }

 private:
  /// Cells are numbered from 1; points far outside are in the last cell.
  static constexpr std::int64_t most = (std::int64_t{1} << 20) - 2;

  RANKINE_HD static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>((x << 40) | (y << 20) | z);
  }
  RANKINE_HD std::int64_t cell(const Vec3d& point, int axis) const {
    const double at = std::floor((point[axis] - corner[axis]) / edge);
    return static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(most - 1))) + 1;
  }
  /// The first index with a key not below `key`.
  RANKINE_HD std::size_t first_from(std::uint64_t key) const {
    std::size_t begin = 0;
    for (std::size_t left = count; left > 0;) {  // without branches that would be mispredicted
      const std::size_t half = left / 2;
      begin = keys[begin + half] < key ? begin + left - half : begin;
      left = half;
    }
    return begin;
  }
};

}  // namespace rankine::bem
