// Repairs that change no shape: merged nodes, collapsed quadrilaterals, dropped nodes, patches.
#include <gtest/gtest.h>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/torus.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using testing::joined;

/// Every element with corners of its own, as in an STL file.
SurfaceMesh soup(const SurfaceMesh& mesh) {
  SurfaceMesh apart = mesh;
  apart.nodes.clear();
  for (Element& element : apart.elements) {
    for (int k = 0; k < corner_count(element); ++k) {
      apart.nodes.push_back(mesh.nodes[element[k]]);
      element[k] = static_cast<std::int32_t>(apart.nodes.size()) - 1;
    }
  }
  return apart;
}

TEST(Clean, MergingMakesASoupWatertight) {
  for (const SurfaceMesh& mesh : {make_sphere(320), make_torus(200, 2.0, 1.0)}) {
    SurfaceMesh apart = soup(mesh);
    EXPECT_EQ(check_mesh(apart).bodies.size(), mesh.elements.size());
    EXPECT_EQ(merge_coincident_nodes(apart),
              apart.elements.size() * corner_count(apart.elements[0]) - mesh.nodes.size());
    EXPECT_EQ(apart.nodes.size(), mesh.nodes.size());
    EXPECT_TRUE(check_mesh(apart).watertight());
    EXPECT_EQ(check_mesh(apart).volume, check_mesh(mesh).volume);
  }
}

TEST(Clean, BodiesThatTouchStayApart) {
  const SurfaceMesh boxes =
      joined(make_box(24, {1.0, 1.0, 1.0}), make_box(24, {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}));
  SurfaceMesh mesh = boxes;
  EXPECT_EQ(merge_coincident_nodes(mesh), 0u);
  EXPECT_EQ(mesh.nodes, boxes.nodes);
  EXPECT_EQ(check_mesh(mesh).bodies.size(), 2u);
  EXPECT_TRUE(check_mesh(mesh).watertight());
}

TEST(Clean, MergingTakesNegativeZeroForZero) {
  SurfaceMesh mesh;
  mesh.nodes = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {-0.0, 0.0, 0.0}};
  mesh.elements = {{0, 1, 2, -1}, {3, 2, 1, -1}};
  EXPECT_EQ(merge_coincident_nodes(mesh), 1u);
  EXPECT_EQ(mesh.elements[1][0], 0);
}

/// A point on each edge that says which corners it lies between.
SurfaceMesh with_mid_nodes(SurfaceMesh mesh) {
  for (const Element& element : mesh.elements)
    mesh.mid_nodes.push_back(straight_mid_nodes(mesh, element));
  return mesh;
}

void expect_mid_nodes_between_corners(const SurfaceMesh& mesh) {
  ASSERT_EQ(mesh.mid_nodes.size(), mesh.elements.size());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const MidNodes expected = straight_mid_nodes(mesh, mesh.elements[e]);
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
      EXPECT_EQ(mesh.mid_nodes[e][k], expected[k]) << e << " " << k;
  }
}

TEST(Clean, MidNodesStayOnTheirEdges) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.elements = {{0, 0, 1, 2}, {0, 1, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 0}, {0, 1, 2, -1}};
  mesh = with_mid_nodes(mesh);
  collapse_quadrilaterals(mesh);
  expect_mid_nodes_between_corners(mesh);
  for (const SurfaceMesh& body : {make_sphere(80), make_torus(80, 2.0, 1.0)}) {
    mesh = with_mid_nodes(body);
    for (std::size_t e = 0; e < mesh.elements.size(); e += 3) reverse_element(mesh, e);
    expect_mid_nodes_between_corners(mesh);
  }
}

TEST(Clean, CollapsedQuadrilateralsKeepTheirOrientation) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.elements = {{0, 0, 1, 2}, {0, 1, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 0}, {0, 1, 2, -1}};
  EXPECT_EQ(collapse_quadrilaterals(mesh), 4u);
  for (const Element& element : mesh.elements) {
    EXPECT_EQ(corner_count(element), 3);
    EXPECT_EQ(vector_area(mesh, element), (Vec3d{0.0, 0.0, 0.5}));
  }
}

TEST(Clean, UnusedNodesAreDropped) {
  const SurfaceMesh good = make_sphere(80);
  SurfaceMesh mesh = good;
  mesh.nodes.insert(mesh.nodes.begin() + 3, {9.0, 9.0, 9.0});
  for (Element& element : mesh.elements) {
    for (int k = 0; k < 3; ++k) element[k] += element[k] >= 3 ? 1 : 0;
  }
  EXPECT_EQ(drop_unused_nodes(mesh), 1u);
  EXPECT_EQ(mesh.nodes, good.nodes);
  EXPECT_EQ(mesh.elements, good.elements);
}

TEST(Bodies, GivePatchesTheirNames) {
  SurfaceMesh mesh = make_sphere(20);
  patches_from_bodies(mesh);
  EXPECT_EQ(mesh.patch_names, (std::vector<std::string>{"body"}));
  mesh = joined(mesh, make_box(6, {1, 1, 1}, {4, 0, 0}));
  patches_from_bodies(mesh);
  EXPECT_EQ(mesh.patch_names, (std::vector<std::string>{"body1", "body2"}));
  EXPECT_EQ(mesh.patch[19], 0);
  EXPECT_EQ(mesh.patch[20], 1);
}

}  // namespace
}  // namespace rankine::meshes
