// Meshes replaced by well-shaped triangles: sharp edges, patches, volumes and the smooth surface
// stay, slivers go.
#include "rankine/meshes/repair/remesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/repair/unite.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

constexpr double time_limit = 60.0;

class Remesh : public ::testing::Test {
 protected:
  void SetUp() override {
    SurfaceMesh mesh = make_box(24, {1.0, 1.0, 1.0});
    try {
      remesh(mesh, 0.0, 0.0, time_limit);
    } catch (const InputError& error) {
      ASSERT_TRUE(says(error.what(), "built without CGAL (Debian: libcgal-dev)")) << error.what();
      GTEST_SKIP() << "built without CGAL";
    }
  }
};

/// The report of a mesh that must be closed and free of slivers.
MeshReport well_shaped(const SurfaceMesh& mesh) {
  const MeshReport report = check_mesh(mesh);
  for (const std::string& fault : defects(mesh, report)) ADD_FAILURE() << fault;
  EXPECT_EQ(report.inconsistent_edges.count, 0u);
  for (const Flaw& flaw : inspect(mesh).flaws) {
    EXPECT_NE(flaw.kind, FlawKind::sliver);
    EXPECT_NE(flaw.kind, FlawKind::folded);
  }
  return report;
}

double area_of_patch(const SurfaceMesh& mesh, std::int32_t patch) {
  double area = 0.0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    area += mesh.patch[e] == patch ? norm(vector_area(mesh, mesh.elements[e])) : 0.0;
  return area;
}

/// A cube whose upper half of one face, an L, is a patch.
SurfaceMesh marked_cube(int panels) {
  SurfaceMesh mesh = make_box(panels, {1.0, 1.0, 1.0});
  mesh.patch_names = {"wall", "mark"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Vec3d x = corner_mean(mesh, mesh.elements[e]);
    mesh.patch[e] = x.z > 0.499 && (x.x > 0.0 || x.y > 0.0) ? 1 : 0;
  }
  return mesh;
}

TEST_F(Remesh, ACubeKeepsItsEdgesAndPatches) {
  for (const auto& [panels, size] : {std::pair{384, 0.05}, {384, 0.09}, {6144, 0.2}}) {
    SurfaceMesh mesh = marked_cube(panels);
    const std::string note = remesh(mesh, size, 0.0, time_limit);
    EXPECT_TRUE(says(note, "repair: remesh: " + std::to_string(panels) + " panels became "))
        << note;
    const MeshReport report = well_shaped(mesh);
    EXPECT_NEAR(report.volume, 1.0, 1e-12);
    EXPECT_NEAR(report.area, 6.0, 1e-12);
    EXPECT_NEAR(area_of_patch(mesh, 1), 0.75, 1e-12)
        << "the border of the patch turns within a plane";
    // An equilateral triangle has the area sqrt(3)/4 size^2; edges are within 4/5 .. 4/3 of it.
    const double each = std::numbers::sqrt3 / 4.0 * size * size;
    EXPECT_NEAR(6.0 / static_cast<double>(mesh.elements.size()), each, 0.5 * each);
  }
}

/// The border of the patch is a staircase of 14 bends.
TEST_F(Remesh, BendsOfBordersStay) {
  SurfaceMesh mesh = make_box(384, {1.0, 1.0, 1.0});
  mesh.patch_names = {"wall", "mark"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Vec3d x = corner_mean(mesh, mesh.elements[e]);
    mesh.patch[e] = x.z > 0.499 && x.x + x.y > 1e-9 ? 1 : 0;
  }
  remesh(mesh, 0.2, 0.0, time_limit);
  EXPECT_NEAR(area_of_patch(mesh, 1), 28.0 / 64.0, 1e-12);
}

/// Nodes lie on the smooth surface, where flat triangles are up to h^2 / 6 R within it.
TEST_F(Remesh, NodesOfASphereStayOnIt) {
  SurfaceMesh mesh = make_sphere(1280);
  const double h = 0.15, deepest = h * h / 6.0;
  remesh(mesh, 0.5 * h, 0.0, time_limit);
  well_shaped(mesh);
  EXPECT_GT(mesh.nodes.size(), 2000u);
  for (const Vec3d& x : mesh.nodes) EXPECT_NEAR(norm(x), 1.0, 0.05 * deepest);
}

