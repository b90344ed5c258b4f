// Geometry of a flat panel: corners, collocation point, normal and areas. Host and device.
#pragma once

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::bem {

struct MeasuredPanel {
  PanelShape<double> shape;
  Vec3d centroid, normal, vector_area;
  double area = 0.0, radius = 0.0;
  bool degenerate = false;
};

namespace detail {

/// Whether one length or area is larger than another by more than rounding. Diagonals and halves of
/// rectangles are equal, and all processors must make the same choice.
RANKINE_HD inline bool is_larger(double a, double b) { return a > (1.0 + 1e-12) * b; }

struct MeasuredTriangle {
  Vec3d centroid, vector_area;
  double area;
};

RANKINE_HD inline MeasuredTriangle measure_triangle(const Vec3d& a, const Vec3d& b,
                                                    const Vec3d& c) {
  const Vec3d vector_area = 0.5 * cross(b - a, c - a);
  return {(a + b + c) / 3.0, vector_area, norm(vector_area)};
}

/// Renumbers the corners of a quadrilateral so that the diagonal 0-2 is the shorter one.
RANKINE_HD inline void split_along_shorter_diagonal(PanelShape<double>& shape,
                                                    meshes::Element& nodes) {
  if (shape.corners < 4) return;
  Vec3d* const c = shape.corner;
  if (!is_larger(norm(c[2] - c[0]), norm(c[3] - c[1]))) return;
  const Vec3d corner = c[0];
  const std::int32_t node = nodes[0];
  for (int k = 0; k < 3; ++k) {
    c[k] = c[k + 1];
    nodes[static_cast<std::size_t>(k)] = nodes[static_cast<std::size_t>(k) + 1];
  }
  c[3] = corner;
  nodes[3] = node;
}

/// The point of the surface closest to the area centroid, moved onto the larger triangle at a small
/// distance from the diagonal.
RANKINE_HD inline Vec3d point_on_larger_triangle(const PanelShape<double>& shape,
                                                 const MeasuredTriangle& first,
                                                 const MeasuredTriangle& second,
                                                 const Vec3d& centroid) {
  const MeasuredTriangle& larger = is_larger(second.area, first.area) ? second : first;
  const Vec3d normal = larger.vector_area / larger.area;
  const Vec3d projected = centroid - normal * dot(normal, centroid - shape.corner[0]);
  // Distance from the diagonal 0-2 into the larger triangle, along the diagonal's in-plane normal.
  const Vec3d diagonal = normalized(shape.corner[2] - shape.corner[0]);
  const Vec3d from_corner = projected - shape.corner[0];
  const Vec3d inward = larger.centroid - shape.corner[0];
  const Vec3d across = inward - diagonal * dot(inward, diagonal);
  const double width = norm(across), depth = dot(from_corner, across) / width;
  const double least = 1e-4 * width, wanted = depth > least ? depth : least;
  return projected + across * ((wanted - depth) / width);
}

}  // namespace detail

/// The largest distance from a point to a corner.
RANKINE_HD inline double radius_about(const PanelShape<double>& shape, const Vec3d& point) {
  double radius = 0.0;
  for (int k = 0; k < shape.corners; ++k) {
    const double distance = norm(shape.corner[k] - point);
    if (distance > radius) radius = distance;
  }
  return radius;
}

/// The geometry of the element with the corners `nodes`, which are renumbered together with those
/// of its shape. `position(node)`: m.
template <class Position>
RANKINE_HD MeasuredPanel measure_panel(meshes::Element& nodes, const Position& position) {
  MeasuredPanel panel;
  PanelShape<double>& shape = panel.shape;
  shape.corners = meshes::corner_count(nodes);
  for (int k = 0; k < shape.corners; ++k)
    shape.corner[k] = position(nodes[static_cast<std::size_t>(k)]);
  detail::split_along_shorter_diagonal(shape, nodes);
  const Vec3d* corner = shape.corner;
  const detail::MeasuredTriangle first = detail::measure_triangle(corner[0], corner[1], corner[2]);
  detail::MeasuredTriangle second{};
  if (shape.corners == 4) second = detail::measure_triangle(corner[0], corner[2], corner[3]);
  double size = 0.0;
  for (int k = 1; k < shape.corners; ++k) {
    const double length = norm(corner[k] - corner[0]);
    if (length > size) size = length;
  }
  panel.area = first.area + second.area;
  panel.vector_area = first.vector_area + second.vector_area;
  panel.degenerate = !(norm(panel.vector_area) > 1e-14 * size * size);
  if (panel.degenerate) return panel;
  panel.centroid = (first.area * first.centroid + second.area * second.centroid) / panel.area;
  if (shape.corners == 4)
    panel.centroid = detail::point_on_larger_triangle(shape, first, second, panel.centroid);
  panel.normal = normalized(panel.vector_area);
  panel.radius = radius_about(shape, panel.centroid);
  return panel;
}

}  // namespace rankine::bem
