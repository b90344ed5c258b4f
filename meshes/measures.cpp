#include "rankine/meshes/measures.hpp"

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/solid_angle.hpp"

namespace rankine::meshes {
namespace {

/// Calls f(a, b, c) for the one or two triangles of a panel.
template <class Function>
void for_triangles(const SurfaceMesh& mesh, const Element& element, Function f) {
  const Vec3d& a = mesh.nodes[element[0]];
  const Vec3d& b = mesh.nodes[element[1]];
  const Vec3d& c = mesh.nodes[element[2]];
  f(a, b, c);
  if (corner_count(element) == 4) f(a, c, mesh.nodes[element[3]]);
}

}  // namespace

BoundingBox bounding_box(const SurfaceMesh& mesh) {
  return parallel_reduce(mesh.elements.size(), BoundingBox{}, [&](std::size_t e, BoundingBox& box) {
    const Element& element = mesh.elements[e];
    for (int k = 0; k < corner_count(element); ++k) box.add(mesh.nodes[element[k]]);
  });
}

Vec3d vector_area(const SurfaceMesh& mesh, const Element& element) {
  Vec3d area;
  for_triangles(mesh, element, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    area += 0.5 * cross(b - a, c - a);
  });
  return area;
}

Vec3d corner_mean(const SurfaceMesh& mesh, const Element& element) {
  const int corners = corner_count(element);
  Vec3d sum;
  for (int k = 0; k < corners; ++k) sum += mesh.nodes[element[k]];
  return sum / static_cast<double>(corners);
}

double volume_under(const SurfaceMesh& mesh, const Element& element, const Vec3d& origin) {
  double volume = 0.0;
  for_triangles(mesh, element, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    volume += dot(a - origin, cross(b - origin, c - origin)) / 6.0;
  });
  return volume;
}

double solid_angle(const SurfaceMesh& mesh, const Element& element, const Vec3d& point) {
  double angle = 0.0;
  for_triangles(mesh, element, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d u = a - point, v = b - point, w = c - point;
    angle += triangle_solid_angle(dot(u, cross(v, w)), norm(u), norm(v), norm(w), dot(u, v),
                                  dot(v, w), dot(w, u));
  });
  return angle;
}

}  // namespace rankine::meshes
