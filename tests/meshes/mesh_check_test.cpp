// Deliberately broken meshes: what is found, where, and the message.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace rankine::testing;

std::string refusal(const SurfaceMesh& mesh) {
  return message_of<MeshError>([&] { require_sound(mesh, check_mesh(mesh)); });
}

/// A tetrahedron on the edge 0-1, which both of a pair share.
SurfaceMesh two_tetrahedra_on_one_edge() {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
  for (const std::int32_t c : {2, 4}) {
    const std::int32_t d = c + 1;
    mesh.elements.insert(mesh.elements.end(),
                         {{0, 1, d, -1}, {0, c, 1, -1}, {0, d, c, -1}, {1, c, d, -1}});
  }
  mesh.patch.assign(8, 0);
  mesh.source = "pair";
  return mesh;
}

TEST(CheckMesh, MeasuresAGoodSurface) {
  const SurfaceMesh mesh = make_box(96, {2.0, 2.0, 2.0});
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.quadrilaterals, 96u);
  EXPECT_EQ(report.triangles, 0u);
  EXPECT_EQ(report.nodes, 98u);
  EXPECT_NEAR(report.min_edge, 0.5, 1e-15);
  EXPECT_NEAR(report.max_edge, 0.5, 1e-15);
  EXPECT_NEAR(report.mean_edge, 0.5, 1e-14);
  EXPECT_NO_THROW(require_sound(mesh, report));
}

TEST(CheckMesh, AspectIsLongestEdgeOverWidth) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {4, 0, 0}, {2, 0.5, 0}, {4, 1, 0}, {0, 1, 0}};
  mesh.elements = {{0, 1, 2, -1}};  // base 4, height 1/2
  EXPECT_DOUBLE_EQ(check_mesh(mesh).max_aspect, 8.0);
  mesh.elements = {{0, 1, 3, 4}};  // 4 by 1
  EXPECT_DOUBLE_EQ(check_mesh(mesh).max_aspect, 4.0);
}

TEST(CheckMesh, CountsBodiesWithTheirVolumes) {
  const SurfaceMesh mesh =
      joined(make_box(6, {1, 1, 1}), turned_round(make_box(24, {2, 2, 2}, {5, 0, 0})));
  const MeshReport report = check_mesh(mesh);
  ASSERT_EQ(report.bodies.size(), 2u);
  EXPECT_EQ(report.bodies[0].panels, 6u);
  EXPECT_EQ(report.bodies[1].panels, 24u);
  EXPECT_NEAR(report.bodies[0].volume, 1.0, 1e-14);
  EXPECT_NEAR(report.bodies[1].volume, -8.0, 1e-13);
  EXPECT_NEAR(report.bodies[1].area, 24.0, 1e-13);
  EXPECT_EQ(report.bodies[1].box.lower.x, 4.0);
}

/// The report does not depend on the order of the panels, of which several threads take parts.
TEST(CheckMesh, AddsUpBodiesWhosePanelsAreMixed) {
  const SurfaceMesh left = make_sphere(20480), right = make_sphere(20480, 0.5, {3.0, 0.0, 0.0});
  SurfaceMesh mesh = joined(left, turned_round(right));
  std::mt19937 random(5);
  std::shuffle(mesh.elements.begin() + 1, mesh.elements.end(), random);
  const MeshReport report = check_mesh(mesh), alone = check_mesh(left), small = check_mesh(right);
  ASSERT_EQ(report.bodies.size(), 2u);
  constexpr double rounding = 1e-12;
  for (std::size_t body = 0; body < 2; ++body) {
    const Body &found = report.bodies[body], &wanted = (body == 0 ? alone : small).bodies[0];
    EXPECT_EQ(found.panels, wanted.panels);
    EXPECT_NEAR(found.area, wanted.area, rounding * wanted.area);
    EXPECT_NEAR(found.volume, (body == 0 ? 1.0 : -1.0) * wanted.volume, rounding * wanted.volume);
    EXPECT_EQ(found.box.lower, wanted.box.lower);
    EXPECT_EQ(found.box.upper, wanted.box.upper);
  }
  EXPECT_EQ(report.triangles, 40960u);
  const Element first = mesh.elements[8191], last = mesh.elements[8192];  // of two parts
  mesh.elements.erase(mesh.elements.begin() + 8191, mesh.elements.begin() + 8193);
  const MeshReport open = check_mesh(mesh);
  EXPECT_EQ(open.boundary_edges.count, 6u);
  const auto has = [&](const Vec3d& x) {
    const auto ends_at = [&](const Element& element) {
      for (int k = 0; k < 3; ++k) {
        if (norm(0.5 * (mesh.nodes[element[k]] + mesh.nodes[element[(k + 1) % 3]]) - x) == 0.0)
          return true;
      }
      return false;
    };
    return ends_at(first) || ends_at(last);
  };
  EXPECT_TRUE(has(open.boundary_edges.where));
}

TEST(CheckMesh, FindsAHole) {
  SurfaceMesh mesh = make_sphere(320);
  mesh.elements.erase(mesh.elements.begin() + 17);
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.boundary_edges.count, 3u);
  EXPECT_FALSE(report.watertight());
  const std::string message = refusal(mesh);
  EXPECT_TRUE(says(message, "sphere: the surface is open: 3 edges of one panel only"));
  EXPECT_TRUE(says(message, "the first at ("));
}

TEST(CheckMesh, FindsFlippedPanels) {
  SurfaceMesh mesh = make_sphere(320);
  mesh.elements[5] = reversed(mesh.elements[5]);
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.inconsistent_edges.count, 3u);
  EXPECT_TRUE(report.watertight());
  EXPECT_TRUE(defects(mesh, report).empty()) << "orientation can be repaired";
}

