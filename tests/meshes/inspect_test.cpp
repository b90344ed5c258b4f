// What spoils an answer is found, where it is, and how grave it is; good meshes have nothing.
#include "rankine/meshes/checks/inspect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/measures.hpp"
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

/// Its flaw of this kind; one of no panels where there is none.
Flaw flaw_of(const Inspection& inspection, FlawKind kind) {
  for (const Flaw& flaw : inspection.flaws) {
    if (flaw.kind == kind) return flaw;
  }
  return {.kind = kind};
}

std::set<std::size_t> marked_panels(const Inspection& inspection, FlawKind kind) {
  std::set<std::size_t> panels;
  for (std::size_t e = 0; e < inspection.marked.size(); ++e) {
    if (inspection.marked[e] == 1 + static_cast<int>(kind)) panels.insert(e);
  }
  return panels;
}

SurfaceMesh oriented(SurfaceMesh mesh) {
  orient(mesh, Orient::outward);
  return mesh;
}

/// Pairs of one finding belong to different halves of a mesh of two.
bool between_halves(const Flaw& flaw, std::size_t first_half) {
  for (std::size_t k = 0; k < flaw.others.size(); ++k) {
    if ((flaw.panels.first[k] < first_half) == (flaw.others[k] < first_half)) return false;
  }
  return !flaw.others.empty();
}

std::vector<std::size_t> panels_around(const SurfaceMesh& mesh, std::int32_t node) {
  std::vector<std::size_t> panels;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element& element = mesh.elements[e];
    if (std::find(element.begin(), element.end(), node) != element.end()) panels.push_back(e);
  }
  return panels;
}

/// Moves a node of the unit sphere along it, beyond the panels around it.
void push_over(SurfaceMesh& mesh, std::int32_t node, double panels) {
  const Element& element = mesh.elements[panels_around(mesh, node).front()];
  const std::int32_t next = element[0] == node ? element[1] : element[0];
  const Vec3d way = mesh.nodes[next] - mesh.nodes[node];
  mesh.nodes[node] = normalized(mesh.nodes[node] + panels * way);
}

std::set<std::size_t> turned_over(const SurfaceMesh& mesh) {
  std::set<std::size_t> panels;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (dot(vector_area(mesh, mesh.elements[e]), corner_mean(mesh, mesh.elements[e])) < 0.0)
      panels.insert(e);
  }
  return panels;
}

TEST(Inspect, GoodMeshesHaveNoFlaw) {
  const SurfaceMesh sphere = make_sphere(1280);
  for (const SurfaceMesh& mesh :
       {sphere, make_ellipsoid(1280, {3.0, 2.0, 1.0}), make_torus(800, 2.0, 1.0),
        make_box(54, {1.0, 2.0, 3.0}), make_box(54, {1.0, 1.0, 1.0}, {}, PanelKind::triangles),
        joined(sphere, make_sphere(1280, 1.0, {2.1, 0.0, 0.0}))}) {
    const Inspection inspection = inspect(mesh);
    EXPECT_TRUE(inspection.flaws.empty()) << describe(mesh, inspection.flaws.front());
    EXPECT_EQ(std::count(inspection.marked.begin(), inspection.marked.end(), 0),
              std::ssize(mesh.elements));
    EXPECT_NO_THROW(require_meaningful(mesh, inspection));
  }
}

TEST(Inspect, OverlappingBodiesAreRefused) {
  for (const double apart : {0.5, 1.0, 1.98}) {
    SurfaceMesh mesh = joined(make_sphere(1280), make_sphere(720, 1.0, {0.6 * apart, 0.8 * apart}));
    mesh.source = "spheres";
    mesh.patch_names = {"hull", "keel"};
    const Inspection inspection = inspect(mesh);
    const Flaw flaw = flaw_of(inspection, FlawKind::bodies_cross);
    EXPECT_EQ(flaw.severity, Severity::refused);
    EXPECT_GE(flaw.panels.count, 4u);
    EXPECT_LT(flaw.panels.count, 300u);
    EXPECT_TRUE(between_halves(flaw, 1280));
    EXPECT_TRUE(inspection.refused());
    const std::string message =
        message_of<MeshError>([&] { require_meaningful(mesh, inspection); });
    EXPECT_TRUE(says(message, "spheres: overlapping bodies: "));
    EXPECT_TRUE(says(message, "element " + std::to_string(flaw.panels.first[0]) + " with " +
                                  std::to_string(flaw.others[0]) + " (patches hull and keel)"));
    EXPECT_TRUE(says(message, "unite the bodies before meshing"));
  }
}

