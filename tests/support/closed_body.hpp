// Meshes of built-in shapes: one closed body, without defects, whose normals point outwards.
#pragma once

#include <gtest/gtest.h>

#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"

namespace rankine::testing {

inline void expect_one_closed_body(const meshes::SurfaceMesh& mesh) {
  const meshes::MeshReport report = meshes::check_mesh(mesh);
  EXPECT_TRUE(meshes::defects(mesh, report).empty());
  EXPECT_TRUE(report.watertight());
  EXPECT_EQ(report.inconsistent_edges.count, 0u);
  EXPECT_EQ(report.unused_nodes.count, 0u);
  EXPECT_EQ(report.bodies.size(), 1u);
  EXPECT_GT(report.volume, 0.0);
}

}  // namespace rankine::testing
