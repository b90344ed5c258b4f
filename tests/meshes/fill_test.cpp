// Holes with flat or small rims are closed by panels of the size of those around.
#include "rankine/meshes/repair/fill.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/patches.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using testing::says;

SurfaceMesh without(SurfaceMesh mesh,
                    const std::function<bool(const Vec3d& normal, const Vec3d& x)>& is_gone) {
  std::vector<bool> gone;
  for (const Element& element : mesh.elements)
    gone.push_back(is_gone(normalized(vector_area(mesh, element)), corner_mean(mesh, element)));
  drop_elements(mesh, gone);
  drop_unused_nodes(mesh);
  return mesh;
}

/// A prism over a regular polygon of radius 1, open above, of quadrilaterals.
SurfaceMesh cup(int sides, int layers, const std::function<double(double)>& radius) {
  SurfaceMesh mesh;
  mesh.patch_names = {"cup"};
  for (int layer = 0; layer <= layers; ++layer) {
    for (int k = 0; k < sides; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / sides, r = radius(angle);
      mesh.nodes.push_back({r * std::cos(angle), r * std::sin(angle), 1.0 * layer / layers});
    }
  }
  for (int layer = 0; layer < layers; ++layer) {
    for (int k = 0; k < sides; ++k) {
      const int a = layer * sides + k, b = layer * sides + (k + 1) % sides;
      mesh.elements.push_back({a, b, b + sides, a + sides});
      mesh.patch.push_back(0);
    }
  }
  return mesh;
}

/// The area of a polygon of corners at r(angle).
double polygon_area(int sides, const std::function<double(double)>& radius) {
  double area = 0.0;
  for (int k = 0; k < sides; ++k) {
    const double turn = 2.0 * std::numbers::pi / sides;
    area += 0.5 * radius(k * turn) * radius((k + 1) * turn) * std::sin(turn);
  }
  return area;
}

/// Flat lids have the area and the cup the volume of the polygon, whatever its form.
TEST(Fill, FlatHolesAreClosedExactly) {
  const auto circle = [](double) { return 1.0; };
  const auto star = [](double angle) { return 1.0 + 0.5 * std::cos(5.0 * angle); };
  for (const auto& radius :
       {std::function<double(double)>(circle), std::function<double(double)>(star)}) {
    for (const int sides : {5, 40, 400}) {
      SurfaceMesh mesh = cup(sides, 4, radius);
      const std::size_t wall = mesh.elements.size();
      const FilledHoles filled = fill_holes(mesh);
      EXPECT_EQ(filled.holes, 2u);
      EXPECT_EQ(filled.left, 0u);
      EXPECT_EQ(filled.panels, mesh.elements.size() - wall);
      const double area = polygon_area(sides, radius);
      EXPECT_NEAR(filled.area, 2.0 * area, 1e-9 * area);
      const MeshReport report = check_mesh(mesh);
      EXPECT_TRUE(defects(mesh, report).empty());
      EXPECT_EQ(report.inconsistent_edges.count, 0u);
      EXPECT_NEAR(report.volume, area, 1e-9 * area);
      EXPECT_EQ(mesh.patch, std::vector<std::int32_t>(mesh.elements.size(), 0));
      EXPECT_EQ(std::count(mesh.face.begin(), mesh.face.end(), 0), static_cast<long>(wall));
      EXPECT_EQ(*std::min_element(mesh.face.begin(), mesh.face.end()), -2);
    }
  }
}

/// Panels of lids begin with the size of the rim's edges and grow inwards: few of them are needed,
/// and none is a sliver or much larger than its neighbour.
TEST(Fill, PanelsFollowTheEdgesOfTheRim) {
  SurfaceMesh mesh = cup(60, 12, [](double) { return 1.0; });
  const FilledHoles filled = fill_holes(mesh);
  EXPECT_GT(filled.panels, 2u * 58u) << "triangles between corners of the rim alone are slivers";
  EXPECT_LT(filled.panels, 2u * 1000u) << "panels of one size would be 2 x 660";
  for (const Flaw& flaw : inspect(mesh).flaws)
    EXPECT_FALSE(flaw.kind == FlawKind::sliver || flaw.kind == FlawKind::size_jump ||
                 flaw.kind == FlawKind::folded)
        << name(flaw.kind) << " " << flaw.worst;
}

TEST(Fill, SmallHolesNeedNoPlaneAndLargeOnesDo) {
  const SurfaceMesh ball = make_sphere(5120);
  const auto near_pole = [](double height) {
    return [=](const Vec3d&, const Vec3d& x) { return x.z > height; };
  };
  SurfaceMesh small = without(ball, near_pole(0.99));
  const double volume = check_mesh(ball).volume;
  EXPECT_EQ(fill_holes(small).holes, 1u);
  const MeshReport report = check_mesh(small);
  EXPECT_TRUE(report.watertight() && report.inconsistent_edges.count == 0);
  // What a cap of height 0.01 and a ring of panels of 0.05 below it can hold at most.
  EXPECT_NEAR(report.volume, volume, std::numbers::pi * std::pow(0.015, 2) * (1.0 - 0.015 / 3.0));

  // A saddle: the rim of a quarter of a tube is far from every plane.
  SurfaceMesh saddle =
      without(make_box(600, {1.0, 1.0, 1.0}),
              [](const Vec3d& normal, const Vec3d&) { return normal.x > 0.5 || normal.y > 0.5; });
  const std::vector<Element> before = saddle.elements;
  const FilledHoles filled = fill_holes(saddle);
  EXPECT_EQ(filled.holes, 0u);
  EXPECT_EQ(filled.left, 1u);
  EXPECT_EQ(saddle.elements, before);
}

