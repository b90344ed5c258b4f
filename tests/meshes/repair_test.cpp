// Repairs that are asked for: a spoiled mesh becomes the one that it was, and each repair counts.
#include "rankine/meshes/repair/repair.hpp"

#include <gtest/gtest.h>

#include <random>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

/// Every element with corners of its own, each moved by up to `distance` in every direction.
SurfaceMesh shaken_soup(const SurfaceMesh& mesh, double distance) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> move(-distance, distance);
  SurfaceMesh apart = mesh;
  apart.nodes.clear();
  for (Element& element : apart.elements) {
    for (int k = 0; k < corner_count(element); ++k) {
      const Vec3d by{move(random), move(random), move(random)};
      apart.nodes.push_back(mesh.nodes[element[k]] + by);
      element[k] = static_cast<std::int32_t>(apart.nodes.size()) - 1;
    }
  }
  return apart;
}

/// The sphere with a node in the middle of an edge of its first panel, and a panel without area
/// between it and the neighbour.
SurfaceMesh with_cap() {
  SurfaceMesh mesh = make_sphere(80);
  const Element whole = mesh.elements[0];
  const auto middle = static_cast<std::int32_t>(mesh.nodes.size());
  mesh.nodes.push_back(0.5 * (mesh.nodes[whole[0]] + mesh.nodes[whole[1]]));
  mesh.elements[0] = {whole[0], middle, whole[2], -1};
  mesh.elements.push_back({middle, whole[1], whole[2], -1});
  mesh.elements.push_back({whole[0], whole[1], middle, -1});
  mesh.patch.resize(mesh.elements.size(), 0);
  return mesh;
}

TEST(Repair, NothingAskedForChangesNothing) {
  SurfaceMesh mesh = with_cap();
  const SurfaceMesh before = mesh;
  EXPECT_TRUE(repair(mesh, {}).empty());
  EXPECT_EQ(mesh.elements, before.elements);
  EXPECT_EQ(mesh.nodes, before.nodes);
  EXPECT_TRUE(mesh.warnings.empty());
}

TEST(Repair, MergeClosesSeams) {
  for (const SurfaceMesh& mesh : {make_sphere(320), make_torus(200, 2.0, 1.0)}) {
    SurfaceMesh apart = shaken_soup(mesh, 1e-7);
    const std::size_t corners = apart.nodes.size();
    EXPECT_FALSE(check_mesh(apart).watertight());
    const std::vector<std::string> notes = repair(apart, {.merge = true});
    const MeshReport report = check_mesh(apart);
    EXPECT_TRUE(report.watertight());
    EXPECT_EQ(report.nodes, mesh.nodes.size());
    EXPECT_EQ(apart.elements.size(), mesh.elements.size());
    EXPECT_NEAR(report.volume, check_mesh(mesh).volume, 1e-6);
    EXPECT_TRUE(
        says(notes.at(0), "merged " + std::to_string(corners - mesh.nodes.size()) + " nodes"));
    EXPECT_EQ(apart.warnings, notes);
  }
}

TEST(Repair, MergeKeepsToItsTolerance) {
  const auto nodes_left = [](double tolerance) {
    SurfaceMesh mesh = shaken_soup(make_sphere(80), 0.0);
    for (Vec3d& x : mesh.nodes) x += Vec3d{1e6, 0.0, 0.0};  // far from the origin
    for (std::size_t n = 0; n < mesh.nodes.size(); n += 2) mesh.nodes[n].y += 1e-3;
    repair(mesh, {.merge = true, .merge_tolerance = tolerance});
    return mesh.nodes.size();
  };
  EXPECT_EQ(nodes_left(1.1e-3), 42u);
  EXPECT_GT(nodes_left(0.9e-3), 42u);
}

TEST(Repair, MergeClosesNarrowPanels) {
  SurfaceMesh mesh = make_sphere(80);
  const Element first = mesh.elements[0];
  mesh.nodes[first[0]] = mesh.nodes[first[1]] + Vec3d{0.0, 0.0, 1e-5};
  const std::vector<std::string> notes = repair(mesh, {.merge = true, .merge_tolerance = 1e-4});
  EXPECT_EQ(mesh.elements.size(), 78u);
  EXPECT_EQ(mesh.patch.size(), 78u);
  EXPECT_TRUE(check_mesh(mesh).watertight());
  EXPECT_TRUE(says(notes.at(0), "merged 1 node within 0.0001 m of another; 2 panels"));
}

TEST(Repair, MergeOfEverythingIsRefused) {
  SurfaceMesh mesh = make_sphere(80);
  EXPECT_TRUE(
      says(message_of<MeshError>([&] { repair(mesh, {.merge = true, .merge_tolerance = 10.0}); }),
           "the repair leaves no panel"));
}

TEST(Repair, CornersOnAnEdgeBecomeCornersOfBothSides) {
  SurfaceMesh mesh = with_cap();
  for (const Element& element : mesh.elements)
    mesh.mid_nodes.push_back(straight_mid_nodes(mesh, element));
  const double volume = check_mesh(make_sphere(80)).volume;
  EXPECT_EQ(check_mesh(mesh).degenerate.count, 1u);
  const std::vector<std::string> notes = repair(mesh, {.degenerate = true});
  EXPECT_TRUE(says(notes.at(0), "removed 1 panel without area"));
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(defects(mesh, report).empty() && report.inconsistent_edges.count == 0);
  EXPECT_EQ(mesh.elements.size(), 82u);
  EXPECT_EQ(mesh.patch.size(), 82u);
  EXPECT_NEAR(report.volume, volume, 1e-14);
  ASSERT_EQ(mesh.mid_nodes.size(), 82u);
  for (std::size_t e = 0; e < 82; ++e)
    EXPECT_EQ(mesh.mid_nodes[e], straight_mid_nodes(mesh, mesh.elements[e])) << e;
}

