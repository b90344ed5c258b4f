#include "rankine/meshes/shapes/shapes.hpp"

#include <array>
#include <cassert>
#include <cmath>

#include "rankine/meshes/shapes/shape_arguments.hpp"

namespace rankine::meshes {
namespace {

constexpr int vertex_count = 12, edge_count = 30, face_count = 20;

/// The faces of an icosahedron, counter-clockwise from outside.
constexpr std::array<std::array<int, 3>, face_count> face_vertices{{
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
}};

std::array<Vec3d, vertex_count> icosahedron() {
  const double g = (1.0 + std::sqrt(5.0)) / 2.0;
  std::array<Vec3d, vertex_count> vertices{{{-1, g, 0},
                                            {1, g, 0},
                                            {-1, -g, 0},
                                            {1, -g, 0},
                                            {0, -1, g},
                                            {0, 1, g},
                                            {0, -1, -g},
                                            {0, 1, -g},
                                            {g, 0, -1},
                                            {g, 0, 1},
                                            {-g, 0, -1},
                                            {-g, 0, 1}}};
  for (Vec3d& vertex : vertices) vertex = normalized(vertex);
  return vertices;
}

/// Node numbers: the 12 vertices, then f - 1 nodes inside each edge, then those inside each face.
class GeodesicNumbering {
 public:
  explicit GeodesicNumbering(std::int64_t divisions) : f_(divisions) {
    for (auto& row : edge_) row.fill(-1);
    int edges = 0;
    for (const auto& face : face_vertices) {
      for (int k = 0; k < 3; ++k) {
        const int from = face[k], to = face[(k + 1) % 3];
        if (from < to) edge_[from][to] = edges++;
      }
    }
    assert(edges == edge_count);
  }

  std::int64_t node_count() const { return 10 * f_ * f_ + 2; }

  /// The node m divisions from vertex `from` along the edge to vertex `to`, 0 <= m <= f.
  std::int64_t on_edge(int from, int to, std::int64_t m) const {
    if (m == 0) return from;
    if (m == f_) return to;
    if (from > to) return on_edge(to, from, f_ - m);
    return vertex_count + edge_[from][to] * (f_ - 1) + m - 1;
  }

  /// The node of a face with weight i on its second and j on its third vertex.
  std::int64_t on_face(int face, std::int64_t i, std::int64_t j) const {
    const auto [a, b, c] = face_vertices[face];
    if (j == 0) return on_edge(a, b, i);
    if (i == 0) return on_edge(a, c, j);
    if (i + j == f_) return on_edge(b, c, j);
    const std::int64_t inside_one_face = (f_ - 1) * (f_ - 2) / 2;
    const std::int64_t rows_before = (i - 1) * (f_ - 1) - i * (i - 1) / 2;
    return vertex_count + edge_count * (f_ - 1) + face * inside_one_face + rows_before + j - 1;
  }

 private:
  std::int64_t f_;
  std::array<std::array<int, vertex_count>, vertex_count> edge_{};
};

/// The smallest f with 20 f^2 >= panels.
std::int64_t divisions_for(std::int64_t panels) {
  auto f = static_cast<std::int64_t>(std::sqrt(static_cast<double>(panels) / face_count));
  while (face_count * f * f < panels) ++f;
  return f;
}

}  // namespace

SurfaceMesh make_ellipsoid(std::int64_t panels, const Vec3d& semi_axes, const Vec3d& centre) {
  require_panels("ellipsoid", panels);
  for (int i = 0; i < 3; ++i) require_length("ellipsoid", "a semi-axis", semi_axes[i]);
  const std::int64_t f = divisions_for(panels);
  const GeodesicNumbering number(f);
  const auto vertices = icosahedron();
  const double arc = std::acos(1.0 / std::sqrt(5.0));
  std::vector<double> weight(f + 1);
  for (std::int64_t m = 0; m <= f; ++m) {
    weight[m] = std::sin(arc * static_cast<double>(m) / static_cast<double>(f));
  }

  SurfaceMesh mesh;
  mesh.nodes.resize(number.node_count());
  mesh.elements.reserve(face_count * f * f);
  const auto node = [&](int face, std::int64_t i, std::int64_t j) {
    return static_cast<std::int32_t>(number.on_face(face, i, j));
  };
  for (int face = 0; face < face_count; ++face) {
    const auto [a, b, c] = face_vertices[face];
    for (std::int64_t i = 0; i <= f; ++i) {
      for (std::int64_t j = 0; i + j <= f; ++j) {
        const Vec3d p = normalized(weight[f - i - j] * vertices[a] + weight[i] * vertices[b] +
                                   weight[j] * vertices[c]);
        mesh.nodes[node(face, i, j)] =
            centre + Vec3d{semi_axes.x * p.x, semi_axes.y * p.y, semi_axes.z * p.z};
        if (i + j == f) continue;
        mesh.elements.push_back({node(face, i, j), node(face, i + 1, j), node(face, i, j + 1), -1});
        if (i + j + 1 == f) continue;
        mesh.elements.push_back(
            {node(face, i + 1, j), node(face, i + 1, j + 1), node(face, i, j + 1), -1});
      }
    }
  }
  return finish_shape(std::move(mesh), "ellipsoid");
}

SurfaceMesh make_sphere(std::int64_t panels, double radius, const Vec3d& centre) {
  require_panels("sphere", panels);
  require_length("sphere", "the radius", radius);
  return finish_shape(make_ellipsoid(panels, {radius, radius, radius}, centre), "sphere");
}

}  // namespace rankine::meshes
