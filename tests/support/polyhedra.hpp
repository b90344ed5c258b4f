// Polyhedra with triangular faces, and a hull with sharp keel and stems.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// Every face is divided into across x across triangles. Corners of faces are counter-clockwise as
/// viewed from outside.
inline meshes::SurfaceMesh polyhedron(const std::vector<Vec3d>& corners,
                                      const std::vector<std::array<std::size_t, 3>>& faces,
                                      int across) {
  meshes::SurfaceMesh mesh;
  std::map<std::array<long, 3>, std::int32_t> numbers;
  const auto node = [&](const Vec3d& x) {
    const auto key = [](double v) { return std::lround(1e8 * v); };
    const auto [at, is_new] = numbers.try_emplace({key(x.x), key(x.y), key(x.z)},
                                                  static_cast<std::int32_t>(mesh.nodes.size()));
    if (is_new) mesh.nodes.push_back(x);
    return at->second;
  };
  for (const auto& [a, b, c] : faces) {
    const auto at = [&](int i, int j) {
      return node(corners[a] + (1.0 * i / across) * (corners[b] - corners[a]) +
                  (1.0 * j / across) * (corners[c] - corners[a]));
    };
    for (int i = 0; i < across; ++i) {
      for (int j = 0; i + j < across; ++j) {
        mesh.elements.push_back({at(i, j), at(i + 1, j), at(i, j + 1), -1});
        if (i + j + 2 <= across)
          mesh.elements.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), -1});
      }
    }
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  mesh.patch_names = {"body"};
  return mesh;
}

inline meshes::SurfaceMesh tetrahedron(int across) {
  return polyhedron({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                    {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}, across);
}

/// An octahedron of the height 2 `height`, whose largest angles are at its middle plane.
inline meshes::SurfaceMesh bipyramid(double height, int across) {
  std::vector<std::array<std::size_t, 3>> faces;
  for (std::size_t k = 0; k < 4; ++k) {
    faces.push_back({k, (k + 1) % 4, 4});
    faces.push_back({(k + 1) % 4, k, 5});
  }
  return polyhedron(
      {{1, 0, 0}, {0, 1.2, 0}, {-1, 0, 0}, {0, -1.2, 0}, {0, 0, height}, {0, 0, -height}}, faces,
      across);
}

/// The half with y > 0 of Wigley's hull, 10 x 1 x 0.625 m under water, of along x deep
/// quadrilaterals.
inline meshes::SurfaceMesh half_wigley(int along, int deep) {
  constexpr double length = 10.0, breadth = 1.0, draft = 0.625;
  meshes::SurfaceMesh mesh;
  for (int j = 0; j <= deep; ++j) {
    for (int i = 0; i <= along; ++i) {
      const double s = 2.0 * i / along - 1.0, t = 1.0 * j / deep;
      mesh.nodes.push_back(
          {0.5 * length * s, 0.5 * breadth * (1.0 - s * s) * (1.0 - t * t), -draft * t});
    }
  }
  for (int j = 0; j < deep; ++j) {
    for (int i = 0; i < along; ++i) {
      const int first = j * (along + 1) + i, below = first + along + 1;
      mesh.elements.push_back({first, first + 1, below + 1, below});
    }
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  mesh.patch_names = {"hull"};
  return mesh;
}

}  // namespace rankine::testing