/// Where edges are rounded by lifts, and chosen sharp.
TEST_F(Remesh, TheSharpAngleDecidesWhatIsSmooth) {
  SurfaceMesh round = make_sphere(80), sharp = round;
  const double volume = check_mesh(round).volume;
  remesh(round, 0.1, 0.0, time_limit);
  EXPECT_GT(check_mesh(round).volume, volume + 0.8 * (4.0 / 3.0 * std::numbers::pi - volume));
  constexpr double five_degrees = 0.087;
  remesh(sharp, 0.1, five_degrees, time_limit);
  EXPECT_NEAR(check_mesh(sharp).volume, volume, 1e-12) << "each triangle is a smooth part";
}

TEST_F(Remesh, SliversOfAUnionGo) {
  const double radius = 0.75, apart = 1.25;
  SurfaceMesh mesh = joined(make_sphere(1280), make_sphere(1280, radius, {apart, 0.013, 0.021}));
  unite_bodies(mesh, time_limit);
  const MeshReport cut = check_mesh(mesh);
  ASSERT_GT(cut.max_aspect, 1000.0);
  remesh(mesh, 0.0, 0.0, time_limit);
  const MeshReport report = well_shaped(mesh);
  ASSERT_EQ(report.bodies.size(), 1u);
  EXPECT_LT(report.max_aspect, 10.0);
  // Two balls less the lens that they share.
  const double d = std::hypot(apart, std::hypot(0.013, 0.021)), sum = 1.0 + radius;
  const double lens = std::numbers::pi / (12.0 * d) * std::pow(sum - d, 2.0) *
                      (d * d + 2.0 * d * sum - 3.0 * std::pow(1.0 - radius, 2.0));
  const double exact = 4.0 / 3.0 * std::numbers::pi * (1.0 + std::pow(radius, 3.0)) - lens;
  // Triangles of the same size have the same distance from the surface.
  EXPECT_LT(cut.volume, exact);
  EXPECT_NEAR(report.volume - exact, cut.volume - exact, 0.1 * (exact - cut.volume));
}

/// The planes of two cubes are 1e-5 apart, so that the union has steps of that height.
TEST_F(Remesh, StepsMuchSmallerThanPanelsGo) {
  const double step = 1e-5;
  const SurfaceMesh box = make_box(96, {1.0, 1.0, 1.0});
  SurfaceMesh mesh = joined(box, moved(box, {step, 0.3, 0.2}));
  unite_bodies(mesh, time_limit);
  ASSERT_GT(check_mesh(mesh).max_aspect, 1000.0);
  remesh(mesh, 0.1, 0.0, time_limit);
  const MeshReport report = well_shaped(mesh);
  EXPECT_LT(report.max_aspect, 20.0);
  EXPECT_NEAR(report.volume, 2.0 - 0.7 * 0.8, 12.0 * step) << "a step on all faces";
}

/// A cube with a rim in a symmetry plane stays on it.
TEST_F(Remesh, RimsStay) {
  SurfaceMesh mesh = make_box(384, {1.0, 1.0, 1.0});
  std::vector<bool> gone;
  for (const Element& element : mesh.elements) gone.push_back(vector_area(mesh, element).z < -1e-9);
  drop_elements(mesh, gone);
  remesh(mesh, 0.1, 0.0, time_limit);
  double area = 0.0;
  for (const Element& element : mesh.elements) area += norm(vector_area(mesh, element));
  EXPECT_NEAR(area, 5.0, 1e-12);
  for (const OpenEdge& edge : open_edges(mesh)) {
    EXPECT_NEAR(mesh.nodes[edge.from].z, -0.5, 1e-15);
    EXPECT_NEAR(mesh.nodes[edge.to].z, -0.5, 1e-15);
  }
}

TEST_F(Remesh, BodiesWithEdgesOfFourPanelsStay) {
  const SurfaceMesh box = make_box(96, {1.0, 1.0, 1.0});
  SurfaceMesh mesh = joined(joined(box, moved(box, {1.0, 1.0, 0.0})), moved(box, {5.0, 0.0, 0.0}));
  repair(mesh, {.merge = true});
  const std::string note = remesh(mesh, 0.2, 0.0, time_limit);
  EXPECT_TRUE(says(note, "; 1 body with edges of more than two panels stayed")) << note;
  EXPECT_NEAR(check_mesh(mesh).volume, 3.0, 1e-12);
  const auto quadrilaterals = std::count_if(mesh.elements.begin(), mesh.elements.end(),
                                            [](const Element& e) { return e[3] >= 0; });
  EXPECT_EQ(quadrilaterals, 2 * 96);
}

