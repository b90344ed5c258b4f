// Bodies and small helpers shared by the tests of bem.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/meshes/box.hpp"
#include "rankine/meshes/geodesic.hpp"

namespace rankine::bem::testing {

/// A unit sphere of warped quadrilaterals: a box whose faces are mapped by equal angles.
inline meshes::SurfaceMesh cubed_sphere(std::int64_t panels) {
  meshes::SurfaceMesh mesh = meshes::make_box(panels, {2.0, 2.0, 2.0});
  for (Vec3d& p : mesh.nodes) {
    for (int axis = 0; axis < 3; ++axis) p[axis] = std::tan(p[axis] * std::numbers::pi / 4.0);
    p = normalized(p);
  }
  return mesh;
}

/// The geodesic sphere with its nodes drawn together on one side: panels of all sizes and shapes.
inline meshes::SurfaceMesh graded_sphere(std::int64_t panels) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(panels);
  for (Vec3d& p : mesh.nodes)
    p = normalized(Vec3d{p.x + 0.5 * p.x * p.x, p.y + 0.3 * p.x * p.y, p.z});
  return mesh;
}

/// Both meshes in one, the second's patches after the first's.
inline meshes::SurfaceMesh joined(meshes::SurfaceMesh first, const meshes::SurfaceMesh& second) {
  const auto shift = static_cast<std::int32_t>(first.nodes.size());
  const auto patches = static_cast<std::int32_t>(first.patch_names.size());
  first.nodes.insert(first.nodes.end(), second.nodes.begin(), second.nodes.end());
  for (meshes::Element element : second.elements) {
    for (std::int32_t& node : element) node = node < 0 ? node : node + shift;
    first.elements.push_back(element);
  }
  for (const std::int32_t patch : second.patch) first.patch.push_back(patch + patches);
  first.patch_names.insert(first.patch_names.end(), second.patch_names.begin(),
                           second.patch_names.end());
  return first;
}

inline Vec3d random_point(std::mt19937& generator, double half_width) {
  std::uniform_real_distribution<double> uniform(-half_width, half_width);
  return {uniform(generator), uniform(generator), uniform(generator)};
}

/// Nearly uniform points on the unit sphere.
inline std::vector<Vec3d> fibonacci_sphere(int count) {
  std::vector<Vec3d> points;
  for (int k = 0; k < count; ++k) {
    const double z = 1.0 - 2.0 * (k + 0.5) / count, angle = 2.399963229728653 * k;
    const double r = std::sqrt(1.0 - z * z);
    points.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return points;
}

/// Observed order between two levels whose panel numbers have the given ratio (sizes shrink like
/// its root).
inline double order(double coarse, double fine, double panel_ratio = 4.0) {
  return 2.0 * std::log(coarse / fine) / std::log(panel_ratio);
}

}  // namespace rankine::bem::testing
