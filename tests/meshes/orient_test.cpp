// Normals out of the body: repaired, refused or kept, also for several bodies and cavities.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/repair/separate.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/klein_bottle.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace rankine::testing;

SurfaceMesh with_every_seventh_flipped(SurfaceMesh mesh) {
  for (std::size_t e = 0; e < mesh.elements.size(); e += 7) {
    mesh.elements[e] = reversed(mesh.elements[e]);
  }
  return mesh;
}

std::vector<SurfaceMesh> good_meshes() {
  return {make_sphere(320), make_torus(200, 2.0, 1.0), make_box(50, {1.0, 2.0, 3.0}, {7, 8, 9}),
          make_box(50, {1.0, 2.0, 3.0}, {7, 8, 9}, PanelKind::triangles)};
}

TEST(Orient, LeavesAGoodMeshAlone) {
  for (const Orient mode : {Orient::check, Orient::outward, Orient::keep}) {
    for (SurfaceMesh mesh : good_meshes()) {
      const std::vector<Element> before = mesh.elements;
      const Orientation result = orient(mesh, mode);
      EXPECT_EQ(mesh.elements, before);
      EXPECT_EQ(result.turned_panels, 0u);
      EXPECT_TRUE(result.notes.empty());
    }
  }
}

TEST(Orient, OutwardTurnsFlippedPanelsBack) {
  for (const SurfaceMesh& good : good_meshes()) {
    SurfaceMesh mesh = with_every_seventh_flipped(good);
    const Orientation result = orient(mesh, Orient::outward);
    EXPECT_EQ(mesh.elements, good.elements);
    EXPECT_EQ(result.turned_panels, (good.elements.size() + 6) / 7);
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_TRUE(says(result.notes[0], "turned round " + std::to_string(result.turned_panels) +
                                          " panels of " + std::to_string(good.elements.size())));
  }
}

TEST(Orient, OutwardTurnsABodyThatIsInsideOut) {
  for (const SurfaceMesh& good : good_meshes()) {
    SurfaceMesh mesh = turned_round(with_every_seventh_flipped(good));
    const Orientation result = orient(mesh, Orient::outward);
    EXPECT_EQ(mesh.elements, good.elements);
    EXPECT_EQ(result.turned_panels, good.elements.size() - (good.elements.size() + 6) / 7);
  }
}

TEST(Orient, ReportIsThatOfTheMeshAfterwards) {
  SurfaceMesh mesh =
      with_every_seventh_flipped(joined(make_sphere(320), make_box(50, {1, 2, 3}, {5, 0, 0})));
  const MeshReport told = orient(mesh, Orient::outward).report, found = check_mesh(mesh);
  EXPECT_EQ(told.inconsistent_edges.count, 0u);
  ASSERT_EQ(told.bodies.size(), 2u);
  // Both sum the same terms from the same origin, up to the sign of each sum.
  EXPECT_NEAR(told.volume, found.volume, 1e-13);
  EXPECT_NEAR(told.bodies[1].volume, 6.0, 1e-13);
}

TEST(Orient, CheckRefusesAndSaysWhatToDo) {
  SurfaceMesh mesh = make_sphere(320);
  for (const int e : {3, 19, 22}) mesh.elements[e] = reversed(mesh.elements[e]);
  const std::vector<Element> before = mesh.elements;
  const std::string message = message_of<MeshError>([&] { orient(mesh, Orient::check); });
  EXPECT_TRUE(says(message, "sphere: 3 panels of 320 with normals into the body"));
  EXPECT_TRUE(says(message, "(elements 3, 19, 22, the first at ("));
  EXPECT_TRUE(says(message, "orient = \"outward\""));
  EXPECT_EQ(mesh.elements, before);
}

TEST(Orient, KeepLeavesThemAndTells) {
  SurfaceMesh mesh = turned_round(make_sphere(320));
  const std::vector<Element> before = mesh.elements;
  const Orientation result = orient(mesh, Orient::keep);
  EXPECT_EQ(mesh.elements, before);
  EXPECT_LT(result.report.volume, 0.0);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_TRUE(says(result.notes[0], "kept 320 panels of 320"));
}

