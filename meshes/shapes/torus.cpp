#include "rankine/meshes/shapes/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::meshes {
namespace {

struct TorusGrid {
  std::int64_t around_axis, around_tube;
};

TorusGrid torus_grid(double major_radius, double minor_radius, double edge) {
  const auto cells = [&](double radius) {
    return std::max<std::int64_t>(3, std::llround(2.0 * std::numbers::pi * radius / edge));
  };
  return {cells(major_radius), cells(minor_radius)};
}

}  // namespace

SurfaceMesh make_torus(std::int64_t panels, double major_radius, double minor_radius,
                       const Vec3d& centre, PanelKind kind) {
  require_panels("torus", panels);
  require_length("torus", "the minor radius", minor_radius);
  require_length("torus", "the major radius", major_radius);
  if (major_radius <= minor_radius) {
    throw InputError("the major radius of the torus, " + text_of(major_radius) +
                     " m, must be larger than its minor radius, " + text_of(minor_radius) +
                     " m, or the surface crosses itself");
  }
  const std::int64_t cells = kind == PanelKind::triangles ? (panels + 1) / 2 : panels;
  const double edge = largest_edge(major_radius, cells, [&](double h) {
    const TorusGrid grid = torus_grid(major_radius, minor_radius, h);
    return grid.around_axis * grid.around_tube;
  });
  const auto [n, m] = torus_grid(major_radius, minor_radius, edge);

  SurfaceMesh mesh;
  mesh.nodes.reserve(n * m);
  for (std::int64_t i = 0; i < n; ++i) {
    const double u = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    for (std::int64_t j = 0; j < m; ++j) {
      const double v = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(m);
      const double distance = major_radius + minor_radius * std::cos(v);
      mesh.nodes.push_back(centre + Vec3d{distance * std::cos(u), distance * std::sin(u),
                                          minor_radius * std::sin(v)});
    }
  }
  const auto node = [n = n, m = m](std::int64_t i, std::int64_t j) {
    return static_cast<std::int32_t>((i % n) * m + j % m);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      add_cell(mesh, {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)}, kind);
    }
  }
  return finish_shape(std::move(mesh), "torus");
}

}  // namespace rankine::meshes