TEST(Inspect, ADoubledSurfaceIsRefused) {
  const SurfaceMesh mesh = oriented(joined(make_sphere(1280), make_sphere(1280, 1.0001)));
  const Inspection inspection = inspect(mesh);
  const Flaw flaw = flaw_of(inspection, FlawKind::bodies_touch);
  EXPECT_EQ(flaw.severity, Severity::refused);
  EXPECT_EQ(flaw.panels.count, 2560u);
  EXPECT_TRUE(between_halves(flaw, 1280));
  EXPECT_GT(flaw.worst, 1e-4);
  EXPECT_LT(flaw.worst, 1e-2);
  EXPECT_TRUE(says(describe(mesh, flaw), "distance / panel size"));
}

TEST(Inspect, TouchingBoxesAreRefusedAlsoWhereNodesAreShared) {
  const SurfaceMesh box = make_box(54, {1.0, 1.0, 1.0});
  for (const Vec3d& place : {Vec3d{1.0, 0.0, 0.0}, Vec3d{1.0, 0.1, 0.2}}) {
    const Inspection inspection = inspect(joined(box, make_box(54, {1.0, 1.0, 1.0}, place)));
    const Flaw flaw = flaw_of(inspection, FlawKind::bodies_touch);
    EXPECT_EQ(flaw.severity, Severity::refused);
    EXPECT_GE(flaw.panels.count, 18u);
    EXPECT_EQ(flaw_of(inspection, FlawKind::bodies_cross).panels.count, 0u);
  }
  SurfaceMesh mesh = joined(box, make_box(150, {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}));
  const auto first_nodes = static_cast<std::int32_t>(box.nodes.size());
  for (Element& element : mesh.elements) {
    for (std::int32_t& node : element) {
      for (std::int32_t n = 0; n < first_nodes && node >= first_nodes; ++n) {
        if (norm(mesh.nodes[n] - mesh.nodes[node]) < 1e-9) node = n;
      }
    }
  }
  EXPECT_GE(flaw_of(inspect(mesh), FlawKind::bodies_touch).panels.count, 18u);
}

TEST(Inspect, APanelOnAnotherWithOneNodeInCommonTouchesIt) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0},   {4, 0, 0},   {0, 4, 0},     {0, 0, 4},
                {1, 0.5, 0}, {0.5, 1, 0}, {0.5, 0.5, -1}};
  mesh.elements = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1},   // above
                   {0, 4, 5, -1}, {0, 6, 4, -1}, {4, 6, 5, -1}, {5, 6, 0, -1}};  // below
  mesh.patch.assign(8, 0);
  const std::set<std::size_t> touching = marked_panels(inspect(mesh), FlawKind::bodies_touch);
  EXPECT_TRUE(touching.contains(0));
  EXPECT_TRUE(touching.contains(4));
}

TEST(Inspect, PanelsAreMarkedWithTheirGravestFlaw) {
  const Inspection inspection = inspect(
      joined(make_box(54, {1.0, 1.0, 1.0}), make_box(54, {1.0, 1.0, 1.0}, {0.5, 0.13, 0.0})));
  const Flaw crossing = flaw_of(inspection, FlawKind::bodies_cross);
  EXPECT_GT(crossing.panels.count, 0u);
  EXPECT_GT(flaw_of(inspection, FlawKind::bodies_touch).panels.count, 0u);
  EXPECT_EQ(marked_panels(inspection, FlawKind::bodies_cross).size(), crossing.panels.count);
  EXPECT_EQ(inspection.flaws.front().kind, FlawKind::bodies_cross);
}

TEST(Inspect, BodiesThatMeetAtACornerOnlyAreNotRefused) {
  SurfaceMesh mesh =
      joined(make_box(54, {1.0, 1.0, 1.0}), make_box(54, {1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}));
  const auto half = static_cast<std::int32_t>(mesh.nodes.size()) / 2;
  for (Element& element : mesh.elements) {
    for (std::int32_t& node : element) {
      if (node >= half && norm(mesh.nodes[node] - Vec3d{0.5, 0.5, 0.5}) < 1e-9) {
        node = 0;
        while (norm(mesh.nodes[node] - Vec3d{0.5, 0.5, 0.5}) > 1e-9) ++node;
      }
    }
  }
  EXPECT_FALSE(inspect(mesh).refused());
}