TEST(CheckMesh, FindsDuplicatesInAnyCornerOrder) {
  SurfaceMesh mesh = make_torus(100, 2.0, 1.0);
  const std::size_t count = mesh.elements.size();
  const auto [a, b, c, d] = mesh.elements[7];
  mesh.elements.push_back({c, d, a, b});
  mesh.elements.push_back({d, c, b, a});
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.duplicates.count, 2u);
  EXPECT_EQ(report.duplicates.first, (std::vector<std::size_t>{count, count + 1}));
  const std::string message = refusal(mesh);
  EXPECT_TRUE(says(message, "torus: 2 panels with the same corners as an earlier one (elements " +
                                std::to_string(count)));
  EXPECT_FALSE(says(message, "three panels")) << "a consequence of the duplicates";
}

TEST(CheckMesh, FindsDegeneratePanels) {
  SurfaceMesh mesh = make_sphere(80);
  mesh.elements.push_back({0, 1, 1, -1});
  mesh.nodes.push_back(0.5 * (mesh.nodes[0] + mesh.nodes[1]));
  mesh.elements.push_back({0, 1, static_cast<std::int32_t>(mesh.nodes.size()) - 1, -1});
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.degenerate.first, (std::vector<std::size_t>{80, 81}));
  const std::string message = refusal(mesh);
  EXPECT_TRUE(says(message, "sphere: 2 panels without area"));
  EXPECT_TRUE(says(message, "(elements 80, 81, the first at ("));
}

TEST(CheckMesh, FindsQuadrilateralsWithARepeatedCorner) {
  for (int k = 1; k < 4; ++k) {
    for (int l = 0; l < k; ++l) {
      SurfaceMesh mesh;
      mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
      mesh.elements = {{0, 1, 2, 3}};
      mesh.elements[0][k] = mesh.elements[0][l];
      EXPECT_EQ(check_mesh(mesh).degenerate.count, 1u) << k << ' ' << l;
    }
  }
}

TEST(CheckMesh, DegenerateDoesNotDependOnUnits) {
  for (const double radius : {1e-12, 1e-9, 1.0, 1e9, 1e12}) {
    const SurfaceMesh mesh = make_sphere(20480, radius);
    EXPECT_EQ(check_mesh(mesh).degenerate.count, 0u);
    EXPECT_NO_THROW(require_sound(mesh, check_mesh(mesh)));
    SurfaceMesh needle;
    needle.nodes = {{0, 0, 0}, {radius, 0, 0}, {0.5 * radius, 1e-13 * radius, 0}};
    needle.elements = {{0, 1, 2, -1}};
    EXPECT_EQ(check_mesh(needle).degenerate.count, 1u) << radius;
  }
}

// Its corners are whole numbers, and so is what is left when the first is subtracted.
TEST(CheckMesh, VolumeOfABodyFarAwayIsExact) {
  const double far = std::ldexp(1.0, 30);
  const SurfaceMesh mesh =
      joined(make_box(6, {2.0, 2.0, 2.0}), make_box(6, {2.0, 2.0, 2.0}, {far, -far, far}));
  for (const Body& body : check_mesh(mesh).bodies) EXPECT_DOUBLE_EQ(body.volume, 8.0);
}

TEST(CheckMesh, FindsCoordinatesThatAreNotFinite) {
  SurfaceMesh mesh = make_sphere(80);
  mesh.nodes[4].y = std::numeric_limits<double>::quiet_NaN();
  mesh.nodes[9].z = std::numeric_limits<double>::infinity();
  EXPECT_EQ(check_mesh(mesh).non_finite_nodes.count, 2u);
  const std::string message = refusal(mesh);
  EXPECT_TRUE(says(message, "2 nodes with a coordinate that is not a finite number (nodes 4, 9)"));
}

TEST(CheckMesh, FindsIndicesOutOfRange) {
  SurfaceMesh mesh = make_sphere(80);
  mesh.elements[3][1] = 42;
  EXPECT_TRUE(says(refusal(mesh), "1 element with a node outside 0 … 41 (element 3)"));
  mesh.elements[3] = {0, -1, 2, -1};
  EXPECT_TRUE(says(refusal(mesh), "1 element with a node outside"));
}

TEST(CheckMesh, UnusedNodesAreHarmless) {
  SurfaceMesh mesh = make_sphere(80);
  mesh.nodes.push_back({std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0});
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.unused_nodes.count, 1u);
  EXPECT_NO_THROW(require_sound(mesh, report));
}

TEST(CheckMesh, FindsEdgesOfMoreThanTwoPanels) {
  const SurfaceMesh mesh = two_tetrahedra_on_one_edge();
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.non_manifold_edges.count, 1u);
  EXPECT_EQ(report.boundary_edges.count, 0u);
  EXPECT_EQ(report.non_manifold_edges.where, (Vec3d{0.0, 0.0, 0.5}));
  EXPECT_TRUE(says(refusal(mesh), "pair: not a simple surface: 1 edge shared by three panels"));
}

TEST(CheckMesh, RefusesNothingAtAll) {
  SurfaceMesh mesh;
  mesh.source = "empty";
  EXPECT_TRUE(says(refusal(mesh), "empty has no surface elements"));
}

TEST(CheckMesh, NamesFiveAndLeavesTheRest) {
  SurfaceMesh mesh = make_sphere(80);
  for (int copy = 0; copy < 7; ++copy) mesh.elements.push_back(mesh.elements[copy]);
  EXPECT_TRUE(says(refusal(mesh), "7 panels with the same corners"));
  EXPECT_TRUE(says(refusal(mesh), "elements 80, 81, 82, 83, 84, …"));
}

}  // namespace
}  // namespace rankine::meshes
