#include "rankine/meshes/shapes/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::meshes {
namespace {

void require_grading(const std::string& shape, double grading) {
  if (grading >= 1.0 && grading <= most_grading) return;
  throw InputError("the grading of the " + shape + " is " + text_of(grading) +
                   "; give 1 (all panels alike) to " +
                   std::to_string(static_cast<int>(most_grading)));
}

/// Graded position, from 0 in the middle to 1 at the rim.
double graded(double s, double grading) { return 1.0 - std::pow(1.0 - s, grading); }

/// Positions of the grid lines of `cells` cells from -1 to 1, graded towards both ends.
std::vector<double> graded_lines(std::int64_t cells, double grading) {
  std::vector<double> lines;
  for (std::int64_t k = 0; k <= cells; ++k) {
    const double s = static_cast<double>(2 * k - cells) / static_cast<double>(cells);
    lines.push_back(std::copysign(graded(std::abs(s), grading), s));
  }
  return lines;
}

/// Adds a ring of `count` nodes whose polygon has the area of the circle.
void add_ring(SurfaceMesh& mesh, std::int64_t count, double radius, const Vec3d& centre) {
  const double angle = 2.0 * std::numbers::pi / static_cast<double>(count),
               distance = radius * std::sqrt(angle / std::sin(angle));
  for (std::int64_t k = 0; k < count; ++k) {
    const double u = angle * static_cast<double>(k);
    mesh.nodes.push_back(centre + Vec3d{distance * std::cos(u), distance * std::sin(u), 0.0});
  }
}

/// Adds the triangles between ring `ring`, with 6 `ring` nodes, and the ring inside it, by
/// sextants.
void add_triangles(SurfaceMesh& mesh, std::int64_t ring) {
  const std::int64_t inner = ring - 1, first_inner = inner == 0 ? 0 : 1 + 3 * inner * (inner - 1),
                     first = 1 + 3 * ring * (ring - 1);
  const auto in = [&](std::int64_t k) {
    return static_cast<std::int32_t>(first_inner + (inner == 0 ? 0 : k % (6 * inner)));
  };
  const auto out = [&](std::int64_t k) {
    return static_cast<std::int32_t>(first + k % (6 * ring));
  };
  for (std::int64_t sextant = 0; sextant < 6; ++sextant) {
    for (std::int64_t k = 0; k < ring; ++k) {
      const std::int64_t i = sextant * inner + k, o = sextant * ring + k;
      mesh.elements.push_back({in(i), out(o), out(o + 1), -1});
      if (k + 1 < ring) mesh.elements.push_back({in(i), out(o + 1), in(i + 1), -1});
    }
  }
}

/// Adds quadrilaterals between rows of nodes; a closed row connects its end to its beginning.
void add_rows(SurfaceMesh& mesh, std::int64_t rows, std::int64_t in_row, bool closed) {
  const auto node = [&](std::int64_t row, std::int64_t at) {
    return static_cast<std::int32_t>(row * in_row + at % in_row);
  };
  for (std::int64_t j = 0; j + 1 < rows; ++j) {
    for (std::int64_t k = 0; k < in_row - (closed ? 0 : 1); ++k)
      mesh.elements.push_back({node(j, k), node(j, k + 1), node(j + 1, k + 1), node(j + 1, k)});
  }
}

}  // namespace

SurfaceMesh make_disc(std::int64_t panels, double radius, const Vec3d& centre, double grading) {
  require_panels("disc", panels);
  require_length("disc", "the radius", radius);
  require_grading("disc", grading);
  // 6 half^2 triangles and the same number of quadrilaterals.
  const auto half = std::max<std::int64_t>(
      1,
      static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(panels) / 12.0) - 1e-9)));
  SurfaceMesh mesh;
  mesh.nodes.push_back(centre);
  for (std::int64_t ring = 1; ring <= 2 * half; ++ring) {
    const double s = static_cast<double>(ring) / static_cast<double>(2 * half);
    add_ring(mesh, 6 * std::min(ring, half), radius * graded(s, grading), centre);
    if (ring <= half) {
      add_triangles(mesh, ring);
      continue;
    }
    const std::int64_t around = 6 * half,
                       first = 1 + 3 * half * (half + 1) + (ring - half - 1) * around;
    for (std::int64_t k = 0; k < around; ++k) {
      const auto out = [&](std::int64_t at) {
        return static_cast<std::int32_t>(first + at % around);
      };
      const auto in = [&](std::int64_t at) {
        return static_cast<std::int32_t>(first - around + at % around);
      };
      mesh.elements.push_back({in(k), out(k), out(k + 1), in(k + 1)});
    }
  }
  return finish_shape(std::move(mesh), "disc");
}

SurfaceMesh make_plate(std::int64_t panels, double length, double width, const Vec3d& centre,
                       double grading) {
  require_panels("plate", panels);
  require_length("plate", "the length", length);
  require_length("plate", "the width", width);
  require_grading("plate", grading);
  const auto cells = [&](double size, double edge) {
    return std::max<std::int64_t>(1, std::llround(size / edge));
  };
  const double edge = largest_edge(std::max(length, width), panels,
                                   [&](double h) { return cells(length, h) * cells(width, h); });
  const std::vector<double> x = graded_lines(cells(length, edge), grading),
                            y = graded_lines(cells(width, edge), grading);
  SurfaceMesh mesh;
  for (const double v : y) {
    for (const double u : x)
      mesh.nodes.push_back(centre + Vec3d{0.5 * length * u, 0.5 * width * v, 0.0});
  }
  add_rows(mesh, std::ssize(y), std::ssize(x), false);
  return finish_shape(std::move(mesh), "plate");
}

SurfaceMesh make_tube(std::int64_t panels, double radius, double length, const Vec3d& centre,
                      double grading) {
  require_panels("tube", panels);
  require_length("tube", "the radius", radius);
  require_length("tube", "the length", length);
  require_grading("tube", grading);
  const double round = 2.0 * std::numbers::pi * radius;
  const auto around_at = [&](double edge) {
    return std::max<std::int64_t>(3, std::llround(round / edge));
  };
  const auto along_at = [&](double edge) {
    return std::max<std::int64_t>(1, std::llround(length / edge));
  };
  const double edge = largest_edge(std::max(round, length), panels,
                                   [&](double h) { return around_at(h) * along_at(h); });
  const std::int64_t around = around_at(edge);
  const std::vector<double> z = graded_lines(along_at(edge), grading);
  SurfaceMesh mesh;
  for (const double w : z) {
    for (std::int64_t k = 0; k < around; ++k) {
      const double u =
          2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(around);
      mesh.nodes.push_back(centre +
                           Vec3d{radius * std::cos(u), radius * std::sin(u), 0.5 * length * w});
    }
  }
  add_rows(mesh, std::ssize(z), around, true);
  return finish_shape(std::move(mesh), "tube");
}

}  // namespace rankine::meshes
