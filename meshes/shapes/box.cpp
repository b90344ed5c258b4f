#include "rankine/meshes/shapes/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::meshes {
namespace {

using Lattice = std::array<std::int64_t, 3>;

Lattice lattice(const Vec3d& size, double edge) {
  Lattice cells{};
  for (int d = 0; d < 3; ++d) cells[d] = std::max<std::int64_t>(1, std::llround(size[d] / edge));
  return cells;
}

std::int64_t surface_cells(const Lattice& n) {
  return 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
}

/// The node number of a lattice point on the surface: layer z = 0 first, then the rings between,
/// then layer z = nz.
std::int64_t surface_node(const Lattice& n, const Lattice& point) {
  const std::int64_t layer = (n[0] + 1) * (n[1] + 1), ring = 2 * (n[0] + n[1]);
  const auto [i, j, k] = point;
  if (k == 0) return j * (n[0] + 1) + i;
  if (k == n[2]) return layer + (k - 1) * ring + j * (n[0] + 1) + i;
  const std::int64_t first = layer + (k - 1) * ring;
  if (j == 0) return first + i;
  if (i == n[0]) return first + n[0] + j;
  if (j == n[1]) return first + n[0] + n[1] + (n[0] - i);
  return first + ring - j;
}

/// The position of lattice plane k of n, from -1/2 to 1/2.
double graded(std::int64_t k, std::int64_t n, double grading) {
  const double place = 2.0 * static_cast<double>(k) / static_cast<double>(n) - 1.0;
  return std::copysign(0.5 * (1.0 - std::pow(1.0 - std::abs(place), grading)), place);
}

}  // namespace

SurfaceMesh make_box(std::int64_t panels, const Vec3d& size, const Vec3d& centre, PanelKind kind,
                     double grading) {
  require_panels("box", panels);
  if (!(grading >= 1.0 && grading <= 8.0))
    throw InputError("box: the grading is " + text_of(grading) + "; give 1 to 8");
  for (int d = 0; d < 3; ++d) require_length("box", "an edge", size[d]);
  const std::int64_t cells = kind == PanelKind::triangles ? (panels + 1) / 2 : panels;
  const double longest = std::max({size.x, size.y, size.z});
  const Lattice n = lattice(size, largest_edge(longest, cells, [&](double h) {
                              return surface_cells(lattice(size, h));
                            }));

  SurfaceMesh mesh;
  mesh.nodes.resize(2 * (n[0] + 1) * (n[1] + 1) + (n[2] - 1) * 2 * (n[0] + n[1]));
  const auto node = [&](const Lattice& point) {
    const auto number = static_cast<std::int32_t>(surface_node(n, point));
    for (int d = 0; d < 3; ++d) {
      mesh.nodes[number][d] = centre[d] + size[d] * graded(point[d], n[d], grading);
    }
    return number;
  };
  for (int d = 0; d < 3; ++d) {
    const int u = (d + 1) % 3, v = (d + 2) % 3;
    for (const bool upper : {false, true}) {
      for (std::int64_t i = 0; i < n[u]; ++i) {
        for (std::int64_t j = 0; j < n[v]; ++j) {
          const auto corner = [&](std::int64_t di, std::int64_t dj) {
            Lattice point{};
            point[d] = upper ? n[d] : 0;
            point[u] = i + di;
            point[v] = j + dj;
            return node(point);
          };
          const Element cell{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
          add_cell(mesh, upper ? cell : reversed(cell), kind);
        }
      }
    }
  }
  return finish_shape(std::move(mesh), "box");
}

}  // namespace rankine::meshes
