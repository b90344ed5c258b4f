// Built-in shapes: counts, topology, and convergence of volume and area to the exact bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numbers>
#include <set>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/closed_body.hpp"

namespace rankine::meshes {
namespace {

using std::numbers::pi;

/// Nodes - edges + panels: 2 - 2 genus of a closed surface.
long euler_characteristic(const SurfaceMesh& mesh) {
  long half_edges = 0;
  for (const Element& element : mesh.elements) half_edges += corner_count(element);
  return static_cast<long>(mesh.nodes.size()) - half_edges / 2 +
         static_cast<long>(mesh.elements.size());
}

void expect_good_surface(const SurfaceMesh& mesh, long characteristic) {
  testing::expect_one_closed_body(mesh);
  EXPECT_EQ(euler_characteristic(mesh), characteristic);
  EXPECT_EQ(mesh.patch, std::vector<std::int32_t>(mesh.elements.size(), 0));
  EXPECT_EQ(mesh.patch_names, std::vector<std::string>{"body"});
}

/// Corners lie on the surface, so volume and area err by c h^2 + O(h^4): the observed order between
/// h and h/2 is 2 + O(h^2), here with h^2 below 0.03.
void expect_second_order(const std::function<SurfaceMesh(std::int64_t)>& make, double volume,
                         double area) {
  const MeshReport coarse = check_mesh(make(1)), fine = check_mesh(make(4));
  const auto order = [](double coarse_error, double fine_error) {
    return std::log2(std::abs(coarse_error) / std::abs(fine_error));
  };
  EXPECT_NEAR(order(coarse.volume - volume, fine.volume - volume), 2.0, 0.05);
  EXPECT_NEAR(order(coarse.area - area, fine.area - area), 2.0, 0.05);
}

TEST(Sphere, HasTheGeodesicCountAtOrAboveTheOneAsked) {
  const std::pair<int, std::size_t> counts[] = {{1, 20},           {20, 20},       {21, 80},
                                                {1000, 1280},      {20480, 20480}, {20481, 21780},
                                                {1000000, 1003520}};
  for (const auto& [asked, panels] : counts) {
    const SurfaceMesh mesh = make_sphere(asked);
    EXPECT_EQ(mesh.elements.size(), panels);
    EXPECT_EQ(mesh.nodes.size(), panels / 2 + 2);
  }
}

TEST(Sphere, IsAClosedOutwardSurfaceOfTheRadius) {
  for (const int panels : {20, 80, 180, 2000}) {
    const Vec3d centre{1.0, -2.0, 3.0};
    const SurfaceMesh mesh = make_sphere(panels, 0.5, centre);
    expect_good_surface(mesh, 2);
    for (const Vec3d& node : mesh.nodes) EXPECT_NEAR(norm(node - centre), 0.5, 1e-15);
    EXPECT_LT(check_mesh(mesh).max_aspect, 1.5);
  }
}

TEST(Sphere, ConvergesWithSecondOrder) {
  expect_second_order([](std::int64_t times) { return make_sphere(1280 * times); }, 4.0 * pi / 3.0,
                      4.0 * pi);
}

TEST(Ellipsoid, ConvergesWithSecondOrder) {
  const double a = 3.0, b = 2.0, c = 1.0;
  // Legendre: S = 2 pi c^2 + 2 pi a b / sin t (E(t, k) sin^2 t + F(t, k) cos^2 t), cos t = c/a.
  const double t = std::acos(c / a);
  const double k = a / b * std::sqrt((b * b - c * c) / (a * a - c * c));
  const double area = 2.0 * pi * c * c + 2.0 * pi * a * b / std::sin(t) *
                                             (std::ellint_2(k, t) * std::sin(t) * std::sin(t) +
                                              std::ellint_1(k, t) * std::cos(t) * std::cos(t));
  expect_good_surface(make_ellipsoid(500, {a, b, c}), 2);
  expect_second_order(
      [&](std::int64_t times) {
        return make_ellipsoid(20480 * times, {a, b, c});
      },
      4.0 / 3.0 * pi * a * b * c, area);
}

TEST(Torus, IsClosedWithOneHoleAndConverges) {
  const double major = 2.0, minor = 0.5;
  for (const PanelKind kind : {PanelKind::triangles, PanelKind::quadrilaterals}) {
    for (const int panels : {1, 100, 3000}) {
      const SurfaceMesh mesh = make_torus(panels, major, minor, {0.0, 1.0, 0.0}, kind);
      EXPECT_GE(mesh.elements.size(), static_cast<std::size_t>(panels));
      expect_good_surface(mesh, 0);
    }
    // 4 : 1 around axis and tube: n x m = 4 m x m cells for m = 40 and 80.
    const int per_cell = kind == PanelKind::triangles ? 2 : 1;
    expect_second_order(
        [&](std::int64_t times) {
          return make_torus(6400 * times * per_cell, major, minor, {}, kind);
        },
        2.0 * pi * pi * major * minor * minor, 4.0 * pi * pi * major * minor);
  }
}

TEST(Torus, HasPlaneQuadrilaterals) {
  const SurfaceMesh mesh = make_torus(500, 2.0, 1.0);
  for (const auto& [a, b, c, d] : mesh.elements) {
    const Vec3d u = mesh.nodes[b] - mesh.nodes[a], v = mesh.nodes[c] - mesh.nodes[a];
    EXPECT_NEAR(dot(cross(u, v), mesh.nodes[d] - mesh.nodes[a]), 0.0, 1e-15);
  }
}

// As long as wide on the centre line, shortened inside the ring by the ratio of the radii there;
// the numbers of cells are whole, an eighth more or less.
TEST(Torus, HasNearlySquareCells) {
  const double major = 4.0, minor = 1.0;
  const SurfaceMesh mesh = make_torus(1000, major, minor);
  EXPECT_LE(check_mesh(mesh).max_aspect, 9.0 / 8.0 * major / (major - minor));
}

TEST(Box, PlanesDrawTogetherTowardsItsEdges) {
  // Six cells, the k-th plane of three from a face at (k/3)^2 of half the length.
  const SurfaceMesh mesh =
      make_box(216, {1.0, 2.0, 4.0}, {3.0, 0.0, 0.0}, PanelKind::triangles, 2.0);
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.watertight());
  EXPECT_NEAR(report.volume, 8.0, 1e-13);
  const SurfaceMesh cube = make_box(216, {2.0, 2.0, 2.0}, {}, PanelKind::quadrilaterals, 2.0);
  std::set<double> places;
  for (const Vec3d& node : cube.nodes) places.insert(std::round(node.x * 1e9) / 1e9);
  ASSERT_EQ(places.size(), 7u);
  EXPECT_NEAR(*std::next(places.begin()), -8.0 / 9.0, 1e-8);
  EXPECT_NEAR(*std::next(places.begin(), 2), -5.0 / 9.0, 1e-8);
}

TEST(Box, IsExact) {
  const Vec3d size{1.0, 2.0, 3.5}, centre{-1.0, 0.25, 4.0};
  for (const PanelKind kind : {PanelKind::triangles, PanelKind::quadrilaterals}) {
    for (const int panels : {1, 12, 1000, 1234}) {
      const SurfaceMesh mesh = make_box(panels, size, centre, kind);
      EXPECT_GE(mesh.elements.size(), static_cast<std::size_t>(panels));
      expect_good_surface(mesh, 2);
      const MeshReport report = check_mesh(mesh);
      EXPECT_NEAR(report.volume, 7.0, 1e-12);  // rounding of up to 2500 terms of size 1e-2
      EXPECT_NEAR(report.area, 25.0, 1e-12);
      EXPECT_NEAR(norm(report.box.lower - (centre - 0.5 * size)), 0.0, 1e-15);
      EXPECT_NEAR(norm(report.box.upper - (centre + 0.5 * size)), 0.0, 1e-15);
    }
  }
}

TEST(Box, HasSquareCellsWhereTheyFit) {
  const SurfaceMesh mesh = make_box(std::int64_t{6} * 64, {1.0, 1.0, 1.0});
  EXPECT_EQ(mesh.elements.size(), 6u * 64u);
  EXPECT_NEAR(check_mesh(mesh).max_aspect, 1.0, 1e-14);
}

TEST(Shapes, RefuseImpossibleArguments) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(make_sphere(0), InputError);
  EXPECT_THROW(make_sphere(2'000'000'000), InputError);
  EXPECT_THROW(make_sphere(20, -1.0), InputError);
  EXPECT_THROW(make_sphere(20, nan), InputError);
  EXPECT_THROW(make_sphere(20, std::numeric_limits<double>::infinity()), InputError);
  EXPECT_THROW(make_ellipsoid(20, {1.0, 0.0, 1.0}), InputError);
  EXPECT_THROW(make_torus(20, 1.0, 1.0), InputError);
  EXPECT_THROW(make_box(20, {1.0, 1.0, -1.0}), InputError);
  EXPECT_THROW(make_box(20, {1.0, 1.0, 1.0}, {}, PanelKind::triangles, 0.5), InputError);
}

}  // namespace
}  // namespace rankine::meshes