TEST(Inspect, GapsAgainstPanelSize) {
  const auto gap_of = [](double width) {
    return flaw_of(inspect(joined(make_box(54, {1.0, 1.0, 1.0}),
                                  make_box(54, {1.0, 1.0, 1.0}, {1.0 + width, 0.0, 0.0}))),
                   FlawKind::gap);
  };
  EXPECT_EQ(gap_of(0.2).panels.count, 0u);
  const Flaw noted = gap_of(0.1), spoiling = gap_of(0.05);
  EXPECT_EQ(noted.panels.count, 18u);
  EXPECT_EQ(noted.severity, Severity::note);
  EXPECT_NEAR(noted.worst, 0.3, 1e-9);
  EXPECT_EQ(spoiling.severity, Severity::warning);
  EXPECT_NEAR(spoiling.worst, 0.15, 1e-9);
}

TEST(Inspect, TheWorstGapIsTheNarrowest) {
  const SurfaceMesh box = make_box(54, {1.0, 1.0, 1.0}),
                    left = make_box(54, {1.0, 1.0, 1.0}, {-1.1, 0.0, 0.0}),
                    right = make_box(54, {1.0, 1.0, 1.0}, {1.05, 0.0, 0.0});
  for (const SurfaceMesh& mesh :
       {joined(joined(box, left), right), joined(joined(box, right), left)}) {
    const Flaw gaps = flaw_of(inspect(mesh), FlawKind::gap);
    EXPECT_EQ(gaps.panels.count, 36u);
    EXPECT_NEAR(gaps.worst, 0.15, 1e-9);
    EXPECT_NEAR(std::abs(corner_mean(mesh, mesh.elements[gaps.worst_panel]).x - 0.525), 0.025,
                1e-9);
  }
}

TEST(Inspect, APanelThatFacesAnotherAndItsImageCountsOnce) {
  SurfaceMesh sheet = make_box(54, {1.0, 1.0, 1.0});
  for (Vec3d& node : sheet.nodes) node.x = 0.53 + 0.02 * node.x;
  const SurfaceMesh mesh = joined(make_box(54, {1.0, 1.0, 1.0}), sheet);
  const Flaw gaps = flaw_of(inspect(mesh, Symmetry({{0, 0.56, 1.0}})), FlawKind::gap);
  EXPECT_EQ(gaps.panels.count, 27u) << "9 of the box, 9 on each side of the sheet";
}

TEST(Inspect, GapsToImagesAreThoseBetweenTwoBodies) {
  // Half the gap from the wall, on either side of it: the same 9 panels of one box, and nothing
  // where the plane holds a face or is behind another one.
  const SurfaceMesh box = make_box(54, {1.0, 1.0, 1.0});  // from -1/2 to 1/2, panels of 1/3
  const auto gap_at = [&](double place) {
    return flaw_of(inspect(box, Symmetry({{0, place, 1.0}})), FlawKind::gap);
  };
  for (const double side : {-1.0, 1.0}) {
    EXPECT_EQ(gap_at(side * 0.6).panels.count, 0u);
    const Flaw noted = gap_at(side * 0.55), spoiling = gap_at(side * 0.525);
    EXPECT_EQ(noted.panels.count, 9u);
    EXPECT_EQ(noted.severity, Severity::note);
    EXPECT_NEAR(noted.worst, 0.3, 1e-9);
    EXPECT_EQ(spoiling.severity, Severity::warning);
    EXPECT_NEAR(spoiling.worst, 0.15, 1e-9);
    EXPECT_EQ(other_of(spoiling, 0), "its image");
    EXPECT_TRUE(says(describe(box, spoiling), " with its image"));
  }
}

