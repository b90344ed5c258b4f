#include "rankine/meshes/measures.hpp"

#include <algorithm>

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

void BoundingBox::add(const Vec3d& point) {
  for (int i = 0; i < 3; ++i) {
    lower[i] = std::min(lower[i], point[i]);
    upper[i] = std::max(upper[i], point[i]);
  }
}

void BoundingBox::add(const BoundingBox& box) {
  add(box.lower);
  add(box.upper);
}

bool BoundingBox::contains(const BoundingBox& box) const {
  for (int i = 0; i < 3; ++i) {
    if (box.lower[i] < lower[i] || box.upper[i] > upper[i]) return false;
  }
  return true;
}

BoundingBox bounding_box(const SurfaceMesh& mesh) {
  BoundingBox box;
  for (const Element& element : mesh.elements) {
    for (int k = 0; k < corner_count(element); ++k) box.add(mesh.nodes[element[k]]);
  }
  return box;
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
    const double lu = norm(u), lv = norm(v), lw = norm(w);
    const double denominator = lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv;
    angle += 2.0 * std::atan2(dot(u, cross(v, w)), denominator);
  });
  return angle;
}

}  // namespace rankine::meshes
