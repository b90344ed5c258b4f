// Patches chosen by name: the others go, with their names and nodes, and nothing else changes.
#include "rankine/meshes/patches.hpp"

#include <gtest/gtest.h>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/shapes/torus.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using testing::joined;
using testing::message_of;
using testing::says;
using Names = std::vector<std::string>;

/// A ball (80 triangles) and a ring (quadrilaterals) in a box, the box between the two.
SurfaceMesh in_a_box() {
  SurfaceMesh mesh = joined(joined(make_sphere(80), make_box(24, {20.0, 20.0, 20.0})),
                            make_torus(80, 2.0, 0.5, {0.0, 0.0, 3.0}));
  mesh.patch_names = {"ball", "farfield", "ring"};
  mesh.source = "tank.msh";
  for (const Element& element : mesh.elements)
    mesh.mid_nodes.push_back(straight_mid_nodes(mesh, element));
  return mesh;
}

void expect_ball_and_ring(const SurfaceMesh& mesh) {
  const SurfaceMesh wanted = joined(make_sphere(80), make_torus(80, 2.0, 0.5, {0.0, 0.0, 3.0}));
  EXPECT_EQ(mesh.nodes, wanted.nodes);
  EXPECT_EQ(mesh.elements, wanted.elements);
  EXPECT_EQ(mesh.patch, wanted.patch);
  EXPECT_EQ(mesh.patch_names, (Names{"ball", "ring"}));
  ASSERT_EQ(mesh.mid_nodes.size(), mesh.elements.size());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    EXPECT_EQ(mesh.mid_nodes[e], straight_mid_nodes(mesh, mesh.elements[e])) << e;
  EXPECT_TRUE(check_mesh(mesh).watertight());
}

TEST(Patches, ThoseLeftOutAreGoneWithTheirNodes) {
  SurfaceMesh mesh = in_a_box();
  const std::size_t box_panels =
      mesh.elements.size() - 80 - make_torus(80, 2.0, 0.5).elements.size();
  choose_patches(mesh, {.keep = {}, .exclude = {"farfield"}});
  expect_ball_and_ring(mesh);
  EXPECT_EQ(mesh.notes, Names{"left out farfield (" + std::to_string(box_panels) + ")"});
}

TEST(Patches, ThoseKeptAreAllThereIs) {
  SurfaceMesh mesh = in_a_box();
  choose_patches(mesh, {.keep = {"ring", "ball"}, .exclude = {}});
  expect_ball_and_ring(mesh);
}

TEST(Patches, BothTogether) {
  SurfaceMesh mesh = in_a_box();
  choose_patches(mesh, {.keep = {"ring", "ball"}, .exclude = {"farfield", "ring"}});
  EXPECT_EQ(mesh.patch_names, Names{"ball"});
  EXPECT_EQ(mesh.elements, make_sphere(80).elements);
}

TEST(Patches, WithoutAChoiceNothingChanges) {
  SurfaceMesh mesh = in_a_box();
  choose_patches(mesh, {});
  EXPECT_EQ(mesh.elements, in_a_box().elements);
  EXPECT_EQ(mesh.patch_names, in_a_box().patch_names);
  EXPECT_TRUE(mesh.notes.empty());
}

TEST(Patches, UnknownNamesAreRefusedWithThoseThatThereAre) {
  SurfaceMesh mesh = in_a_box();
  for (const bool kept : {true, false}) {
    const PatchChoice choice{.keep = kept ? Names{"ball", "hull"} : Names{},
                             .exclude = kept ? Names{} : Names{"hull"}};
    try {
      choose_patches(mesh, choice);
      FAIL() << "a patch that the mesh lacks was accepted";
    } catch (const NoSuchPatch& error) {
      EXPECT_EQ(error.kept, kept);
      EXPECT_STREQ(error.what(),
                   "tank.msh has no patch \"hull\"; it has \"ball\", \"farfield\", \"ring\"");
    }
  }
}

TEST(Patches, NothingLeftIsRefused) {
  SurfaceMesh mesh = in_a_box();
  mesh.patch_names.push_back("empty");
  const std::string message =
      message_of<MeshError>([&] { choose_patches(mesh, {.keep = {"empty"}, .exclude = {}}); });
  EXPECT_TRUE(says(message, "have no panels")) << message;
  EXPECT_TRUE(says(message, "\"farfield\"")) << message;
}

}  // namespace
}  // namespace rankine::meshes