TEST(Inspect, ThinWallsAgainstPanelSize) {
  const auto wall_of = [](double thickness, PanelKind kind) {
    SurfaceMesh mesh = make_box(24, {1.0, 1.0, 1.0}, {}, kind);
    for (Vec3d& node : mesh.nodes) node.z *= thickness;
    return inspect(mesh);
  };
  for (const PanelKind kind : {PanelKind::triangles, PanelKind::quadrilaterals}) {
    const Inspection plate = wall_of(0.02, kind);
    const Flaw flaw = flaw_of(plate, FlawKind::thin_wall);
    EXPECT_EQ(flaw.severity, Severity::warning);
    EXPECT_GE(flaw.panels.count, 8u);
    EXPECT_EQ(flaw_of(plate, FlawKind::gap).panels.count, 0u);
    EXPECT_EQ(flaw_of(plate, FlawKind::folded).panels.count, 0u);
    EXPECT_FALSE(plate.refused());
  }
  EXPECT_EQ(flaw_of(wall_of(0.8, PanelKind::triangles), FlawKind::thin_wall).panels.count, 0u);
}

TEST(Inspect, ThinWallsWhoseSidesAreSearchedApart) {
  // Spikes up and down put the plate into the middle of its box, where the curve along which panels
  // are searched takes those above and those below in different runs.
  SurfaceMesh mesh = make_box(600, {1.0, 1.0, 1.0}, {}, PanelKind::quadrilaterals);
  for (Vec3d& node : mesh.nodes) {
    const bool up = node.x > 0.49 && node.y > 0.49 && node.z > 0.49,
               down = node.x < -0.49 && node.y < -0.49 && node.z < -0.49;
    node.z = up ? 1.0 : down ? -1.0 : 0.02 * node.z;
  }
  const Flaw flaw = flaw_of(inspect(mesh), FlawKind::thin_wall);
  EXPECT_GE(flaw.panels.count, 196u);  // of 200 all but those with a spike and what is opposite
  EXPECT_NEAR(flaw.worst, 0.2, 1e-9);
}

TEST(Inspect, FoldedPanelsAreThoseThatAreTurnedOver) {
  SurfaceMesh mesh = make_sphere(3380);
  for (const std::int32_t node : {100, 400, 700, 1000, 1300, 1600}) push_over(mesh, node, 1.6);
  const std::set<std::size_t> over = turned_over(mesh);
  ASSERT_GE(over.size(), 12u);
  const Inspection inspection = inspect(mesh);
  EXPECT_EQ(marked_panels(inspection, FlawKind::folded), over);
  const Flaw flaw = flaw_of(inspection, FlawKind::folded);
  EXPECT_EQ(flaw.panels.count, over.size());
  EXPECT_EQ(flaw.severity, Severity::refused);
  EXPECT_GT(flaw.worst, 150.0);
  EXPECT_TRUE(says(message_of<MeshError>([&] { require_meaningful(mesh, inspection); }),
                   "folded panels: " + std::to_string(over.size()) + " panels"));
}

TEST(Inspect, AFoldInALargeSurfaceIsAWarning) {
  SurfaceMesh mesh = make_sphere(8000);
  push_over(mesh, 1000, 1.2);
  const Flaw flaw = flaw_of(inspect(mesh), FlawKind::folded);
  EXPECT_EQ(flaw.panels.count, turned_over(mesh).size());
  EXPECT_GT(flaw.panels.count, 0u);
  EXPECT_EQ(flaw.severity, Severity::warning);
}

/// The unit cube in 14 triangles. On its upper face a triangle on the diagonal, so many metres
/// high, lies turned over on its neighbour.
SurfaceMesh cube_with_a_fold(double height) {
  SurfaceMesh mesh = make_box(6, {1.0, 1.0, 1.0}, {}, PanelKind::triangles);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element t = mesh.elements[e];
    if (corner_mean(mesh, t).z < 0.49) continue;
    int k = 0;  // the diagonal goes from this corner to the next
    while (norm(mesh.nodes[t[(k + 1) % 3]] - mesh.nodes[t[k]]) < 1.2) ++k;
    const std::int32_t from = t[k], to = t[(k + 1) % 3], top = t[(k + 2) % 3];
    const Vec3d middle = 0.5 * (mesh.nodes[from] + mesh.nodes[to]);
    const auto over = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back(middle - height * normalized(mesh.nodes[top] - middle));
    mesh.elements[e] = {from, to, over, -1};
    mesh.elements.push_back({from, over, top, -1});
    mesh.elements.push_back({over, to, top, -1});
    break;
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  return mesh;
}