TEST(Orient, EachBodyByItself) {
  const SurfaceMesh left = make_sphere(320, 1.0, {-2, 0, 0}),
                    right = make_sphere(80, 1.0, {2, 0, 0});
  SurfaceMesh mesh = joined(left, turned_round(right));
  const Orientation result = orient(mesh, Orient::outward);
  EXPECT_EQ(mesh.elements, joined(left, right).elements);
  EXPECT_EQ(result.turned_panels, 80u);
  EXPECT_EQ(result.cavities, 0u);
}

/// Shell (r = 3 and 2) with a ball (r = 1) in its cavity: the middle surface bounds the solid from
/// within, so that the volumes add up to that of the solids.
TEST(Orient, NormalsPointIntoACavity) {
  const auto sphere = [](double radius) { return make_sphere(320, radius, {10, 0, 0}); };
  const SurfaceMesh good = joined(joined(sphere(3.0), turned_round(sphere(2.0))), sphere(1.0));
  const double unit = check_mesh(make_sphere(320)).volume;
  for (const bool inside_out : {false, true}) {
    SurfaceMesh mesh = inside_out ? turned_round(good) : good;
    const Orientation result = orient(mesh, Orient::outward);
    EXPECT_EQ(mesh.elements, good.elements);
    EXPECT_EQ(result.cavities, 1u);
    EXPECT_NEAR(result.report.volume, (27.0 - 8.0 + 1.0) * unit, 1e-11);
    EXPECT_TRUE(says(result.notes.at(0), "wall of a cavity"));
  }
  SurfaceMesh mesh = good;
  EXPECT_NO_THROW(orient(mesh, Orient::check));
}

TEST(Orient, MediaWithinOneAnotherAllHaveTheirOwnOutside) {
  const auto sphere = [](double radius) { return make_sphere(320, radius, {10, 0, 0}); };
  const SurfaceMesh good = joined(joined(sphere(3.0), sphere(2.0)), sphere(1.0));
  const double unit = check_mesh(make_sphere(320)).volume;
  SurfaceMesh mesh = joined(joined(sphere(3.0), turned_round(sphere(2.0))), sphere(1.0));
  const Orientation result = orient(mesh, Orient::outward, {}, Nested::bodies);
  EXPECT_EQ(mesh.elements, good.elements);
  EXPECT_EQ(result.cavities, 0u);
  EXPECT_NEAR(result.report.volume, (27.0 + 8.0 + 1.0) * unit, 1e-11);
}

/// Bubbles in a large body, some of them with a grain inside, and bodies beside it.
TEST(Orient, ManyBodiesEachFindTheirPlace) {
  SurfaceMesh mesh = make_sphere(80, 40.0);
  std::size_t cavities = 0;
  for (int i = -6; i <= 6; ++i) {
    for (int j = -6; j <= 6; ++j) {
      for (const double z : {0.0, 100.0}) {  // within, and far above
        const Vec3d place{3.0 * i, 3.0 * j, z};
        mesh = joined(mesh, z == 0.0 ? turned_round(make_sphere(20, 1.0, place))
                                     : make_sphere(20, 1.0, place));
        cavities += z == 0.0 ? 1 : 0;
        if ((i + j) % 2 == 0) mesh = joined(mesh, make_sphere(20, 0.4, place));
        if ((i + j) % 2 == 0 && z != 0.0) ++cavities;
      }
    }
  }
  const std::vector<Element> before = mesh.elements;
  const Orientation result = orient(mesh, Orient::outward);
  EXPECT_EQ(result.cavities, cavities);
  // Grains within bubbles are solids; those within the bodies above are cavities, not yet turned.
  EXPECT_EQ(result.turned_panels, 20 * (cavities - 169));
}

