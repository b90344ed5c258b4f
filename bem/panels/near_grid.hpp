// The grids for the search of near pairs. Host and device.
//
// Sources are sorted into classes of radii within a factor of two. Each class has a uniform grid
// whose cells are as wide as its largest radius. So the sources whose ball contains a target are in
// the 27 cells around it, which are nine runs of consecutive keys
//
//   key = class, z, y, x   from the highest bits to the lowest
//
// There is no array of cells, only their keys, so memory is O(N) for meshes of any grading.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Position of a cell in the grid of its class. Sources have positions 0 to `last`; targets outside
/// the grid get the adjacent position.
struct Cell {
  static constexpr int bits = 19;  // per axis in a key
  static constexpr std::int64_t last = (std::int64_t{1} << bits) - 1;

  std::int64_t x, y, z;

  RANKINE_HD friend bool operator==(const Cell& a, const Cell& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

/// A source of the search. Coincident points are in reach for any radius.
struct NearSource {
  Vec3d point;
  double radius2;

  RANKINE_HD NearSource(const Vec3d& p, double radius)
      : point(p), radius2(std::fmax(radius * radius, std::numeric_limits<double>::denorm_min())) {}

  RANKINE_HD bool reaches(const Vec3d& x) const {
    const Vec3d r = x - point;
    return dot(r, r) < radius2;
  }
};

/// Whether `ball` is the first ball of its source that contains x, so that a source is found once.
/// The balls of the source begin at `first`.
RANKINE_HD inline bool first_to_reach(const Vec3d* centre, const double* radius, std::int64_t first,
                                      std::int64_t ball, const Vec3d& x) {
  for (std::int64_t k = first; k < ball; ++k) {
    if (NearSource(centre[k], radius[k]).reaches(x)) return false;
  }
  return true;
}

/// The grids of all classes.
struct NearGrids {
  static constexpr int most_classes = 64;  // smaller radii share the last one
  static constexpr int key_bits = 6 + 3 * Cell::bits;

  Vec3d origin;
  int largest_exponent = 0;
  int classes = 0;             ///< number of classes with sources
  int occupied[most_classes];  ///< the classes with sources, largest radii first
  double width[most_classes];  ///< of the cells, by class

  /// Sources of radius zero reach coincident points and also need a class.
  RANKINE_HD static double reach_of(double radius) {
    return radius > std::numeric_limits<double>::min() ? radius
                                                       : std::numeric_limits<double>::min();
  }
  RANKINE_HD int class_of(double radius) const {
    const int below = largest_exponent - std::ilogb(reach_of(radius));
    return below < most_classes ? below : most_classes - 1;
  }

  /// Sets the cells for sources in a box with the lowest corner `low` and the longest edge
  /// `longest`. `reach`: the largest reach_of() of every class, 0 for a class without sources.
  void set_cells(const Vec3d& low, double longest, const double* reach) {
    origin = low;
    for (int c = 0; c < most_classes; ++c) {
      if (!(reach[c] > 0.0)) continue;
      occupied[classes++] = c;
      // Slightly wider than the reach, so that rounding cannot place a point within reach two cells
      // away.
      width[c] = (1.0 + 1e-9) * std::max(reach[c], longest / static_cast<double>(Cell::last - 1));
    }
  }

  RANKINE_HD Cell cell_of(const Vec3d& point, int size_class) const {
    const Vec3d r = (point - origin) / width[size_class];
    const auto place = [](double coordinate) {
      return static_cast<std::int64_t>(
          std::floor(std::fmin(std::fmax(coordinate, -2.0), Cell::last + 2.0)));
    };
    return {place(r.x), place(r.y), place(r.z)};
  }

  RANKINE_HD static std::uint64_t key_of(int size_class, const Cell& cell) {
    std::uint64_t key = static_cast<std::uint64_t>(size_class);
    key = key << Cell::bits | static_cast<std::uint64_t>(cell.z);
    key = key << Cell::bits | static_cast<std::uint64_t>(cell.y);
    return key << Cell::bits | static_cast<std::uint64_t>(cell.x);
  }
  RANKINE_HD static int class_of_key(std::uint64_t key) {
    return static_cast<int>(key >> (3 * Cell::bits));
  }
  /// The key of a source.
  RANKINE_HD std::uint64_t key_of(const Vec3d& source, double radius) const {
    const int size_class = class_of(radius);
    return key_of(size_class, cell_of(source, size_class));
  }

  /// Calls visit(first, last) for every run of keys around `centre`.
  template <class Visit>
  RANKINE_HD static void visit_runs(int size_class, const Cell& centre, Visit&& visit) {
    const auto from = [](std::int64_t place) { return place > 0 ? place - 1 : 0; };
    const auto to = [](std::int64_t place) { return place < Cell::last ? place + 1 : Cell::last; };
    if (from(centre.x) > to(centre.x)) return;
    for (std::int64_t z = from(centre.z); z <= to(centre.z); ++z) {
      for (std::int64_t y = from(centre.y); y <= to(centre.y); ++y) {
        visit(key_of(size_class, {from(centre.x), y, z}), key_of(size_class, {to(centre.x), y, z}));
      }
    }
  }
};

/// Index of the first of `count` ascending keys that is not below `key`.
RANKINE_HD inline std::int64_t first_not_below(const std::uint64_t* keys, std::int64_t count,
                                               std::uint64_t key) {
  std::int64_t begin = 0;
  while (count > 0) {
    const std::int64_t half = count / 2;
    if (keys[begin + half] < key) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

}  // namespace rankine::bem
