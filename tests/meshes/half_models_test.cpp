// Rims of open surfaces and of half models, and cuts by planes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/boundary_loops.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/plane_cut.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::meshes {
namespace {

using testing::message_of;
using testing::says;

const SymmetryPlane side{1, 0.0, 1.0}, lid{2, 0.0, 1.0};

/// A quarter of an ellipsoid below the water, its rims off y = 0 and z = 0 by up to `share` of the
/// shortest edge there.
SurfaceMesh quarter(double share) {
  SurfaceMesh mesh = testing::positive_part(testing::cubed_sphere(1536), {1, 2});
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
  for (const Element& each : rough.elements)
    rough.mid_nodes.push_back(straight_mid_nodes(rough, each));
  EXPECT_TRUE(meet_planes(exact, planes).empty());
  const std::vector<std::string> notes = meet_planes(rough, planes);
  ASSERT_EQ(notes.size(), 2u);
  // 32 panels from end to end.
  EXPECT_TRUE(says(notes[0], "moved 33 nodes of the rim onto the symmetry plane y = 0 m, by 0.000"))
      << notes[0];
  EXPECT_TRUE(says(notes[1], "onto the symmetry plane z = 0 m"));
  EXPECT_EQ(rough.nodes, exact.nodes);
  for (std::size_t e = 0; e < rough.elements.size(); ++e) {
    const Element& corner = rough.elements[e];
    for (int k = 0; k < 4; ++k) {
      if (rough.nodes[corner[k]].z == 0.0 && rough.nodes[corner[(k + 1) % 4]].z == 0.0) {
        EXPECT_EQ(rough.mid_nodes[e][k].z, 0.0) << e;
      }
    }
  }
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
  for (Vec3d& x : mesh.nodes) x.y += 12.34567;
  const Symmetry moved({{side.axis, 12.34567, 1}});
  EXPECT_TRUE(says(defects(mesh, check_mesh(mesh, moved), moved).at(0),
                   "add \"z\" to problem.symmetry, symmetry_origin = [0, 12.34567, 0], mirror it"));
}

/// Of two parallel openings one plane mirrors at most one: the message keeps to the plane given, or
/// names that through the origin, with a place as exact as the nodes.
TEST(HalfModels, OfTwoParallelOpeningsOneIsMirrored) {
  constexpr double far = -1.2445678;
  SurfaceMesh mesh = make_box(600, {1.0, -far, 1.0}, {0.0, 0.5 * far, 0.0});
  std::vector<Element> elements;
  for (const Element& element : mesh.elements)
    if (std::abs(corner_mean(mesh, element).y - 0.5 * far) < -0.499 * far)
      elements.push_back(element);
  mesh.elements = elements;
  mesh.patch.assign(elements.size(), 0);
  const auto message = [&](const Symmetry& symmetry) {
    return defects(mesh, check_mesh(mesh, symmetry), symmetry).at(0);
  };
  EXPECT_TRUE(says(message({}), "where y = -1.244568 and y = 0"));
  EXPECT_TRUE(says(message({}), "set problem.symmetry = [\"y\"], mirror it"));
  EXPECT_TRUE(says(message({}), "close the other opening"));
  for (const double place : {0.0, far}) {
    const std::string text = message(Symmetry({{1, place, 1}}));
    EXPECT_TRUE(says(text, "close it there (repair = [\"fill\"])")) << text;
    EXPECT_FALSE(says(text, "set problem.symmetry")) << text;
  }
}

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
  EXPECT_TRUE(cut_planes(make_sphere(80)).planes.empty());
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
  EXPECT_EQ(cut_planes(mesh).planes, (std::vector<CutPlane>{{2, -1.5}, {2, 1.5}}));
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
  EXPECT_EQ(cut_planes(mesh).planes, (std::vector<CutPlane>{{1, 0.0}}));
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
  EXPECT_EQ(open_at(1).planes, whole.planes);
  EXPECT_EQ(open_at(1).edges, whole.edges);
  EXPECT_TRUE(open_at(6).planes.empty());
}

/// Two holes that meet in a node are two rims; one that is not flat is named in the message.
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
  EXPECT_TRUE(cut_planes(mesh).planes.empty());
  EXPECT_TRUE(says(defects(mesh, check_mesh(mesh)).at(0), "close the gap, merge nodes"));
}

using std::numbers::pi;

