// Parts that meet along a circle with different panels become one closed surface.
#include "rankine/meshes/repair/stitch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/files/finish_mesh.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::meshes {
namespace {

using testing::says;

/// Nodes on a circle of radius 1.
std::vector<std::int32_t> ring(SurfaceMesh& mesh, int count, double z, double turn) {
  std::vector<std::int32_t> nodes;
  for (int k = 0; k < count; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / count + turn;
    nodes.push_back(static_cast<std::int32_t>(mesh.nodes.size()));
    mesh.nodes.push_back({std::cos(angle), std::sin(angle), z});
  }
  return nodes;
}

void add(SurfaceMesh& mesh, const Element& element, std::int32_t patch) {
  mesh.elements.push_back(element);
  mesh.patch.push_back(patch);
}

/// A drum of height 1 with `around` panels on its wall and `below` and `above` on its ends, whose
/// corners are turned by `turn` against those of the wall.
SurfaceMesh drum(int around, int below, int above, double turn) {
  SurfaceMesh mesh;
  mesh.source = "drum";
  mesh.patch_names = {"wall", "bottom", "top"};
  const auto low = ring(mesh, around, 0.0, 0.0), high = ring(mesh, around, 1.0, 0.0);
  for (int k = 0; k < around; ++k) {
    const int next = (k + 1) % around;
    add(mesh, {low[k], low[next], high[next], high[k]}, 0);
  }
  for (const bool top : {false, true}) {
    const auto rim = ring(mesh, top ? above : below, top ? 1.0 : 0.0, turn);
    const auto middle = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back({0.0, 0.0, top ? 1.0 : 0.0});
    for (std::size_t k = 0; k < rim.size(); ++k) {
      const std::int32_t a = rim[k], b = rim[(k + 1) % rim.size()];
      add(mesh, top ? Element{middle, a, b, -1} : Element{middle, b, a, -1}, top ? 2 : 1);
    }
  }
  return mesh;
}

double area_of_polygon(int corners) {
  return 0.5 * corners * std::sin(2.0 * std::numbers::pi / corners);
}

TEST(Stitch, ClosesADrumOfDifferentEnds) {
  struct Ends {
    int around, below, above;
    double turn;
  };
  for (const auto& [around, below, above, turn] : {Ends{12, 24, 24, 0.0}, Ends{40, 42, 38, 0.0},
                                                   Ends{24, 31, 17, 0.03}, Ends{16, 16, 48, 0.1}}) {
    SurfaceMesh mesh = drum(around, below, above, turn);
    const MeshReport before = check_mesh(mesh);
    EXPECT_EQ(before.boundary_edges.count, static_cast<std::size_t>(2 * around + below + above));
    EXPECT_TRUE(says(defects(mesh, before).at(0), "repair = [\"stitch\"] joins them"));
    const Stitches made = stitch(mesh);
    EXPECT_EQ(made.open_before, before.boundary_edges.count);
    EXPECT_EQ(made.open_after, 0u);
    const MeshReport report = check_mesh(mesh);
    EXPECT_TRUE(report.watertight() && report.inconsistent_edges.count == 0)
        << around << " " << below;
    EXPECT_TRUE(defects(mesh, report).empty());
    EXPECT_EQ(report.bodies.size(), 1u);
    // Its rims go through corners on the circle, more of them than on the coarsest end and no more
    // than a circle has.
    const double least = area_of_polygon(std::min({around, below, above}));
    EXPECT_GE(report.volume, least - 1e-12);
    EXPECT_LE(report.volume, std::numbers::pi);
    // The ends stay in their planes, and every patch keeps its side.
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const double flat = std::abs(vector_area(mesh, mesh.elements[e]).z);
      if (mesh.patch[e] == 0) {
        EXPECT_LT(flat, 0.1 * norm(vector_area(mesh, mesh.elements[e])));
      } else {
        EXPECT_NEAR(flat, norm(vector_area(mesh, mesh.elements[e])), 1e-14);
      }
    }
  }
}