/// A sphere with holes, turned panels and sheets within it.
SurfaceMesh damaged_sphere() {
  SurfaceMesh mesh = make_sphere(1280);
  for (std::size_t e = 0; e < mesh.elements.size(); e += 7) reverse_element(mesh, e);
  std::vector<bool> gone(mesh.elements.size(), false);
  for (std::size_t e = 0; e < gone.size(); e += 20) gone[e] = true;
  drop_elements(mesh, gone);
  mesh = joined(mesh, make_plate(40, 1.2, 1.2));
  mesh.patch_names = {"sphere", "plate"};
  return mesh;
}

TEST_F(Remesh, AWrapClosesASphereWithHoles) {
  SurfaceMesh mesh = damaged_sphere();
  const double size = 0.3, offset = 0.05 * size;
  const std::string note = wrap(mesh, size, time_limit);
  EXPECT_TRUE(says(note, "repair: wrap: ") && says(note, "holes below 0.3 m are closed")) << note;
  const MeshReport report = check_mesh(mesh);
  for (const std::string& fault : defects(mesh, report)) ADD_FAILURE() << fault;
  ASSERT_EQ(report.bodies.size(), 1u);
  EXPECT_GT(report.bodies[0].volume, 0.0);
  // Flat panels of edge 0.165 are up to h^2/6 within the sphere.
  for (const Vec3d& x : mesh.nodes) {
    EXPECT_LT(norm(x), 1.0 + offset + 1e-9);
    EXPECT_GT(norm(x), 1.0 + offset - 0.165 * 0.165 / 6.0);
  }
  EXPECT_EQ(std::count(mesh.patch.begin(), mesh.patch.end(), 1), 0) << "the plate is within";
}

/// Crossing cubes: the wrap is their union, and pieces have the patch of the cube next to them.
TEST_F(Remesh, AWrapOfCrossingCubesIsTheirUnion) {
  SurfaceMesh mesh =
      joined(make_box(96, {1.0, 1.0, 1.0}), make_box(96, {1.0, 1.0, 1.0}, {0.5, 0.25, 0.125}));
  mesh.patch_names = {"left", "right"};
  const double size = 0.1, offset = 0.05 * size;
  wrap(mesh, size, time_limit);
  remesh(mesh, size, 0.0, time_limit);
  const MeshReport report = check_mesh(mesh);
  ASSERT_EQ(report.bodies.size(), 1u);
  const double common = 0.5 * 0.75 * 0.875, inside = 0.5 * 0.75 + 0.75 * 0.875 + 0.875 * 0.5;
  const double volume = 2.0 - common, area = 12.0 - 2.0 * inside;
  EXPECT_GT(report.volume, volume + 0.8 * offset * area);
  // Triangles across the concave edges have a hypotenuse of at most two sizes.
  const double concave = 2.0 * (0.5 + 0.75 + 0.875);
  EXPECT_LT(report.volume, volume + offset * area + size * size * concave);
  EXPECT_NEAR(area_of_patch(mesh, 0), 0.5 * report.area, 0.02 * report.area);
}

TEST_F(Remesh, RefusesNeighboursWithOppositeNormals) {
  SurfaceMesh turned = make_box(24, {1.0, 1.0, 1.0});
  reverse_element(turned, 0);
  EXPECT_TRUE(says(message_of<MeshError>([&] { remesh(turned, 0.0, 0.0, time_limit); }),
                   "normals of neighbours disagree"));
}

/// Two cubes with one corner in common, which is one node: each keeps its corner.
TEST_F(Remesh, BodiesThatTouchAtANodeStayTwo) {
  const SurfaceMesh cube = make_box(96, {1.0, 1.0, 1.0});
  SurfaceMesh mesh = joined(cube, moved(cube, {1.0, 1.0, 1.0}));
  Repairs merging;
  merging.merge = true;
  repair(mesh, merging);
  ASSERT_EQ(mesh.nodes.size(), 2 * cube.nodes.size() - 1);
  remesh(mesh, 0.2, 0.0, time_limit);
  const MeshReport report = well_shaped(mesh);
  EXPECT_EQ(report.bodies.size(), 2u);
  EXPECT_NEAR(report.volume, 2.0, 1e-12);
  EXPECT_NEAR(report.area, 12.0, 1e-12);
  int at_corner = 0;
  for (const Vec3d& x : mesh.nodes) at_corner += norm(x - Vec3d{0.5, 0.5, 0.5}) < 1e-12 ? 1 : 0;
  EXPECT_EQ(at_corner, 2);
}

}  // namespace
}  // namespace rankine::meshes