double length_of(const SurfaceMesh& mesh, const CutLine& line) {
  double length = 0.0;
  for (std::size_t k = 1; k < line.points.size(); ++k)
    length += norm(position(mesh, line.points[k]) - position(mesh, line.points[k - 1]));
  return length;
}

/// Area inside a closed line, positive where it runs counter-clockwise about `normal`.
double area_of(const SurfaceMesh& mesh, const CutLine& line, const Vec3d& normal) {
  Vec3d area{};
  for (std::size_t k = 1; k < line.points.size(); ++k)
    area += 0.5 * cross(position(mesh, line.points[k - 1]), position(mesh, line.points[k]));
  return dot(area, normalized(normal));
}

/// Of every line: in the plane, no point twice, and every piece on the panel it says.
void expect_sound(const SurfaceMesh& mesh, const PlaneCut& cut, const Vec3d& origin,
                  const Vec3d& normal) {
  for (const CutLine& line : cut.lines) {
    ASSERT_GE(line.points.size(), 2u);
    for (std::size_t k = 0; k < line.points.size(); ++k) {
      const Vec3d x = position(mesh, line.points[k]);
      EXPECT_NEAR(dot(x - origin, normalized(normal)), 0.0, 1e-12);
      EXPECT_GE(line.points[k].share, 0.0);
      EXPECT_LE(line.points[k].share, 1.0);
      if (k == 0) continue;
      EXPECT_GT(norm(x - position(mesh, line.points[k - 1])), 0.0);
    }
    const bool meets =
        norm(position(mesh, line.points.front()) - position(mesh, line.points.back())) == 0.0;
    EXPECT_EQ(meets, line.closed);
  }
}

TEST(PlaneCut, OfASphereIsOneCircle) {
  // Through nodes and along edges (z = 0, x = y), and through neither.
  for (const SurfaceMesh& mesh : {testing::jittered_sphere(5120), testing::cubed_sphere(3456)}) {
    for (const Vec3d& normal : {Vec3d{0, 0, 1}, Vec3d{1, -1, 0}, Vec3d{0.3, -0.5, 2.0}}) {
      for (const double height : {0.0, 0.5, -0.8}) {
        const Vec3d origin = height * normalized(normal);
        const PlaneCut cut = cut_by_plane(mesh, origin, normal);
        ASSERT_EQ(cut.lines.size(), 1u);
        expect_sound(mesh, cut, origin, normal);
        EXPECT_TRUE(cut.lines[0].closed);
        const double radius = std::sqrt(1.0 - height * height);
        // Chords of panels of size h = 0.07 lie h^2/8 below the sphere, to which lines on slopes
        // add as much again.
        EXPECT_NEAR(length_of(mesh, cut.lines[0]), 2.0 * pi * radius, 0.01);
        EXPECT_NEAR(area_of(mesh, cut.lines[0], normal), pi * radius * radius, 0.01);
      }
    }
  }
}

