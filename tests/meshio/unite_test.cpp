// The union of closed bodies of panels: volumes and areas by inclusion and exclusion, patches and
// panels that are not cut kept, and what has no union refused.
#include "rankine/meshes/repair/unite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/klein_bottle.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

constexpr double seconds = 60.0;

SurfaceMesh cube(const Vec3d& centre, double edge = 1.0, int panels = 96) {
  return make_box(panels, {edge, edge, edge}, centre);
}

class Union : public ::testing::Test {
 protected:
  void SetUp() override {
    SurfaceMesh mesh = joined(cube({0.0, 0.0, 0.0}), cube({0.5, 0.25, 0.125}));
    try {
      unite_bodies(mesh, seconds);
    } catch (const InputError& error) {
      ASSERT_TRUE(says(error.what(), "built without CGAL (Debian: libcgal-dev)")) << error.what();
      GTEST_SKIP() << "built without CGAL";
    }
  }
};

/// Volume and area of a mesh that must be closed, oriented and without faults.
MeshReport sound(const SurfaceMesh& mesh, std::size_t bodies) {
  const MeshReport report = check_mesh(mesh);
  for (const std::string& fault : defects(mesh, report)) ADD_FAILURE() << fault;
  EXPECT_EQ(report.inconsistent_edges.count, 0u);
  EXPECT_EQ(report.bodies.size(), bodies);
  EXPECT_EQ(mesh.patch.size(), mesh.elements.size());
  return report;
}

/// Two unit cubes, one moved by s: they share prod(1 - s_k).
TEST_F(Union, OverlappingCubes) {
  for (const Vec3d s : {Vec3d{0.5, 0.25, 0.125}, Vec3d{0.3, 0.0, 0.0}, Vec3d{0.1, 0.2, 0.0}}) {
    SurfaceMesh mesh = joined(cube({0.0, 0.0, 0.0}), cube(s));
    const std::string note = unite_bodies(mesh, seconds);
    EXPECT_TRUE(says(note, "repair: union: 1 of 2 bodies; ")) << note;
    const MeshReport report = sound(mesh, 1);
    const Vec3d common = Vec3d{1.0, 1.0, 1.0} - s;
    EXPECT_NEAR(report.volume, 2.0 - common.x * common.y * common.z, 1e-12);
    const double area = 2.0 * (common.x * common.y + common.y * common.z + common.z * common.x);
    EXPECT_NEAR(report.area, 12.0 - area, 1e-12) << "faces of both but those of what they share";
  }
}

TEST_F(Union, CubesThatTouch) {
  SurfaceMesh mesh = joined(cube({0.0, 0.0, 0.0}), cube({0.1, -0.2, 0.75}, 0.5, 54));
  unite_bodies(mesh, seconds);
  const MeshReport report = sound(mesh, 1);
  EXPECT_NEAR(report.volume, 1.125, 1e-12);
  EXPECT_NEAR(report.area, 6.0 + 4.0 * 0.25, 1e-12);
  for (const Flaw& flaw : inspect(mesh).flaws) EXPECT_NE(flaw.severity, Severity::refused);
}

/// The volume of what two polyhedra share is that of each less what the other adds.
TEST_F(Union, BallsInARow) {
  const SurfaceMesh ball = make_sphere(1280);
  const auto at = [](double x) { return make_sphere(1280, 1.0, {x, 0.01, 0.02}); };
  SurfaceMesh mesh = joined(joined(ball, at(1.5)), at(3.0));
  unite_bodies(mesh, seconds);
  const MeshReport report = sound(mesh, 1);
  // Two caps of height 0.25 at each of two places; the polyhedra lack 4 h^2/R^2 of it.
  const double caps = 4.0 * std::numbers::pi * 0.25 * 0.25 * (3.0 - 0.25) / 3.0;
  const double balls = 3.0 * check_mesh(ball).volume;
  EXPECT_NEAR(report.volume, balls - caps, 0.05 * caps);
}

TEST_F(Union, PatchesAndPanelsThatAreNotCutStay) {
  SurfaceMesh mesh = joined(joined(cube({0.0, 0.0, 0.0}), cube({0.5, 0.25, 0.125})),
                            make_torus(200, 2.0, 0.25, {0.0, 0.0, 8.0}));
  mesh.patch_names = {"left", "right", "ring"};
  for (const Element& element : mesh.elements)
    mesh.mid_nodes.push_back(straight_mid_nodes(mesh, element));
  const SurfaceMesh before = mesh;
  unite_bodies(mesh, seconds);
  sound(mesh, 2);
  EXPECT_EQ(mesh.patch_names, before.patch_names);
  ASSERT_EQ(mesh.mid_nodes.size(), mesh.elements.size());
  double area[3] = {};
  std::size_t quadrilaterals = 0, of_ring = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    area[mesh.patch[e]] += norm(vector_area(mesh, mesh.elements[e]));
    quadrilaterals += corner_count(mesh.elements[e]) == 4 ? 1 : 0;
    of_ring += mesh.patch[e] == 2 ? 1 : 0;
  }
  const double inside = 0.5 * 0.75 + 0.75 * 0.875 + 0.875 * 0.5;
  EXPECT_NEAR(area[0], 6.0 - inside, 1e-12);
  EXPECT_NEAR(area[1], 6.0 - inside, 1e-12);
  EXPECT_EQ(of_ring, make_torus(200, 2.0, 0.25).elements.size());
  EXPECT_GT(quadrilaterals, of_ring + 48) << "a cut cube keeps the panels of three of its faces";
}

