// What spoils an answer is found, where it is, and how grave it is; good meshes have nothing.
#include "rankine/meshes/checks/inspect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/checks/panel_quality.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/flaws.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

SurfaceMesh oriented(SurfaceMesh mesh) {
  orient(mesh, Orient::outward);
  return mesh;
}

/// A gap, with its width in panels.
void expect_gap(const Flaw& flaw, Severity severity, std::size_t panels, double worst) {
  EXPECT_EQ(flaw.severity, severity);
  EXPECT_EQ(flaw.panels.count, panels);
  EXPECT_NEAR(flaw.worst, worst, 1e-9);
}

/// Pairs of one finding belong to different halves of a mesh of two.
bool between_halves(const Flaw& flaw, std::size_t first_half) {
  for (std::size_t k = 0; k < flaw.others.size(); ++k) {
    if ((flaw.panels.first[k] < first_half) == (flaw.others[k] < first_half)) return false;
  }
  return !flaw.others.empty();
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
  const SurfaceMesh box = cube();
  for (const Vec3d& place : {Vec3d{1.0, 0.0, 0.0}, Vec3d{1.0, 0.1, 0.2}}) {
    const Inspection inspection = inspect(joined(box, cube(place)));
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
  EXPECT_GE(count_of(mesh, FlawKind::bodies_touch), 18u);
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
  const Inspection inspection = inspect(joined(cube(), cube({0.5, 0.13, 0.0})));
  const Flaw crossing = flaw_of(inspection, FlawKind::bodies_cross);
  EXPECT_GT(crossing.panels.count, 0u);
  EXPECT_GT(flaw_of(inspection, FlawKind::bodies_touch).panels.count, 0u);
  EXPECT_EQ(marked_panels(inspection, FlawKind::bodies_cross).size(), crossing.panels.count);
  EXPECT_EQ(inspection.flaws.front().kind, FlawKind::bodies_cross);
}

TEST(Inspect, BodiesThatMeetAtACornerOnlyAreNotRefused) {
  SurfaceMesh mesh = joined(cube(), cube({1.0, 1.0, 1.0}));
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
    return flaw_of(inspect(joined(cube(), cube({1.0 + width, 0.0, 0.0}))), FlawKind::gap);
  };
  EXPECT_EQ(gap_of(0.2).panels.count, 0u);
  expect_gap(gap_of(0.1), Severity::note, 18, 0.3);
  expect_gap(gap_of(0.05), Severity::warning, 18, 0.15);
}

TEST(Inspect, TheWorstGapIsTheNarrowest) {
  const SurfaceMesh box = cube(), left = cube({-1.1, 0.0, 0.0}), right = cube({1.05, 0.0, 0.0});
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
  SurfaceMesh sheet = cube();
  for (Vec3d& node : sheet.nodes) node.x = 0.53 + 0.02 * node.x;
  const SurfaceMesh mesh = joined(cube(), sheet);
  const Flaw gaps = flaw_of(inspect(mesh, Symmetry({{0, 0.56, 1.0}})), FlawKind::gap);
  EXPECT_EQ(gaps.panels.count, 27u) << "9 of the box, 9 on each side of the sheet";
}

TEST(Inspect, GapsToImagesAreThoseBetweenTwoBodies) {
  // Half the gap from the wall, on either side of it: the same 9 panels of one box, and nothing
  // where the plane holds a face or is behind another one.
  const SurfaceMesh box = cube();  // from -1/2 to 1/2, panels of 1/3
  const auto gap_at = [&](double place) {
    return flaw_of(inspect(box, Symmetry({{0, place, 1.0}})), FlawKind::gap);
  };
  for (const double side : {-1.0, 1.0}) {
    EXPECT_EQ(gap_at(side * 0.6).panels.count, 0u);
    expect_gap(gap_at(side * 0.55), Severity::note, 9, 0.3);
    const Flaw spoiling = gap_at(side * 0.525);
    expect_gap(spoiling, Severity::warning, 9, 0.15);
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

/// A sphere whose top is pushed to `depth` below its top, as a dent that becomes narrower.
SurfaceMesh pushed_in(double depth) {
  SurfaceMesh mesh = make_sphere(5120);
  for (Vec3d& node : mesh.nodes)
    node.z -= depth * std::exp(-100.0 * (1.0 - node.z) * (1.0 - node.z));
  return mesh;
}

TEST(Inspect, APartThatIsInsideOutIsRefused) {
  EXPECT_FALSE(inspect(pushed_in(1.5)).refused());  // a dent
  const Inspection through = inspect(pushed_in(2.6));
  EXPECT_EQ(flaw_of(through, FlawKind::surface_crosses).severity, Severity::refused);
  EXPECT_TRUE(through.refused());
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

/// An edge counts wherever it is in the lists of corners of its two panels.
TEST(PanelQuality, DoesNotDependOnWhichCornerIsFirst) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 4}};
  const std::vector<Element> faces{{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}};
  mesh.elements = faces;
  const auto expected = measure_quality(mesh, EdgeTable(mesh));
  for (int turns = 1; turns < 81; ++turns) {
    int left = turns;
    for (std::size_t e = 0; e < faces.size(); ++e, left /= 3) {
      mesh.elements[e] = faces[e];
      std::rotate(mesh.elements[e].begin(), mesh.elements[e].begin() + left % 3,
                  mesh.elements[e].begin() + 3);
    }
    const auto found = measure_quality(mesh, EdgeTable(mesh));
    for (std::size_t e = 0; e < faces.size(); ++e) {
      EXPECT_NEAR(found[e].size_jump, expected[e].size_jump, 1e-14) << turns;
      EXPECT_NEAR(found[e].turn, expected[e].turn, 1e-9) << turns;
    }
  }
}

/// Sizes of neighbours may differ by a factor of 5; from 20 on the answer is inaccurate.
TEST(Inspect, SizeJumpsAgainstTheirLimits) {
  const auto jump_of = [](double ratio) {  // of the two strips beside an edge of a cube
    SurfaceMesh mesh = cube();
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
    SurfaceMesh mesh = cube();
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