/// Its box lies in the torus's box, but the ball sits in the hole, outside the torus.
TEST(Orient, ABodyInAHoleIsNotInACavity) {
  SurfaceMesh mesh = joined(make_torus(500, 2.0, 0.7), make_sphere(80, 0.5));
  const Orientation result = orient(mesh, Orient::check);
  EXPECT_EQ(result.cavities, 0u);
  EXPECT_EQ(result.turned_panels, 0u);
}

TEST(Orient, RefusesAnOpenSurfaceInEveryMode) {
  for (const Orient mode : {Orient::check, Orient::outward, Orient::keep}) {
    SurfaceMesh mesh = make_sphere(320);
    mesh.elements.pop_back();
    EXPECT_TRUE(says(message_of<MeshError>([&] { orient(mesh, mode); }), "the surface is open"));
  }
}

/// Two boxes with a common edge, vertex or part of an edge, and nodes in common there.
SurfaceMesh touching_boxes(const Vec3d& lengths, const Vec3d& way) {
  SurfaceMesh mesh = joined(make_box(96, lengths), make_box(96, lengths, way));
  mesh.patch.assign(mesh.elements.size(), 0);
  repair(mesh, {.merge = true});
  return mesh;
}

TEST(Orient, SeparatesBodiesThatTouchAlongEdges) {
  const Vec3d size{1.0, 1.0, 1.0};
  for (const bool inward : {false, true}) {
    for (const auto& [way, edges] :
         {std::pair{Vec3d{1, 1, 0}, 4}, {Vec3d{-1, 0, 1}, 4}, {Vec3d{1, 1, 0.5}, 2}}) {
      SurfaceMesh mesh = touching_boxes(size, way);
      if (inward) mesh = turned_round(mesh);
      const Orientation found = orient(mesh, Orient::outward);
      EXPECT_TRUE(says(found.notes.at(0), "bodies touch along " + std::to_string(edges) + " edge"));
      ASSERT_EQ(found.report.bodies.size(), 2u);
      for (const auto& body : found.report.bodies) EXPECT_NEAR(body.volume, 1.0, 1e-12);
      EXPECT_EQ(touching_edges(mesh), static_cast<std::size_t>(edges));
    }
  }
  // A third box closes a ring with the first two: it shares edges with both.
  SurfaceMesh three = joined(joined(make_box(96, size), make_box(96, size, {1, 1, 0})),
                             make_box(96, size, {0, 1, 1}));
  three.patch.assign(three.elements.size(), 0);
  repair(three, {.merge = true});
  EXPECT_EQ(orient(three, Orient::outward).report.bodies.size(), 3u);
  SurfaceMesh mixed = touching_boxes(size, {1, 1, 0});
  for (std::size_t e = 0; e < 96; ++e) mixed.elements[e] = reversed(mixed.elements[e]);
  EXPECT_TRUE(says(message_of<MeshError>([&] { orient(mixed, Orient::outward); }),
                   "separate bodies that touch along an edge"));
}

TEST(Orient, RefusesASurfaceWithOneSide) {
  SurfaceMesh mesh = klein_bottle(24, 16);
  ASSERT_TRUE(check_mesh(mesh).watertight());
  EXPECT_TRUE(
      says(message_of<MeshError>([&] { orient(mesh, Orient::outward); }), "has only one side"));
}

TEST(Orient, RefusesABodyWithoutVolume) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.4, 0}, {0.4, 0.5, 0}};
  for (const std::int32_t middle : {4, 5}) {  // two sides of a plate, their middles apart
    for (std::int32_t k = 0; k < 4; ++k) {
      const Element side{k, (k + 1) % 4, middle, -1};
      mesh.elements.push_back(middle == 4 ? side : reversed(side));
    }
  }
  mesh.patch.assign(8, 0);
  EXPECT_TRUE(
      says(message_of<MeshError>([&] { orient(mesh, Orient::outward); }), "encloses no volume"));
}

}  // namespace
}  // namespace rankine::meshes
