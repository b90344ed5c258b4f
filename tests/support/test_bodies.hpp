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
#include "tests/support/meshes_together.hpp"

namespace rankine::testing {

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

/// The geodesic sphere with every node moved by up to a third of a panel: triangles without a pattern.
inline meshes::SurfaceMesh jittered_sphere(std::int64_t panels) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(panels);
  const double size = std::sqrt(4.0 * std::numbers::pi / static_cast<double>(mesh.elements.size()));
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-0.33 * size, 0.33 * size);
  for (Vec3d& p : mesh.nodes)
    p = normalized(p + Vec3d{uniform(generator), uniform(generator), uniform(generator)});
  return mesh;
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

}  // namespace rankine::testing
