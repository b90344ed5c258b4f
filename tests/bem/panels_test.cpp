// Panels of meshes: measures, warped quadrilaterals, refusals.
#include "rankine/bem/panels/panels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

TEST(Panels, MeasureABox) {
  const Panels panels = make_panels(meshes::make_box(600, {1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}));
  EXPECT_NEAR(enclosed_volume(panels), 6.0, 1e-11);
  EXPECT_NEAR(total_area(panels), 22.0, 1e-12);
}

TEST(Panels, VolumeOfWarpedQuadrilateralsConverges) {
  // An inscribed polyhedron misses O(h^2) of the volume.
  const auto error = [](std::int64_t count) {
    return 4.0 * std::numbers::pi / 3.0 -
           enclosed_volume(make_panels(testing::cubed_sphere(count), PanelGeometry::flat));
  };
  const double coarse = error(216), fine = error(864);
  EXPECT_GT(fine, 0.0);
  EXPECT_NEAR(testing::order(coarse, fine), 2.0, 0.1);
}

TEST(Panels, CollocationPointsLieOnOneTriangle) {
  const Panels panels = make_panels(testing::cubed_sphere(96), PanelGeometry::flat);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto& c = panels.shape[i].corner;
    EXPECT_LE(norm(c[2] - c[0]), norm(c[3] - c[1]));
    const Vec3d n1 = normalized(cross(c[1] - c[0], c[2] - c[0])),
                n2 = normalized(cross(c[2] - c[0], c[3] - c[0]));
    const double first = dot(n1, panels.centroid[i] - c[0]),
                 second = dot(n2, panels.centroid[i] - c[0]);
    EXPECT_NEAR(std::min(std::abs(first), std::abs(second)), 0.0, 1e-15);
    EXPECT_NEAR(norm(panels.normal[i]), 1.0, 1e-14);
  }
}

TEST(Panels, CollocationPointsStandOffTheDiagonal) {
  // The area centroid of a parallelogram lies on its diagonal; the point 1e-4 of the width off, in
  // the larger triangle.
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_box(150, {1.0, 2.0, 0.5}), testing::cubed_sphere(150)}) {
    const Panels panels = make_panels(mesh, PanelGeometry::flat);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const auto& c = panels.shape[i].corner;
      const Vec3d diagonal = normalized(c[2] - c[0]);
      const auto off = [&](const Vec3d& x) {
        const Vec3d r = x - c[0];
        return r - dot(r, diagonal) * diagonal;
      };
      const Vec3d first = off((c[0] + c[1] + c[2]) / 3.0), second = off((c[0] + c[2] + c[3]) / 3.0);
      // The first, where they differ by no more than rounding.
      const Vec3d larger = (1.0 + 1e-12) * norm(cross(c[1] - c[0], c[2] - c[0])) >=
                                   norm(cross(c[2] - c[0], c[3] - c[0]))
                               ? first
                               : second;
      const double depth = dot(off(panels.centroid[i]), normalized(larger));
      EXPECT_GE(depth, 0.999e-4 * norm(larger)) << i;
      EXPECT_LE(depth, 0.5 * norm(larger)) << i;
    }
  }
}

TEST(Panels, RefuseBadElementsByNumber) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(20);
  const auto message = [](const meshes::SurfaceMesh& bad) -> std::string {
    try {
      make_panels(bad);
    } catch (const MeshError& error) {
      return error.what();
    }
    return "";
  };
  meshes::SurfaceMesh bad = mesh;
  bad.elements[7][1] = 99;
  EXPECT_NE(message(bad).find("element 7"), std::string::npos);
  bad = mesh;
  bad.elements[5][1] = bad.elements[5][0];
  EXPECT_NE(message(bad).find("element 5"), std::string::npos);
  bad = mesh;
  bad.nodes[mesh.elements[0][0]].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(bad).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace rankine::bem
