// Half models whose rims lie beside their planes by what a file's digits or a drawing leave.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/shapes/sphere_meshes.hpp"
#include "rankine/meshes/symmetry.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::meshes {
namespace {

using testing::message_of;
using testing::says;

const SymmetryPlane side{1, 0.0, 1.0}, lid{2, 0.0, 1.0};

/// A quarter of an ellipsoid below the water, its rims off y = 0 and z = 0 by up to `share` of the
/// shortest edge there.
SurfaceMesh quarter(double share) {
  SurfaceMesh mesh = testing::positive_part(make_cubed_sphere(1536), {1, 2});
  double shortest = 1.0;
  for (const OpenEdge& edge : open_edges(mesh))
    shortest = std::min(shortest, norm(mesh.nodes[edge.to] - mesh.nodes[edge.from]));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> off(-share * shortest, share * shortest);
  const Symmetry planes({side, lid});
  for (Vec3d& x : mesh.nodes) {
    for (const int axis : {1, 2}) {
      if (std::abs(x[axis]) < 1e-9) x[axis] = off(random);
    }
  }
  return mesh;
}

TEST(HalfModels, RimsBesideThePlaneAreMovedOntoIt) {
  const Symmetry planes({side, lid});
  SurfaceMesh exact = quarter(0.0), rough = quarter(0.009);
  EXPECT_TRUE(meet_planes(exact, planes).empty());
  const std::vector<std::string> notes = meet_planes(rough, planes);
  ASSERT_EQ(notes.size(), 2u);
  // 32 panels from end to end.
  EXPECT_TRUE(says(notes[0], "moved 33 nodes of the rim onto the symmetry plane y = 0 m, by 0.000"))
      << notes[0];
  EXPECT_TRUE(says(notes[1], "onto the symmetry plane z = 0 m"));
  EXPECT_EQ(rough.nodes, exact.nodes);
  orient(rough, Orient::outward, planes);
  EXPECT_TRUE(check_mesh(rough, planes).watertight());
  EXPECT_TRUE(meet_planes(rough, planes).empty());
}

TEST(HalfModels, WhatIsFartherOffStaysAndIsTold) {
  const Symmetry planes({side, lid});
  SurfaceMesh rough = quarter(0.0);
  for (Vec3d& x : rough.nodes) x.z += x.z < 1e-9 ? 0.01 : 0.0;  // a tenth of the edges
  EXPECT_TRUE(meet_planes(rough, planes).empty());
  const std::string message =
      message_of<MeshError>([&] { orient(rough, Orient::outward, planes); });
  EXPECT_TRUE(says(message, "the surface is open: 32 edges of one panel only"));
  EXPECT_TRUE(says(message, "they make 1 rim: 32 edges"));
  EXPECT_TRUE(says(message, "where z = 0.01"));
  EXPECT_TRUE(says(message, "set problem.symmetry_origin = [0, 0, 0.01], mirror it"));
}

/// A body that ends at the water and is cut along its middle needs both planes; the message says
/// which one is missing.
TEST(HalfModels, ASecondOpeningNamesItsPlane) {
  SurfaceMesh mesh = quarter(0.0);
  meet_planes(mesh, Symmetry({side}));
  const std::string message =
      message_of<MeshError>([&] { orient(mesh, Orient::outward, Symmetry({side})); });
  EXPECT_TRUE(says(message, "32 of the edges lie at the border of the mesh, where z = 0"));
  EXPECT_TRUE(says(message, "add \"z\" to problem.symmetry, mirror it"));
}

}  // namespace
}  // namespace rankine::meshes
