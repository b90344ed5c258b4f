// The lattice at whose points a redistribution adds particles, for loops on host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "rankine/bem/particles/plane_images.hpp"

namespace rankine::bem {

/// The lattice of points whose coordinates are integer multiples of `spacing`, each with a key.
/// With a symmetry plane, the lattice is shifted along the plane's normal, so that the plane lies
/// midway between points.
struct Lattice {
  double spacing;
  PlaneImages planes;
  Vec3d origin = planes.place;

  Lattice(double edge, const PlaneImages& images) : spacing(edge), planes(images) {
    for (int axis = 0; axis < 3; ++axis) {
      if (planes.reflects(planes.axes, axis)) origin[axis] += 0.5 * spacing;
    }
  }

  static constexpr int key_bits = 63;

  /// Calls work(key) for the lattice points within `within` spacings of a position, except very far
  /// from the origin. Points beyond planes are replaced by their images.
  template <class Work>
  RANKINE_HD void near(const Vec3d& place, double within, Work&& work) const {
    const Vec3d at = (place - origin) / spacing;
    if (std::fmax(std::fmax(std::abs(at.x), std::abs(at.y)), std::abs(at.z)) > offset - 4.0) return;
    const auto low = [&](double x) { return static_cast<int>(std::ceil(x - within)); };
    const auto high = [&](double x) { return static_cast<int>(std::floor(x + within)); };
    for (int x = low(at.x); x <= high(at.x); ++x) {
      for (int y = low(at.y); y <= high(at.y); ++y) {
        for (int z = low(at.z); z <= high(at.z); ++z) {
          const Vec3d r = Vec3d{1.0 * x, 1.0 * y, 1.0 * z} - at;
          if (dot(r, r) < within * within) work(part(x, 0) << 42 | part(y, 1) << 21 | part(z, 2));
        }
      }
    }
  }
  RANKINE_HD Vec3d point(std::uint64_t key) const {
    return origin + Vec3d{coordinate(key >> 42), coordinate(key >> 21), coordinate(key)};
  }

 private:
  static constexpr int offset = 1 << 20;
  RANKINE_HD std::uint64_t part(int i, int axis) const {
    const bool below = planes.inside[axis] < planes.place[axis];
    if (planes.reflects(planes.axes, axis) && (i < 0) != below) i = -1 - i;
    return static_cast<std::uint64_t>(i + offset);
  }
  RANKINE_HD double coordinate(std::uint64_t bits) const {
    return spacing * (static_cast<int>(bits & (2 * offset - 1)) - offset);
  }
};

}  // namespace rankine::bem