TEST(PlaneCut, OfABoxIsExact) {
  const SurfaceMesh mesh = make_box(600, {1.0, 2.0, 3.0});
  // Along z = 0, where nodes are or are not, and across the corners of a rectangle.
  const auto check = [&](const Vec3d& origin, const Vec3d& normal, double length, double area) {
    const PlaneCut cut = cut_by_plane(mesh, origin, normal);
    ASSERT_EQ(cut.lines.size(), 1u);
    expect_sound(mesh, cut, origin, normal);
    EXPECT_NEAR(length_of(mesh, cut.lines[0]), length, 1e-12);
    EXPECT_NEAR(area_of(mesh, cut.lines[0], normal), area, 1e-12);
  };
  check({0.0, 0.0, 0.0}, {0.0, 0.0, 5.0}, 6.0, 2.0);
  check({0.0, 0.0, 0.123}, {0.0, 0.0, -1.0}, 6.0, 2.0);
  check({0.0, 0.0, 0.0}, {2.0, -1.0, 0.0}, 6.0 + 2.0 * std::sqrt(5.0), 3.0 * std::sqrt(5.0));
  // In a face: its rim, whichever way the normal looks.
  check({0.5, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0, 6.0);
  check({0.5, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 10.0, 6.0);
}

TEST(PlaneCut, FindsEveryLine) {
  const SurfaceMesh torus = make_torus(3200, 2.0, 0.5);
  const PlaneCut across = cut_by_plane(torus, {}, {0.0, 1.0, 0.0}),
                 along = cut_by_plane(torus, {0.0, 0.0, 0.1}, {0.0, 0.0, 1.0});
  ASSERT_EQ(across.lines.size(), 2u);
  ASSERT_EQ(along.lines.size(), 2u);
  for (const CutLine& line : across.lines) EXPECT_NEAR(length_of(torus, line), pi, 0.02);
  // Longest first; the inner one runs the other way about the normal.
  EXPECT_GT(area_of(torus, along.lines[0], {0, 0, 1}), 0.0);
  EXPECT_LT(area_of(torus, along.lines[1], {0, 0, 1}), 0.0);
  const double reach = std::sqrt(0.25 - 0.01);
  EXPECT_NEAR(length_of(torus, along.lines[0]), 2.0 * pi * (2.0 + reach), 0.05);
  EXPECT_NEAR(length_of(torus, along.lines[1]), 2.0 * pi * (2.0 - reach), 0.05);
}

TEST(PlaneCut, OfHalfAModelEndsAtItsPlane) {
  const SurfaceMesh half = testing::positive_part(testing::cubed_sphere(3456), {2});
  const PlaneCut cut = cut_by_plane(half, {0.1, 0.0, 0.0}, {1.0, 0.2, 0.0});
  ASSERT_EQ(cut.lines.size(), 1u);
  EXPECT_FALSE(cut.lines[0].closed);
  EXPECT_NEAR(position(half, cut.lines[0].points.front()).z, 0.0, 1e-12);
  EXPECT_NEAR(position(half, cut.lines[0].points.back()).z, 0.0, 1e-12);
  EXPECT_NEAR(length_of(half, cut.lines[0]), pi * std::sqrt(1.0 - 0.01 / 1.04), 0.01);
  // The plane itself: the rim, from either side.
  for (const double up : {1.0, -1.0}) {
    const PlaneCut rim = cut_by_plane(half, {}, {0.0, 0.0, up});
    ASSERT_EQ(rim.lines.size(), 1u);
    EXPECT_TRUE(rim.lines[0].closed);
    EXPECT_NEAR(length_of(half, rim.lines[0]), 2.0 * pi, 0.01);
  }
}

TEST(PlaneCut, ThatMissesSaysByHowMuch) {
  const PlaneCut cut =
      cut_by_plane(make_box(54, {1.0, 2.0, 3.0}), {0.0, 4.0, 0.0}, {0.0, 3.0, 0.0});
  EXPECT_TRUE(cut.lines.empty());
  EXPECT_NEAR(cut.distance, 3.0, 1e-12);
}

TEST(Symmetry, RefusesPlanesThatAreNone) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const auto& [planes, message] :
       std::vector<std::pair<std::vector<SymmetryPlane>, const char*>>{
           {{{3, 0.0, 1.0}}, "a symmetry plane is normal to axis 3; give 0, 1 or 2"},
           {{{0, infinite, 1.0}}, "the place of a symmetry plane is not finite; give metres"},
           {{{0, 0.0, 0.5}}, "the sign of a symmetry plane is 0.5; give 1 or -1"},
           {{side, {1, 2.0, -1.0}}, "two symmetry planes are normal to y; between parallel walls"}})
    EXPECT_TRUE(says(message_of<InputError>([&] { Symmetry{planes}; }), message)) << message;
}

/// A unit cube about the origin, cut by a plane or standing on it.
TEST(HalfModels, BodiesAcrossThePlaneAreRefusedAndPanelsInItLeftOut) {
  const SurfaceMesh cube = make_box(96, {1.0, 1.0, 1.0});
  SurfaceMesh across = cube;
  across.source = "cube.stl";
  EXPECT_EQ(message_of<MeshError>([&] { meet_planes(across, Symmetry({side})); }),
            "cube.stl reaches across the symmetry plane y = 0 m, from y = -0.5 to 0.5 m; cut it "
            "there and keep one side, or leave the plane out");
  const Symmetry floor({{2, -0.5, 1.0}});
  SurfaceMesh standing = cube;
  const std::vector<std::string> notes = meet_planes(standing, floor);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(says(notes[0], "left out 16 panels in the symmetry plane z = -0.5 m")) << notes[0];
  EXPECT_EQ(standing.elements.size(), 80u);
  EXPECT_NEAR(check_mesh(standing).area, 5.0, 1e-12);
  EXPECT_TRUE(says(message_of<MeshError>([&] { with_halo(cube, floor); }),
                   "box does not meet its symmetry planes as it is (left out 16 panels"));
  EXPECT_GT(with_halo(standing, floor).mesh.elements.size(), 80u);
}

}  // namespace
}  // namespace rankine::meshes