/// Folds are refused from a thousandth of the surface on. Slivers that lie turned over are rounding
/// errors of meshers, which spoil the answer in one place only.
TEST(Inspect, ASliverThatIsTurnedOverIsAWarning) {
  for (const auto& [height, severity] : {std::pair{0.06, Severity::refused},  // 170 degrees, 0.7 %
                                         std::pair{0.025, Severity::warning}}) {  // 176, 0.3 %
    const Flaw flaw = flaw_of(inspect(cube_with_a_fold(height)), FlawKind::folded);
    EXPECT_EQ(flaw.panels.count, 1u);
    EXPECT_EQ(flaw.severity, severity) << height;
  }
}

/// A cube of 3 x 3 quadrilaterals a side, and the one in the middle of its upper face. `place` is
/// where the last corner of that is moved to, in units of the panel from its first corner on.
std::pair<SurfaceMesh, std::size_t> cube_with_a_moved_corner(double u, double v) {
  SurfaceMesh mesh = make_box(54, {1.0, 1.0, 1.0});
  std::size_t e = 0;
  while (norm(corner_mean(mesh, mesh.elements[e]) - Vec3d{0.0, 0.0, 0.5}) > 0.01) ++e;
  const Element& q = mesh.elements[e];
  const Vec3d first = mesh.nodes[q[0]];
  mesh.nodes[q[3]] = first + u * (mesh.nodes[q[1]] - first) + v * (mesh.nodes[q[3]] - first);
  return {std::move(mesh), e};
}

/// One that crosses itself is folded, also where its area still points outwards; one with a corner
/// that points inwards is not.
TEST(Inspect, AQuadrilateralThatCrossesItselfIsFolded) {
  const auto folded = [](double u, double v) {
    const auto [mesh, e] = cube_with_a_moved_corner(u, v);
    return marked_panels(inspect(mesh), FlawKind::folded).contains(e);
  };
  EXPECT_TRUE(folded(1.2, 0.3));
  EXPECT_FALSE(folded(0.7, 0.3));
  EXPECT_FALSE(folded(0.0, 1.0));
}

/// A wide angle makes a triangle a sliver; a quadrilateral with one is a triangle, more or less.
TEST(Inspect, AWideAngleOfAQuadrilateralIsNoFlaw) {
  const auto slivers = [](const SurfaceMesh& mesh) {
    return flaw_of(inspect(mesh), FlawKind::sliver).panels.count;
  };
  EXPECT_EQ(slivers(cube_with_a_moved_corner(0.49, 0.51).first), 0u);  // 178 degrees
  EXPECT_EQ(slivers(cube_with_a_fold(0.025)), 1u);
}

TEST(Inspect, ASharpRimIsNotAFold) {
  const Inspection inspection = inspect(make_ellipsoid(1280, {1.0, 1.0, 0.01}));
  EXPECT_EQ(flaw_of(inspection, FlawKind::folded).panels.count, 0u);
  EXPECT_GT(flaw_of(inspection, FlawKind::thin_wall).panels.count, 0u);
  EXPECT_FALSE(inspection.refused());
}

TEST(Inspect, ASurfaceThroughItselfIsAWarning) {
  SurfaceMesh mesh = make_sphere(1280);
  const std::int32_t node = 300;
  mesh.nodes[node] = -1.5 * mesh.nodes[node];
  const Inspection inspection = inspect(mesh);
  const Flaw flaw = flaw_of(inspection, FlawKind::surface_crosses);
  EXPECT_EQ(flaw.severity, Severity::warning);
  EXPECT_FALSE(inspection.refused());
  const std::set<std::size_t> marked = marked_panels(inspection, FlawKind::surface_crosses);
  for (const std::size_t e : panels_around(mesh, node)) EXPECT_TRUE(marked.contains(e));
  EXPECT_GT(marked.size(), panels_around(mesh, node).size());
  EXPECT_LT(marked.size(), 40u);
}

