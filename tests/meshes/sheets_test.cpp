// Built-in surfaces without thickness, and what declaring a patch thin allows.
#include "rankine/meshes/shapes/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using testing::says;

SurfaceMesh thin(SurfaceMesh mesh) {
  mesh.thin.assign(mesh.patch_names.size(), 1);
  return mesh;
}

TEST(Sheets, HaveTheirAreasRimsAndNormals) {
  using std::numbers::pi;
  for (const double grading : {1.0, 2.5}) {
    for (const int panels : {1, 50, 700}) {
      const Vec3d centre{1.0, -2.0, 0.5};
      const SurfaceMesh disc = thin(make_disc(panels, 0.7, centre, grading)),
                        plate = thin(make_plate(panels, 3.0, 0.4, centre, grading)),
                        tube = thin(make_tube(panels, 0.5, 2.0, centre, grading));
      const bool many = panels == 700;
      for (const SurfaceMesh* mesh : {&disc, &plate, &tube}) {
        SCOPED_TRACE(mesh->source + " of " + std::to_string(panels));
        const MeshReport report = check_mesh(*mesh);
        EXPECT_GE(mesh->elements.size(), static_cast<std::size_t>(panels));
        EXPECT_TRUE(report.watertight() && report.inconsistent_edges.count == 0);
        EXPECT_EQ(report.bodies.size(), 1u);
        EXPECT_EQ(report.volume, 0.0);
        EXPECT_GT(report.rim_edges, 0u);
        EXPECT_EQ(report.degenerate.count, 0u);
        EXPECT_EQ(report.unused_nodes.count, 0u);
        for (const Element& element : mesh->elements) {
          const Vec3d normal = vector_area(*mesh, element),
                      out = corner_mean(*mesh, element) - centre;
          EXPECT_GT(mesh == &tube ? dot(normal, Vec3d{out.x, out.y, 0.0}) : normal.z, 0.0);
        }
      }
      EXPECT_NEAR(check_mesh(disc).area, pi * 0.49, 1e-12);
      EXPECT_NEAR(check_mesh(plate).area, 1.2, 1e-12);
      EXPECT_NEAR(check_mesh(tube).area, 2.0 * pi, many ? 0.01 : 3.0);
    }
  }
}

TEST(Sheets, HavePanelsThatGetSmallerTowardsTheRim) {
  // The rim's row is (2/n)^g of half the width, n rows in all.
  const SurfaceMesh plate = make_plate(400, 2.0, 2.0, {}, 3.0);
  EXPECT_EQ(plate.elements.size(), 400u);
  EXPECT_NEAR(plate.nodes[1].x - plate.nodes[0].x, std::pow(0.1, 3.0), 1e-12);
  const SurfaceMesh even = make_plate(400, 2.0, 2.0);
  EXPECT_NEAR(even.nodes[1].x - even.nodes[0].x, 0.1, 1e-12);
}

TEST(Sheets, HaveOneRowOfPanelsIfTheyAreShort) {
  EXPECT_EQ(make_tube(20, 1.0, 0.1).elements.size(), 20u);
}

TEST(Sheets, RefuseSizesThatMakeNone) {
  EXPECT_THROW(make_disc(0, 1.0), InputError);
  EXPECT_THROW(make_disc(10, -1.0), InputError);
  EXPECT_THROW(make_plate(10, 1.0, 0.0), InputError);
  EXPECT_THROW(make_tube(10, 1.0, 1.0, {}, 0.5), InputError);
  EXPECT_THROW(make_tube(10, 1.0, 1.0, {}, 1e3), InputError);
}

TEST(ThinPatches, MayBeOpenAndOthersMayNot) {
  SurfaceMesh open = make_plate(20, 1.0, 1.0);
  EXPECT_THROW(orient(open, Orient::outward), MeshError);
  const MeshReport as_wall = check_mesh(open), as_sheet = check_mesh(thin(open));
  EXPECT_GT(as_wall.boundary_edges.count, 0u);
  EXPECT_EQ(as_wall.rim_edges, 0u);
  EXPECT_EQ(as_sheet.boundary_edges.count, 0u);
  EXPECT_EQ(as_sheet.rim_edges, as_wall.boundary_edges.count);
  reverse_element(open, 3);
  SurfaceMesh sheet = thin(open);
  const Orientation orientation = orient(sheet, Orient::outward);
  EXPECT_EQ(orientation.turned_panels, 1u);
  EXPECT_EQ(check_mesh(sheet).inconsistent_edges.count, 0u);
  for (const Element& element : sheet.elements) EXPECT_GT(vector_area(sheet, element).z, 0.0);
  // Upside down it is a sheet as good as any.
  SurfaceMesh below = thin(make_plate(20, 1.0, 1.0));
  turn_inside_out(below);
  EXPECT_EQ(orient(below, Orient::outward).turned_panels, 0u);
}

TEST(ThinPatches, WithinAClosedBodyAreNoCavity) {
  SurfaceMesh both = testing::joined(make_plate(4, 0.5, 0.5), make_box(24, {1.0, 1.0, 1.0}));
  both.patch_names = {"plate", "box"};
  for (std::size_t e = 0; e < both.elements.size(); ++e) both.patch[e] = e < 4 ? 0 : 1;
  both.thin = {1, 0};
  const Orientation orientation = orient(both, Orient::outward);
  EXPECT_EQ(orientation.cavities, 0u);
  EXPECT_NEAR(orientation.report.volume, 1.0, 1e-12);
}

TEST(ThinPatches, AreNoPartOfOtherBodies) {
  SurfaceMesh box = make_box(6, {1.0, 1.0, 1.0});
  box.patch_names = {"lid", "rest"};
  for (std::size_t e = 0; e < box.elements.size(); ++e) box.patch[e] = e == 0 ? 0 : 1;
  box.thin = {1, 0};
  const std::string message = testing::message_of<MeshError>([&] { orient(box, Orient::outward); });
  EXPECT_TRUE(says(message, "thin"));
}

}  // namespace
}  // namespace rankine::meshes