/// Corners half-way along straight edges: the shape stays what it was.
TEST(Stitch, FacesOfCadAreJoinedWithANote) {
  const SurfaceMesh mesh = finish_mesh(drum(12, 24, 24, 0.0), {}, {.join = true});
  EXPECT_EQ(mesh.notes, std::vector<std::string>{"faces joined along 72 open edges"});
  EXPECT_TRUE(check_mesh(mesh).watertight());
  const SurfaceMesh closed = finish_mesh(drum(12, 12, 12, 0.0), {}, {.join = true});
  EXPECT_TRUE(closed.notes.empty());
}

TEST(Stitch, KeepsTheShapeWhereEdgesAreStraight) {
  SurfaceMesh mesh = make_box(54, {1.0, 2.0, 3.0});
  const SurfaceMesh fine = make_box(600, {1.0, 2.0, 3.0});
  std::vector<Element> elements;
  const auto on_top = [](const SurfaceMesh& of, const Element& element) {
    return corner_mean(of, element).z > 1.4999;
  };
  for (const Element& element : mesh.elements) {
    if (!on_top(mesh, element)) elements.push_back(element);
  }
  const auto first = static_cast<std::int32_t>(mesh.nodes.size());
  mesh.nodes.insert(mesh.nodes.end(), fine.nodes.begin(), fine.nodes.end());
  for (Element element : fine.elements) {
    if (!on_top(fine, element)) continue;
    for (int k = 0; k < corner_count(element); ++k) element[k] += first;
    elements.push_back(element);
  }
  mesh.elements = elements;
  mesh.patch.assign(elements.size(), 0);
  for (const Element& element : mesh.elements)
    mesh.mid_nodes.push_back(straight_mid_nodes(mesh, element));
  const std::vector<std::string> notes = repair(mesh, {.stitch = true});
  EXPECT_TRUE(says(notes.at(0), "repair: stitched"));
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.watertight());
  EXPECT_NEAR(report.volume, 6.0, 1e-12);
  EXPECT_NEAR(report.area, 22.0, 1e-12);
  ASSERT_EQ(mesh.mid_nodes.size(), mesh.elements.size());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    EXPECT_EQ(mesh.mid_nodes[e], straight_mid_nodes(mesh, mesh.elements[e]));
}

TEST(Stitch, LeavesOtherGapsAlone) {
  SurfaceMesh closed = make_sphere(320), open = closed;
  open.elements.erase(open.elements.begin(), open.elements.begin() + 3);
  open.patch.assign(open.elements.size(), 0);
  for (SurfaceMesh mesh : {closed, open}) {
    const std::vector<Element> before = mesh.elements;
    const Stitches made = stitch(mesh);
    EXPECT_EQ(made.inserted + made.merged, 0u);
    EXPECT_EQ(made.open_after, made.open_before);
    EXPECT_EQ(mesh.elements, before);
  }
  // A lid a fifth of its edges above the rim is not meant to be on it.
  SurfaceMesh lifted = drum(12, 12, 20, 0.0);
  for (const Element& element : std::vector<Element>(lifted.elements)) {
    if (element[3] >= 0 || lifted.nodes[element[0]].z < 0.5) continue;
    for (int k = 0; k < 3; ++k) lifted.nodes[element[k]].z = 1.15;
  }
  const std::size_t open_rims = check_mesh(lifted).boundary_edges.count;
  EXPECT_GE(stitch(lifted).open_after, open_rims - 24);  // those of the bottom are closed
  EXPECT_FALSE(check_mesh(lifted).watertight());
}

TEST(Stitch, PanelsThatThenHaveTheSameCornersAreDuplicates) {
  // Two copies of a panel, with nodes of their own, lie in a hole of its shape.
  SurfaceMesh mesh = make_box(24, {1.0, 1.0, 1.0}, {});
  const std::size_t whole = mesh.elements.size();
  append_copy(mesh, 0);
  for (const std::size_t copy : {std::size_t{0}, whole}) {
    for (int k = 0; k < corner_count(mesh.elements[copy]); ++k) {
      mesh.nodes.push_back(mesh.nodes[mesh.elements[copy][k]]);
      mesh.elements[copy][k] = static_cast<std::int32_t>(mesh.nodes.size()) - 1;
    }
  }
  repair(mesh, {.duplicates = true, .stitch = true});
  EXPECT_EQ(mesh.elements.size(), whole);
  EXPECT_TRUE(defects(mesh, check_mesh(mesh)).empty());
}

}  // namespace
}  // namespace rankine::meshes