TEST(Fill, RimsAreFlatUpToAPartOfTheirLength) {
  const int sides = 40;
  for (const double amplitude : {0.18, 0.21}) {
    SurfaceMesh mesh = cup(sides, 4, [](double) { return 1.0; });
    const std::size_t rim = mesh.nodes.size() - sides;  // of nodes; the other rim is flat
    double length = 0.0;
    for (int k = 0; k < sides; ++k)
      mesh.nodes[rim + k].z += amplitude * std::cos(4.0 * std::numbers::pi * k / sides);
    for (int k = 0; k < sides; ++k)
      length += norm(mesh.nodes[rim + (k + 1) % sides] - mesh.nodes[rim + k]);
    EXPECT_EQ(fill_holes(mesh).holes, amplitude < limits::flat_rim * length ? 2u : 1u) << amplitude;
    EXPECT_NEAR(amplitude / length, limits::flat_rim, 0.1 * limits::flat_rim) << "near the limit";
  }
}

/// The lid of a sheet would lie on it.
TEST(Fill, SheetsStayOpen) {
  for (SurfaceMesh sheet : {make_disc(200, 1.0), make_plate(200, 2.0, 1.0)}) {
    const std::vector<Element> before = sheet.elements;
    EXPECT_EQ(fill_holes(sheet).left, 1u);
    EXPECT_EQ(sheet.elements, before);
  }
}

/// A triangle of two, joined by their corners: the lid of one rim would be the other triangle.
TEST(Fill, LidsThatAPanelCoversAreLeft) {
  SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.elements = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 1, 2, -1}};
  mesh.patch.assign(4, 0);
  mesh.patch_names = {"tent"};
  fill_holes(mesh);
  EXPECT_EQ(check_mesh(mesh).duplicates.count, 1u) << "that of the file alone";
}

/// Two holes that share one corner.
TEST(Fill, RimsThatTouchAreTwo) {
  const SurfaceMesh box = make_box(600, {1.0, 1.0, 1.0});
  std::vector<bool> gone(box.elements.size(), false);
  std::size_t first = box.elements.size();
  for (std::size_t e = 0; e < box.elements.size(); ++e) {
    if (!(vector_area(box, box.elements[e]).z > 0.0)) continue;
    if (first == box.elements.size()) {
      first = e;
      gone[e] = true;
      continue;
    }
    int shared = 0;
    for (const std::int32_t node : box.elements[e])
      shared +=
          std::count(box.elements[first].begin(), box.elements[first].end(), node) > 0 ? 1 : 0;
    if (shared == 1 && std::count(gone.begin(), gone.end(), true) < 2) gone[e] = true;
  }
  SurfaceMesh mesh = box;
  drop_elements(mesh, gone);
  ASSERT_EQ(mesh.elements.size() + 2, box.elements.size());
  EXPECT_EQ(fill_holes(mesh).holes, 2u);
  EXPECT_NEAR(check_mesh(mesh).volume, 1.0, 1e-12);
  EXPECT_TRUE(check_mesh(mesh).watertight());
}

/// Edges of second order keep their mid-nodes, which the lid shares.
TEST(Fill, LidsShareTheMidNodesOfTheRim) {
  SurfaceMesh mesh = cup(12, 3, [](double) { return 1.0; });
  for (const Element& element : mesh.elements) {
    MidNodes middle = straight_mid_nodes(mesh, element);
    for (Vec3d& x : middle) {
      const double stretch = std::hypot(x.x, x.y);
      if (stretch > 0.0) x = {x.x / stretch, x.y / stretch, x.z};
    }
    mesh.mid_nodes.push_back(middle);
  }
  fill_holes(mesh);
  ASSERT_EQ(mesh.mid_nodes.size(), mesh.elements.size());
  std::size_t curved = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (mesh.face[e] == 0) continue;
    const MidNodes straight = straight_mid_nodes(mesh, mesh.elements[e]);
    for (int k = 0; k < 3; ++k) curved += norm(mesh.mid_nodes[e][k] - straight[k]) > 1e-3 ? 1 : 0;
  }
  EXPECT_EQ(curved, 24u);
}

TEST(Fill, TheRepairCountsAndClosesNothingElse) {
  SurfaceMesh mesh = without(make_box(96, {1.0, 1.0, 1.0}),
                             [](const Vec3d& normal, const Vec3d&) { return normal.z > 0.5; });
  const std::vector<std::string> notes = repair(mesh, {.fill = true});
  EXPECT_TRUE(says(notes.at(0), "repair: filled 1 hole by ")) << notes[0];
  EXPECT_TRUE(says(notes.at(0), "1 m^2")) << notes[0];
  const std::vector<FaceReport> faces = report_faces(mesh);
  ASSERT_EQ(faces.size(), 1u);
  EXPECT_EQ(face_name(faces[0].face), "hole 1");
  EXPECT_NEAR(norm(faces[0].centre - Vec3d{0.0, 0.0, 0.5}), 0.0, 1e-12);
  SurfaceMesh closed = make_torus(200, 2.0, 0.5);
  EXPECT_TRUE(says(repair(closed, {.fill = true}).at(0), "filled 0 holes"));
  EXPECT_EQ(closed.elements, make_torus(200, 2.0, 0.5).elements);
}

}  // namespace
}  // namespace rankine::meshes