TEST(Inspect, LongPanelsThatCrossAreFound) {
  const auto bar = [](double angle, double height) {
    SurfaceMesh mesh = make_box(6, {100.0, 0.1, 0.1}, {}, PanelKind::triangles);
    for (Vec3d& x : mesh.nodes)
      x = {x.x * std::cos(angle) - x.y * std::sin(angle),
           x.x * std::sin(angle) + x.y * std::cos(angle), x.z + height};
    return mesh;
  };
  EXPECT_TRUE(inspect(joined(bar(0.3, 0.0), bar(1.2, 0.05))).refused());
  EXPECT_FALSE(inspect(joined(bar(0.3, 0.0), bar(1.2, 0.2))).refused());
}

TEST(Inspect, SliversAndSizeJumps) {
  SurfaceMesh mesh = make_sphere(1280);
  const Element first = mesh.elements[0];
  const Vec3d way = mesh.nodes[first[1]] - mesh.nodes[first[0]];
  mesh.nodes[first[0]] = mesh.nodes[first[1]] - 1e-5 * way;
  const Inspection inspection = inspect(mesh);
  const Flaw slivers = flaw_of(inspection, FlawKind::sliver);
  EXPECT_EQ(slivers.severity, Severity::warning);
  EXPECT_EQ(slivers.panels.count, 2u);
  EXPECT_EQ(slivers.panels.first.front(), 0u);
  EXPECT_GT(slivers.worst, 1e4);
  const Flaw jumps = flaw_of(inspection, FlawKind::size_jump);
  EXPECT_EQ(jumps.severity, Severity::warning);
  EXPECT_GT(jumps.worst, 100.0);
  EXPECT_FALSE(inspection.refused());
}

/// Sizes of neighbours may differ by a factor of 5; from 20 on the answer is inaccurate.
TEST(Inspect, SizeJumpsAgainstTheirLimits) {
  const auto jump_of = [](double ratio) {  // of the two strips beside an edge of a cube
    SurfaceMesh mesh = make_box(54, {1.0, 1.0, 1.0});
    for (Vec3d& x : mesh.nodes) {
      if (x.x > 0.1 && x.x < 0.4) x.x = 0.5 - (0.5 + 1.0 / 6.0) / (1.0 + ratio * ratio);
    }
    return flaw_of(inspect(mesh), FlawKind::size_jump);
  };
  EXPECT_EQ(jump_of(4.5).panels.count, 0u);
  EXPECT_EQ(jump_of(5.5).severity, Severity::note);
  EXPECT_NEAR(jump_of(5.5).worst, 5.5, 1e-9);
  EXPECT_EQ(jump_of(18.0).severity, Severity::note);
  EXPECT_EQ(jump_of(22.0).severity, Severity::warning);
}

TEST(Inspect, RegularLongPanelsAreANote) {
  const Inspection inspection = inspect(make_box(54, {300.0, 1.0, 1.0}, {}, PanelKind::triangles));
  for (const Flaw& flaw : inspection.flaws) EXPECT_EQ(flaw.severity, Severity::note);
}

TEST(Inspect, WarpedQuadrilaterals) {
  const auto warp_of = [](double height) {
    SurfaceMesh mesh = make_box(54, {1.0, 1.0, 1.0});
    for (Vec3d& x : mesh.nodes) {
      const bool inner = std::abs(x.x) < 0.2 && std::abs(x.y) < 0.2 && x.z > 0.4;
      if (inner && x.x > 0.0 && x.y > 0.0) x.z += height;
    }
    return flaw_of(inspect(mesh), FlawKind::warped);
  };
  EXPECT_EQ(warp_of(0.02).panels.count, 0u);
  EXPECT_EQ(warp_of(0.15).severity, Severity::note);
  EXPECT_EQ(warp_of(0.15).panels.count, 4u);
  EXPECT_EQ(warp_of(1.0).severity, Severity::warning);
}

TEST(Inspect, ACavityIsANote) {
  const SurfaceMesh mesh = oriented(joined(make_sphere(320), make_sphere(80, 0.5)));
  const Inspection inspection = inspect(mesh);
  ASSERT_EQ(inspection.flaws.size(), 1u);
  EXPECT_EQ(inspection.flaws[0].kind, FlawKind::cavity);
  EXPECT_EQ(inspection.flaws[0].severity, Severity::note);
  EXPECT_EQ(inspection.flaws[0].panels.first, std::vector<std::size_t>{320});
}

}  // namespace
}  // namespace rankine::meshes
