// Onset flows shared by tests of several folders.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/flow/onset.hpp"

namespace rankine::testing {

/// A closed regular polygon of vortex segments, its circulation by the right hand about `axis`.
inline std::vector<bem::VortexSegment> ring_of_vortices(const Vec3d& centre, const Vec3d& axis,
                                                        double radius, double circulation,
                                                        int sides) {
  const Vec3d along = normalized(axis);
  const Vec3d u = normalized(
                  cross(along, std::abs(along.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})),
              v = cross(along, u);
  const auto corner = [&](int k) {
    const double angle = 2.0 * std::numbers::pi * (k % sides) / sides;
    return centre + radius * (std::cos(angle) * u + std::sin(angle) * v);
  };
  std::vector<bem::VortexSegment> ring;
  for (int k = 0; k < sides; ++k) ring.push_back({corner(k), corner(k + 1), circulation});
  return ring;
}

/// One of each beside the unit sphere.
inline const bem::Onset source_doublet_and_ring{
    .sources = {{{1.7, 0.4, -0.3}, 2.0}},
    .doublets = {{{-0.5, -1.6, 0.9}, {0.7, -1.1, 0.4}}},
    .vortices = ring_of_vortices({0.0, 0.3, 2.0}, {0.2, -0.1, 1.0}, 0.8, 1.5, 40)};

}  // namespace rankine::testing
