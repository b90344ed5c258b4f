// Rims of open surfaces: how many, how long, where, and whether they are the cut of half a body.
#include "rankine/meshes/boundary_loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/torus.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::meshes {
namespace {

using testing::says;

/// The panels on whose mean of corners the condition holds.
template <class Keep>
SurfaceMesh part_of(SurfaceMesh mesh, Keep keep) {
  std::vector<Element> elements;
  for (const Element& element : mesh.elements) {
    if (keep(corner_mean(mesh, element))) elements.push_back(element);
  }
  mesh.elements = elements;
  mesh.patch.assign(elements.size(), 0);
  return mesh;
}

TEST(BoundaryLoops, ClosedSurfacesHaveNone) {
  EXPECT_TRUE(boundary_loops(make_sphere(80)).empty());
  EXPECT_TRUE(cut_planes(make_sphere(80)).names.empty());
}

TEST(BoundaryLoops, ABoxWithoutLidAndBottom) {
  const SurfaceMesh mesh =
      part_of(make_box(600, {1.0, 2.0, 3.0}), [](const Vec3d& x) { return std::abs(x.z) < 1.499; });
  const std::vector<BoundaryLoop> loops = boundary_loops(mesh);
  ASSERT_EQ(loops.size(), 2u);
  for (const BoundaryLoop& loop : loops) {
    EXPECT_TRUE(loop.closed && loop.flat);
    EXPECT_NEAR(loop.length, 6.0, 1e-12);
    EXPECT_NEAR(std::abs(loop.centre.z), 1.5, 1e-12);
    EXPECT_NEAR(loop.centre.x, 0.0, 1e-12);
  }
  EXPECT_EQ(cut_planes(mesh).names, (std::vector<std::string>{"z = -1.5", "z = 1.5"}));
}

/// Half a torus is open at two rings in the plane of the cut.
TEST(BoundaryLoops, HalfATorus) {
  const SurfaceMesh mesh =
      part_of(make_torus(800, 2.0, 0.5), [](const Vec3d& x) { return x.y > 0.0; });
  const std::vector<BoundaryLoop> loops = boundary_loops(mesh);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_TRUE(loops[0].flat && loops[1].flat);
  EXPECT_NEAR(loops[0].length, std::numbers::pi, 0.1);
  EXPECT_NEAR(std::abs(loops[0].centre.x), 2.0, 1e-6);
  EXPECT_EQ(cut_planes(mesh).names, std::vector<std::string>{"y = 0"});
  const std::vector<std::string> found = defects(mesh, check_mesh(mesh));
  EXPECT_TRUE(says(found.at(0), "they make 2 rims: "));
  EXPECT_TRUE(
      says(found.at(0),
           "at the border of the mesh, where y = 0: it seems to be part of a symmetric body"));
}

/// A hole elsewhere does not hide the cut; many do.
TEST(BoundaryLoops, HalfATorusWithHoles) {
  SurfaceMesh mesh = part_of(make_torus(800, 2.0, 0.5), [](const Vec3d& x) { return x.y > 0.0; });
  const CutPlanes whole = cut_planes(mesh);
  EXPECT_EQ(whole.edges, check_mesh(mesh).boundary_edges.count);
  const auto open_at = [&](std::size_t holes) {
    SurfaceMesh holed = mesh;
    for (std::size_t hole = 0; hole < holes; ++hole)
      holed.elements.erase(holed.elements.begin() + std::ptrdiff_t(100 + 40 * hole));
    holed.patch.clear();
    return cut_planes(holed);
  };
  EXPECT_EQ(open_at(1).names, std::vector<std::string>{"y = 0"});
  EXPECT_EQ(open_at(1).edges, whole.edges);
  EXPECT_TRUE(open_at(6).names.empty());
}

/// Two holes that meet in a node are two rims; one that is not flat is told.
TEST(BoundaryLoops, HolesOfSinglePanels) {
  SurfaceMesh mesh = make_sphere(320);
  const std::int32_t node = mesh.elements[0][0];
  std::vector<Element> elements;
  int removed = 0;
  for (const Element& element : mesh.elements) {
    const bool at_node = element[0] == node || element[1] == node || element[2] == node;
    if (at_node && removed % 2 == 0) {
      ++removed;
      if (removed <= 3) continue;
    } else if (at_node) {
      ++removed;
    }
    elements.push_back(element);
  }
  mesh.elements = elements;
  const std::vector<BoundaryLoop> loops = boundary_loops(mesh);
  std::size_t edges = 0;
  for (const BoundaryLoop& loop : loops) {
    EXPECT_TRUE(loop.closed);
    edges += loop.edges;
  }
  EXPECT_EQ(edges, check_mesh(mesh).boundary_edges.count);
  EXPECT_TRUE(cut_planes(mesh).names.empty());
  EXPECT_TRUE(says(defects(mesh, check_mesh(mesh)).at(0), "close the gap, or merge nodes"));
}

}  // namespace
}  // namespace rankine::meshes
