// A closed surface with one side.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// Closed, but one side only: going once round in u, v comes back as -v (the figure-eight
/// immersion).
inline meshes::SurfaceMesh klein_bottle(int n, int m) {
  constexpr double pi = std::numbers::pi;
  meshes::SurfaceMesh mesh;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double u = 2.0 * pi * i / n, v = 2.0 * pi * j / m;
      const double w = std::cos(u / 2) * std::sin(v) - std::sin(u / 2) * std::sin(2 * v);
      mesh.nodes.push_back({(3.0 + w) * std::cos(u), (3.0 + w) * std::sin(u),
                            std::sin(u / 2) * std::sin(v) + std::cos(u / 2) * std::sin(2 * v)});
    }
  }
  const auto node = [&](int i, int j) {
    return static_cast<std::int32_t>(i < n ? i * m + j % m : (2 * m - j) % m);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      mesh.elements.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
      mesh.patch.push_back(0);
    }
  }
  mesh.source = "bottle";
  return mesh;
}

}  // namespace rankine::testing
