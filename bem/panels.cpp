#include "bem/panels.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "fmm/error.hpp"

namespace rankine::bem {
namespace {

bool finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::string where(const meshes::SurfaceMesh& mesh, std::size_t element) {
  std::string text = "element " + std::to_string(element);
  if (!mesh.source.empty()) text += " of " + mesh.source;
  return text;
}

PanelShape<double> shape_of(const meshes::SurfaceMesh& mesh, std::size_t index) {
  const meshes::Element& element = mesh.elements[index];
  PanelShape<double> shape;
  shape.corners = meshes::corner_count(element);
  for (int k = 0; k < shape.corners; ++k) {
    if (element[k] < 0 || static_cast<std::size_t>(element[k]) >= mesh.nodes.size()) {
      throw MeshError(where(mesh, index) + " names node " + std::to_string(element[k]) +
                      ", but there are " + std::to_string(mesh.nodes.size()) +
                      " nodes; repair the mesh file");
    }
    shape.corner[k] = mesh.nodes[element[k]];
    if (!finite(shape.corner[k])) {
      throw MeshError(where(mesh, index) + " has a corner whose coordinates are not finite (node " +
                      std::to_string(element[k]) + "); repair the mesh file");
    }
  }
  return shape;
}

/// Turns a quadrilateral so that the split diagonal 0-2 is the shorter one.
void split_along_shorter_diagonal(PanelShape<double>& shape, meshes::Element& nodes) {
  if (shape.corners < 4) return;
  if (norm(shape.corner[2] - shape.corner[0]) > norm(shape.corner[3] - shape.corner[1])) {
    std::rotate(shape.corner, shape.corner + 1, shape.corner + 4);
    std::rotate(nodes.begin(), nodes.begin() + 1, nodes.end());
  }
}

struct Triangle {
  Vec3d centroid, vector_area;
  double area;
};

Triangle triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d vector_area = 0.5 * cross(b - a, c - a);
  return {(a + b + c) / 3.0, vector_area, norm(vector_area)};
}

/// The point of the warped surface under the area centroid: on the larger triangle, off the
/// diagonal by a hair.
Vec3d point_on_larger_triangle(const PanelShape<double>& shape, const Triangle& first,
                               const Triangle& second, const Vec3d& centroid) {
  const Triangle& larger = first.area >= second.area ? first : second;
  const Vec3d normal = larger.vector_area / larger.area;
  const Vec3d projected = centroid - normal * dot(normal, centroid - shape.corner[0]);
  // Distance into the larger triangle from the diagonal 0-2, along the in-plane normal of the
  // diagonal.
  const Vec3d diagonal = normalized(shape.corner[2] - shape.corner[0]);
  const Vec3d from_corner = projected - shape.corner[0];
  const Vec3d inward = larger.centroid - shape.corner[0];
  const Vec3d across = inward - diagonal * dot(inward, diagonal);
  const double width = norm(across);
  const double depth = dot(from_corner, across) / width;
  const double wanted = std::max(depth, 1e-4 * width);
  return projected + across * ((wanted - depth) / width);
}

}  // namespace

Panels make_panels(const meshes::SurfaceMesh& mesh) {
  const std::size_t count = mesh.elements.size();
  Panels panels;
  panels.shape.resize(count);
  panels.centroid.resize(count);
  panels.normal.resize(count);
  panels.area.resize(count);
  panels.radius.resize(count);
  panels.nodes = mesh.elements;
  panels.node_count = mesh.nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    PanelShape<double> shape = shape_of(mesh, i);
    split_along_shorter_diagonal(shape, panels.nodes[i]);
    const Triangle first = triangle(shape.corner[0], shape.corner[1], shape.corner[2]);
    Triangle second{};
    if (shape.corners == 4) second = triangle(shape.corner[0], shape.corner[2], shape.corner[3]);
    const double area = first.area + second.area;
    const Vec3d vector_area = first.vector_area + second.vector_area;
    double size = 0.0;
    for (int k = 1; k < shape.corners; ++k)
      size = std::max(size, norm(shape.corner[k] - shape.corner[0]));
    if (!(norm(vector_area) > 1e-14 * size * size)) {
      throw MeshError(where(mesh, i) + " has no area (" + std::to_string(area) +
                      " m^2); remove degenerate elements from the mesh");
    }
    Vec3d centroid = (first.area * first.centroid + second.area * second.centroid) / area;
    const bool warped = area - norm(vector_area) > 1e-14 * area;
    if (shape.corners == 4 && warped)
      centroid = point_on_larger_triangle(shape, first, second, centroid);

    double radius = 0.0;
    for (int k = 0; k < shape.corners; ++k)
      radius = std::max(radius, norm(shape.corner[k] - centroid));
    panels.shape[i] = shape;
    panels.centroid[i] = centroid;
    panels.normal[i] = normalized(vector_area);
    panels.area[i] = area;
    panels.radius[i] = radius;
  }
  return panels;
}

double enclosed_volume(const Panels& panels) {
  double volume = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    volume += panels.area[i] * dot(panels.centroid[i], panels.normal[i]) / 3.0;
  }
  return volume;
}

double total_area(const Panels& panels) {
  double area = 0.0;
  for (const double a : panels.area) area += a;
  return area;
}

}  // namespace rankine::bem
