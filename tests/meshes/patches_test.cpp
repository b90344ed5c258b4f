// Patches chosen by name: the others go, with their names and nodes, and nothing else changes.
#include "rankine/meshes/patches.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;
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

/// A box of 2 x 3 x 4 m of 24 panels or more; its faces are numbered -x, +x, -y, +y, -z, +z.
SurfaceMesh box_with_faces() {
  SurfaceMesh mesh = make_box(24, {2.0, 3.0, 4.0}, {1.0, 0.0, 0.0});
  for (const Element& element : mesh.elements) {
    const Vec3d normal = normalized(vector_area(mesh, element));
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(normal[axis]) > 0.5) mesh.face.push_back(1 + 2 * axis + (normal[axis] > 0.0));
    }
  }
  mesh.source = "box.step";
  return mesh;
}

TEST(Faces, AreaAndCentreAreThoseOfTheBox) {
  const std::vector<FaceReport> faces = report_faces(box_with_faces());
  ASSERT_EQ(faces.size(), 6u);
  const double area[] = {12.0, 12.0, 8.0, 8.0, 6.0, 6.0};
  const Vec3d centre[] = {{0, 0, 0}, {2, 0, 0}, {1, -1.5, 0}, {1, 1.5, 0}, {1, 0, -2}, {1, 0, 2}};
  for (std::int32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(faces[k].face, k + 1);
    EXPECT_NEAR(faces[k].area, area[k], 1e-12);
    EXPECT_NEAR(norm(faces[k].centre - centre[k]), 0.0, 1e-12) << k;
  }
  EXPECT_TRUE(report_faces(make_box(24, {1.0, 1.0, 1.0})).empty());
}

TEST(Faces, ThoseNamedBecomePatches) {
  SurfaceMesh mesh = box_with_faces();
  const std::string body = mesh.patch_names.front();
  separate_faces(mesh, {.keep = {"face 2"},
                        .exclude = {"face 99", "face 02", "hole 1", "face"},
                        .separate = {"face 6", "face 2", body, "*"}});
  EXPECT_EQ(mesh.patch_names, (Names{body, "face 2", "face 6"}));
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    EXPECT_EQ(mesh.patch[e], mesh.face[e] == 2 ? 1 : mesh.face[e] == 6 ? 2 : 0);
  separate_faces(mesh, {.separate = {"face 1", "face 3", "face 4", "face 5"}});
  EXPECT_EQ(mesh.patch_names.size(), 6u) << "nothing is left of the body";
}

TEST(Faces, ThoseLeftOutAreGoneAndTheOthersKeepTheirNumbers) {
  SurfaceMesh mesh = box_with_faces();
  PatchChoice choice{.exclude = {"face 1", "farfield", "face 4"}};
  leave_out_faces(mesh, choice);
  EXPECT_EQ(choice.exclude, Names{"farfield"}) << "patches are left for choose_patches";
  const std::vector<FaceReport> faces = report_faces(mesh);
  ASSERT_EQ(faces.size(), 4u);
  EXPECT_EQ(faces[0].face, 2);
  EXPECT_NEAR(faces[1].centre.y, -1.5, 1e-12);
  EXPECT_TRUE(says(mesh.notes.at(0), "left out face 1 ("));
  PatchChoice gone{.exclude = {"face 1"}};
  const std::string message = message_of<NoSuchPatch>([&] { leave_out_faces(mesh, gone); });
  EXPECT_TRUE(says(message, "box.step has no patch \"face 1\"; it has ")) << message;
  EXPECT_TRUE(says(message, "\"face 2\" to \"face 6\"")) << message;
}

}  // namespace
}  // namespace rankine::meshes
