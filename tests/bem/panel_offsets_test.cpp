// Distances from panels to the body, against those of spheres and planes.
#include "rankine/bem/panels/panel_offsets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

PanelOffsets offsets_of(const Panels& panels) { return panel_offsets(PanelNeighbourhood(panels)); }

TEST(PanelOffsets, OfPlanesAreZero) {
  const PanelOffsets found = offsets_of(make_panels(meshes::make_box(300, {1.0, 0.7, 2.0})));
  for (std::size_t i = 0; i < found.height.size(); ++i) {
    EXPECT_NEAR(found.height[i], 0.0, 1e-14);
    EXPECT_NEAR(norm(found.turn[i]), 0.0, 1e-12);
  }
}

/// 1 - |x| of every point of a unit sphere.
TEST(PanelOffsets, OfFlatPanelsOnASphereAreTheirSagittas) {
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_sphere(1280), testing::jittered_sphere(1280)}) {
    const Panels panels = make_panels(mesh, PanelGeometry::flat);
    const PanelOffsets found = offsets_of(panels);
    double error = 0.0, sagitta = 0.0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const double exact = 1.0 - norm(panels.centroid[i]);
      error += std::pow(found.height[i] - exact, 2);
      sagitta += exact * exact;
    }
    // Those of the panels around, from which F is fitted, differ by some tenths.
    EXPECT_LE(std::sqrt(error / sagitta), 0.15);
  }
}

TEST(PanelOffsets, OfCurvedPanelsAreZeroExceptAtSharpEdges) {
  const PanelOffsets smooth = offsets_of(make_panels(testing::jittered_sphere(1280)));
  for (const double d : smooth.height) EXPECT_EQ(d, 0.0);
  // Eight panels around a section that is thinner than it is wide turn by 88 degrees at its ends:
  // d is that of an ellipse within a factor of three.
  const Vec3d axes{1.0, 0.43, 8.0};
  const Panels panels = make_panels(testing::lathe(39, 8, axes));
  const PanelOffsets found = offsets_of(panels);
  double most = 0.0, exact = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d& x = panels.centroid[i];
    if (std::abs(x.z) > 1.0) continue;
    EXPECT_GE(found.height[i], 0.0);
    const Vec3d slope{x.x / (axes.x * axes.x), x.y / (axes.y * axes.y), 0.0};
    const double to_ellipse = (1.0 - dot(slope, x)) / (2.0 * norm(slope));  // small distances
    most = std::max(most, found.height[i]);
    exact = std::max(exact, to_ellipse);
  }
  EXPECT_GE(most, exact / 3.0);
  EXPECT_LE(most, 3.0 * exact);
}

/// The gradient of d on the unit sphere satisfies int grad d dA = 2 int d n dA.
TEST(PanelOffsets, TurnNormalsByTheirSlopes) {
  const Panels panels =
      make_panels(testing::dilated_sphere(1280, 2.0), PanelGeometry::flat);  // of sizes 1 to 4
  const PanelOffsets found = offsets_of(panels);
  Vec3d turns{}, heights{};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    turns += panels.area[i] * found.turn[i];
    heights += panels.area[i] * found.height[i] * panels.normal[i];
  }
  EXPECT_GE(std::abs(heights.z), 1e-3);
  EXPECT_NEAR(norm(turns + 2.0 * heights), 0.0, 0.1 * norm(2.0 * heights));
}

}  // namespace
}  // namespace rankine::bem
