// Meshes made of others: ellipsoids, groups of bodies, and unit spheres without the geodesic
// pattern, on which results can be better than on other meshes.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::testing {

/// Warped quadrilaterals: a box whose faces are mapped by equal angles.
inline meshes::SurfaceMesh cubed_sphere(std::int64_t panels) {
  meshes::SurfaceMesh mesh = meshes::make_box(panels, {2.0, 2.0, 2.0});
  for (Vec3d& p : mesh.nodes) {
    for (int axis = 0; axis < 3; ++axis) p[axis] = std::tan(p[axis] * std::numbers::pi / 4.0);
    p = normalized(p);
  }
  return mesh;
}

/// The geodesic sphere with its nodes concentrated on one side: panels of many sizes and shapes.
inline meshes::SurfaceMesh graded_sphere(std::int64_t panels) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(panels);
  for (Vec3d& p : mesh.nodes)
    p = normalized(Vec3d{p.x + 0.5 * p.x * p.x, p.y + 0.3 * p.x * p.y, p.z});
  return mesh;
}

/// The geodesic sphere with every node moved by up to a third of a panel: triangles without a
/// pattern.
inline meshes::SurfaceMesh jittered_sphere(std::int64_t panels) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(panels);
  const double size = std::sqrt(4.0 * std::numbers::pi / static_cast<double>(mesh.elements.size()));
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-0.33 * size, 0.33 * size);
  for (Vec3d& p : mesh.nodes)
    p = normalized(p + Vec3d{uniform(generator), uniform(generator), uniform(generator)});
  return mesh;
}

/// Every node times `factors`, axis by axis: ellipsoids of spheres.
inline meshes::SurfaceMesh stretched(meshes::SurfaceMesh mesh, const Vec3d& factors) {
  for (Vec3d& p : mesh.nodes) p = {factors.x * p.x, factors.y * p.y, factors.z * p.z};
  return mesh;
}

/// Every node moved by `way`, m.
inline meshes::SurfaceMesh moved(meshes::SurfaceMesh mesh, const Vec3d& way) {
  for (Vec3d& p : mesh.nodes) p += way;
  return mesh;
}

/// Both meshes in one, the second's nodes and patches after the first's.
inline meshes::SurfaceMesh joined(meshes::SurfaceMesh first, const meshes::SurfaceMesh& second) {
  const auto nodes = static_cast<std::int32_t>(first.nodes.size()),
             patches = static_cast<std::int32_t>(first.patch_names.size());
  first.nodes.insert(first.nodes.end(), second.nodes.begin(), second.nodes.end());
  for (meshes::Element element : second.elements) {
    for (std::int32_t& node : element) node = node < 0 ? node : node + nodes;
    first.elements.push_back(element);
  }
  for (const std::int32_t patch : second.patch) first.patch.push_back(patch + patches);
  first.patch_names.insert(first.patch_names.end(), second.patch_names.begin(),
                           second.patch_names.end());
  return first;
}

/// The mesh with every normal on its other side.
inline meshes::SurfaceMesh turned_round(meshes::SurfaceMesh mesh) {
  for (meshes::Element& element : mesh.elements) element = meshes::reversed(element);
  return mesh;
}

}  // namespace rankine::testing