/// The neighbour is a quadrilateral.
TEST(Repair, CornersOnAnEdgeOfAQuadrilateral) {
  SurfaceMesh mesh = make_box(6, {1.0, 1.0, 1.0});
  const Element whole = mesh.elements[0];
  const auto middle = static_cast<std::int32_t>(mesh.nodes.size());
  mesh.nodes.push_back(0.5 * (mesh.nodes[whole[0]] + mesh.nodes[whole[1]]));
  mesh.elements[0] = {middle, whole[1], whole[2], -1};
  mesh.elements.push_back({middle, whole[2], whole[3], -1});
  mesh.elements.push_back({middle, whole[3], whole[0], -1});
  mesh.elements.push_back({whole[0], whole[1], middle, -1});
  mesh.patch.clear();
  repair(mesh, {.degenerate = true});
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(defects(mesh, report).empty() && report.inconsistent_edges.count == 0);
  EXPECT_EQ(mesh.elements.size(), 10u);
  EXPECT_NEAR(report.volume, 1.0, 1e-14);
}

TEST(Repair, ShortEdgesOfPanelsWithoutAreaBecomeNodes) {
  SurfaceMesh mesh = make_sphere(80);
  const Element first = mesh.elements[0];
  mesh.nodes[first[0]] = mesh.nodes[first[1]] + Vec3d{0.0, 0.0, 1e-14};
  EXPECT_EQ(check_mesh(mesh).degenerate.count, 2u);
  repair(mesh, {.degenerate = true});
  EXPECT_EQ(mesh.elements.size(), 78u);
  EXPECT_TRUE(defects(mesh, check_mesh(mesh)).empty());
}

TEST(Repair, PanelsWithACornerTwiceGo) {
  SurfaceMesh mesh = make_box(24, {1.0, 1.0, 1.0});
  const std::size_t panels = mesh.elements.size();
  const Element first = mesh.elements[0];
  mesh.elements.push_back({first[0], first[1], first[0], -1});
  mesh.elements.push_back({first[0], first[1], first[0], first[2]});
  mesh.patch.clear();
  EXPECT_TRUE(says(repair(mesh, {.degenerate = true}).at(0), "removed 2 panels without area"));
  EXPECT_EQ(mesh.elements.size(), panels);
}

TEST(Repair, OfDuplicatesTheFirstStays) {
  SurfaceMesh mesh = make_sphere(80);
  const std::vector<Element> elements = mesh.elements;
  mesh.elements.push_back(reversed(elements[3]));
  mesh.elements.push_back({elements[9][1], elements[9][2], elements[9][0], -1});
  mesh.elements.insert(mesh.elements.begin(), elements[40]);
  mesh.patch.resize(mesh.elements.size(), 0);
  EXPECT_TRUE(says(repair(mesh, {.duplicates = true}).at(0), "removed 3 panels with the corners"));
  EXPECT_EQ(mesh.elements.size(), 80u);
  EXPECT_EQ(mesh.elements[0], elements[40]);
  EXPECT_EQ(mesh.elements[4], elements[3]);
  EXPECT_TRUE(defects(mesh, check_mesh(mesh)).empty());
}

TEST(Repair, ClosedBodiesGetTheirNormalsOut) {
  SurfaceMesh mesh = make_sphere(80);
  for (std::size_t e = 0; e < 60; ++e) mesh.elements[e] = reversed(mesh.elements[e]);
  EXPECT_EQ(repair(mesh, {.orient = true}).at(0), "repair: turned round 60 panels");
  EXPECT_EQ(orient(mesh, Orient::check).turned_panels, 0u);
}

TEST(Repair, NeighboursOfOpenSurfacesAgree) {
  SurfaceMesh mesh = make_sphere(80);
  mesh.elements.pop_back();
  for (std::size_t e = 0; e < 60; ++e) mesh.elements[e] = reversed(mesh.elements[e]);
  EXPECT_TRUE(
      says(repair(mesh, {.orient = true}).at(0), "turned round 19 panels; the surface is not"));
  EXPECT_EQ(check_mesh(mesh).inconsistent_edges.count, 0u);
}

/// The order is the one of the header: what merging leaves is found by what follows.
TEST(Repair, AllOfThemTogether) {
  SurfaceMesh mesh = with_cap();
  mesh.elements.push_back(reversed(mesh.elements[17]));
  mesh.elements[30] = reversed(mesh.elements[30]);
  mesh.patch.clear();
  mesh = shaken_soup(mesh, 0.0);
  const std::vector<std::string> notes =
      repair(mesh, {.merge = true, .degenerate = true, .duplicates = true, .orient = true});
  EXPECT_EQ(notes.size(), 4u);
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(defects(mesh, report).empty() && report.inconsistent_edges.count == 0);
  EXPECT_EQ(mesh.elements.size(), 82u);
  EXPECT_NEAR(report.volume, check_mesh(make_sphere(80)).volume, 1e-14);
}

TEST(Clean, MergingMakesASoupWatertight) {
  for (const SurfaceMesh& mesh : {make_sphere(320), make_torus(200, 2.0, 1.0)}) {
    SurfaceMesh apart = shaken_soup(mesh, 0.0);
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
