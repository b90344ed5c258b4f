#include "rankine/meshes/shapes/sphere_meshes.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"

namespace rankine::meshes {

SurfaceMesh make_cubed_sphere(std::int64_t panels) {
  SurfaceMesh mesh = make_box(panels, {2.0, 2.0, 2.0});
  for (Vec3d& p : mesh.nodes) {
    for (int axis = 0; axis < 3; ++axis) p[axis] = std::tan(p[axis] * std::numbers::pi / 4.0);
    p = normalized(p);
  }
  return mesh;
}

SurfaceMesh make_graded_sphere(std::int64_t panels) {
  SurfaceMesh mesh = make_sphere(panels);
  for (Vec3d& p : mesh.nodes)
    p = normalized(Vec3d{p.x + 0.5 * p.x * p.x, p.y + 0.3 * p.x * p.y, p.z});
  return mesh;
}

SurfaceMesh make_jittered_sphere(std::int64_t panels) {
  SurfaceMesh mesh = make_sphere(panels);
  const double size = std::sqrt(4.0 * std::numbers::pi / static_cast<double>(mesh.elements.size()));
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-0.33 * size, 0.33 * size);
  for (Vec3d& p : mesh.nodes)
    p = normalized(p + Vec3d{uniform(generator), uniform(generator), uniform(generator)});
  return mesh;
}

SurfaceMesh stretched(SurfaceMesh mesh, const Vec3d& factors) {
  for (Vec3d& p : mesh.nodes) p = {factors.x * p.x, factors.y * p.y, factors.z * p.z};
  return mesh;
}

SurfaceMesh moved(SurfaceMesh mesh, const Vec3d& way) {
  for (Vec3d& p : mesh.nodes) p += way;
  return mesh;
}

SurfaceMesh joined(SurfaceMesh first, const SurfaceMesh& second) {
  const auto nodes = static_cast<std::int32_t>(first.nodes.size()),
             patches = static_cast<std::int32_t>(first.patch_names.size());
  first.nodes.insert(first.nodes.end(), second.nodes.begin(), second.nodes.end());
  for (Element element : second.elements) {
    for (std::int32_t& node : element) node = node < 0 ? node : node + nodes;
    first.elements.push_back(element);
  }
  for (const std::int32_t patch : second.patch) first.patch.push_back(patch + patches);
  first.patch_names.insert(first.patch_names.end(), second.patch_names.begin(),
                           second.patch_names.end());
  return first;
}

}  // namespace rankine::meshes
