// Edges between patches are kept sharp if the patches meet at an angle, and only then.
#include "rankine/meshes/checks/sharp_edges.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/prism.hpp"

namespace rankine::meshes {
namespace {

using testing::prism;

constexpr double degree = std::numbers::pi / 180.0;

SharpEdges choose(SurfaceMesh& mesh, double asked = 0.0) {
  return choose_sharp_angle(mesh, EdgeTable(mesh), asked);
}

TEST(SharpEdges, BordersOfFlatPatchesAreKept) {
  for (const int across : {1, 3}) {
    SurfaceMesh mesh = prism(12, across);
    const SharpEdges edges = choose(mesh);
    EXPECT_EQ(edges.kept, 24u) << "two panels high";
    EXPECT_EQ(edges.rounded, 0u);
    EXPECT_NEAR(edges.least_kept, 30.0 * degree, 1e-9);
    EXPECT_NEAR(edges.most_kept, 30.0 * degree, 1e-9);
    EXPECT_LT(mesh.sharp_angle, 30.0 * degree);
  }
}

TEST(SharpEdges, FacesOfAGeometryCountAsPatches) {
  SurfaceMesh mesh = prism(12, 2);
  for (std::int32_t& patch : mesh.patch) {
    mesh.face.push_back(patch + 1);
    patch = 0;
  }
  mesh.patch_names = {"body"};
  EXPECT_EQ(choose(mesh).kept, 24u);
}

TEST(SharpEdges, WithoutPatchesTheyAreRoundedAndCounted) {
  SurfaceMesh mesh = prism(12, 1);
  for (std::int32_t& patch : mesh.patch) patch = patch < 12 ? 0 : 1;
  mesh.patch_names = {"wall", "ends"};
  const SharpEdges edges = choose(mesh);
  EXPECT_EQ(mesh.sharp_angle, default_sharp_angle);
  EXPECT_EQ(edges.kept, 0u);
  EXPECT_EQ(edges.rounded, 24u);
  EXPECT_NEAR(edges.most_rounded, 30.0 * degree, 1e-9);
  const SharpEdges asked = choose(mesh, 25.0 * degree);
  EXPECT_EQ(asked.kept, 24u);
  EXPECT_EQ(asked.rounded, 0u);
  EXPECT_EQ(mesh.sharp_angle, 25.0 * degree);
}

/// Halves of a ball, coarse or fine, meet as smoothly as its panels do.
TEST(SharpEdges, BordersOnASmoothSurfaceAreNot) {
  for (const int panels : {80, 320, 1280}) {
    SurfaceMesh mesh = make_sphere(panels);
    mesh.patch_names = {"left", "right"};
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const Element& element = mesh.elements[e];
      mesh.patch[e] =
          mesh.nodes[element[0]].x + mesh.nodes[element[1]].x + mesh.nodes[element[2]].x > 0.0 ? 1
                                                                                               : 0;
    }
    EXPECT_EQ(choose(mesh).kept, 0u);
    EXPECT_EQ(mesh.sharp_angle, default_sharp_angle);
  }
}

}  // namespace
}  // namespace rankine::meshes
