// Bodies with flat sides and edges between them.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// A prism over a regular polygon with flat ends. Each side is `across` panels wide. The patch of a
/// panel is the number of its side; the ends are patches `sides` and `sides` + 1.
inline meshes::SurfaceMesh prism(int sides, int across) {
  meshes::SurfaceMesh mesh;
  const int around = sides * across;
  for (const double z : {0.0, 0.5, 1.0}) {
    for (int k = 0; k < around; ++k) {
      const auto corner = [&](int side) {
        const double angle = 2.0 * std::numbers::pi * side / sides;
        return Vec3d{std::cos(angle), std::sin(angle), z};
      };
      const double part = static_cast<double>(k % across) / across;
      mesh.nodes.push_back((1.0 - part) * corner(k / across) + part * corner(k / across + 1));
    }
  }
  mesh.nodes.push_back({0.0, 0.0, 0.0});
  mesh.nodes.push_back({0.0, 0.0, 1.0});
  for (int k = 0; k < around; ++k) {
    const int next = (k + 1) % around;
    for (int layer = 0; layer < 2; ++layer) {
      mesh.elements.push_back({layer * around + k, layer * around + next,
                               (layer + 1) * around + next, (layer + 1) * around + k});
      mesh.patch.push_back(k / across);
    }
    mesh.elements.push_back({3 * around, next, k, -1});
    mesh.patch.push_back(sides);
    mesh.elements.push_back({3 * around + 1, 2 * around + k, 2 * around + next, -1});
    mesh.patch.push_back(sides + 1);
  }
  for (int side = 0; side < sides + 2; ++side) mesh.patch_names.push_back(std::to_string(side));
  return mesh;
}

}  // namespace rankine::testing