/// A tube of square section along a path that crosses itself, with the walls of both parts in two
/// common planes.
TEST_F(Union, ABodyThatCrossesItself) {
  SurfaceMesh mesh;
  mesh.patch_names = {"tube"};
  mesh.source = "tube";
  // Places of the left and the right wall at the ends and corners of the path.
  const double places[5][4] = {{0.0, 0.5, 0.0, -0.5},
                               {3.5, 0.5, 4.5, -0.5},
                               {3.5, 2.5, 4.5, 3.5},
                               {1.5, 2.5, 0.5, 3.5},
                               {1.5, -2.0, 0.5, -2.0}};
  const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    mesh.elements.push_back({a, b, c, d});
    mesh.patch.push_back(0);
  };
  for (const auto& [left_x, left_y, right_x, right_y] : places) {
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), {{left_x, left_y, -0.5},
                                         {right_x, right_y, -0.5},
                                         {right_x, right_y, 0.5},
                                         {left_x, left_y, 0.5}});
    for (std::int32_t k = 0; first > 0 && k < 4; ++k)
      add(first - 4 + k, first - 4 + (k + 1) % 4, first + (k + 1) % 4, first + k);
  }
  add(3, 2, 1, 0);
  add(16, 17, 18, 19);
  const double twice = std::abs(check_mesh(mesh).volume);
  const std::string note = unite_bodies(mesh, seconds);
  EXPECT_TRUE(says(note, "repair: union: 1 of 1 bodies; ")) << note;
  EXPECT_NEAR(sound(mesh, 1).volume, twice - 1.0, 1e-12) << "less a cube that is in both parts";
  for (const Flaw& flaw : inspect(mesh).flaws) EXPECT_NE(flaw.kind, FlawKind::surface_crosses);
}

/// A body inside another that does not touch it is the wall of a cavity, and stays.
TEST_F(Union, BodiesApartStay) {
  SurfaceMesh mesh = joined(cube({0.0, 0.0, 0.0}), cube({0.0, 0.0, 0.0}, 0.25, 24));
  const std::vector<Element> before = mesh.elements;
  EXPECT_TRUE(says(unite_bodies(mesh, seconds), "union: 2 of 2 bodies"));
  EXPECT_EQ(mesh.elements, before);
}

TEST_F(Union, OpenBodiesAreRefused) {
  SurfaceMesh open = joined(cube({0.0, 0.0, 0.0}), cube({0.5, 0.0, 0.0}));
  std::vector<bool> gone(open.elements.size(), false);
  gone[0] = true;
  drop_elements(open, gone);
  EXPECT_TRUE(says(message_of<MeshError>([&] { unite_bodies(open, seconds); }), "\"fill\""));
}

TEST_F(Union, SurfacesWithOneSideAreRefused) {
  SurfaceMesh bottle = klein_bottle(24, 16);
  EXPECT_TRUE(
      says(message_of<MeshError>([&] { unite_bodies(bottle, seconds); }),
           "bottle: the surface has only one side (it comes back to element 352 at (2.51437, "));
}

/// Bodies that meet along an edge alone are solved as they are: their union is no surface.
TEST_F(Union, BodiesThatMeetAlongAnEdgeStayApart) {
  SurfaceMesh mesh = joined(cube({0.0, 0.0, 0.0}), cube({1.0, 1.0, 0.0}));
  const std::vector<Element> before = mesh.elements;
  const std::string note = unite_bodies(mesh, seconds);
  EXPECT_TRUE(says(note, "union: 2 of 2 bodies; 0 panels cut")) << note;
  EXPECT_EQ(mesh.elements, before);
}

/// A cube that is pinched in its middle: the nodes in the middle of two opposite faces are one.
TEST_F(Union, BodiesMayTouchThemselvesAtANode) {
  SurfaceMesh mesh = cube({0.0, 0.0, 0.0});
  const auto node_at = [&](const Vec3d& x) {
    std::int32_t nearest = 0;
    for (std::int32_t n = 0; n < std::ssize(mesh.nodes); ++n) {
      if (norm(mesh.nodes[n] - x) < norm(mesh.nodes[nearest] - x)) nearest = n;
    }
    return nearest;
  };
  const std::int32_t above = node_at({0.0, 0.0, 0.5}), below = node_at({0.0, 0.0, -0.5});
  for (Element& element : mesh.elements) std::replace(element.begin(), element.end(), below, above);
  mesh.nodes[above] = {0.0, 0.0, 0.0};
  drop_unused_nodes(mesh);
  const double volume = check_mesh(mesh).volume;
  ASSERT_LT(volume, 0.95);
  mesh = joined(mesh, cube({0.8, 0.8, 0.8}));
  unite_bodies(mesh, seconds);
  EXPECT_NEAR(sound(mesh, 1).volume, volume + 1.0 - 0.2 * 0.2 * 0.2, 1e-12);
}

TEST_F(Union, ReadingAFileEndsWithIt) {
  SurfaceMesh mesh = joined(cube({0.0, 0.0, 0.0}), cube({0.5, 0.25, 0.125}));
  mesh.source = "cubes.obj";
  mesh = finish_mesh(std::move(mesh), {},
                     {.unite = [](SurfaceMesh& united) { return unite_bodies(united, seconds); }});
  sound(mesh, 1);
  ASSERT_FALSE(mesh.warnings.empty());
  EXPECT_TRUE(says(mesh.warnings.back(), "union: 1 of 2 bodies"));
}

}  // namespace
}  // namespace rankine::meshes
