// A body in the shape of an L: what a cube of edge 2, height 1, leaves without a quarter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// Squares of edge 1/n; the inner edge is x = y = 1, 0 < z < 1.
inline meshes::SurfaceMesh l_body(int n) {
  meshes::SurfaceMesh mesh;
  mesh.patch_names = {"body"};
  std::map<std::array<int, 3>, std::int32_t> number;
  const auto node = [&](const std::array<int, 3>& at) {
    const auto [found, is_new] =
        number.try_emplace(at, static_cast<std::int32_t>(mesh.nodes.size()));
    if (is_new) mesh.nodes.push_back(Vec3d{1.0 * at[0], 1.0 * at[1], 1.0 * at[2]} / n);
    return found->second;
  };
  const auto filled = [](const std::array<int, 3>& cube) {
    return cube[0] >= 0 && cube[1] >= 0 && cube[0] + cube[1] < 2 && cube[2] == 0;
  };
  for (const std::array<int, 3>& cube : {std::array{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const int side : {0, 1}) {
        std::array<int, 3> beyond = cube;
        beyond[axis] += 2 * side - 1;
        if (filled(beyond)) continue;
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        const auto corner = [&](int i, int j) {
          std::array<int, 3> at{};
          at[axis] = n * (cube[axis] + side);
          at[u] = n * cube[u] + i;
          at[v] = n * cube[v] + j;
          return node(at);
        };
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            const meshes::Element outward{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1),
                                          corner(i, j + 1)};
            mesh.elements.push_back(side == 1 ? outward : meshes::reversed(outward));
            mesh.patch.push_back(0);
          }
        }
      }
    }
  }
  return mesh;
}

}  // namespace rankine::testing
