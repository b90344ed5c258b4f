// Surface gradients and normals: order on smooth surfaces, exactness on planes, no smearing over
// sharp edges.
#include "rankine/bem/panels/surface_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/meshes/shapes/torus.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

struct Errors {
  double gradient, normal;
};

/// Root mean square errors for f = x y + z at the projection of the collocation points on the unit
/// sphere.
Errors sphere_errors(const meshes::SurfaceMesh& mesh) {
  const Panels panels = make_panels(mesh);
  std::vector<double> values;
  for (const Vec3d& c : panels.centroid) {
    const Vec3d p = normalized(c);
    values.push_back(p.x * p.y + p.z);
  }
  const SurfaceGradient surface = surface_gradient(PanelNeighbourhood(panels), values);
  double gradient = 0.0, normal = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d p = normalized(panels.centroid[i]), full{p.y, p.x, 1.0};
    const Vec3d difference = surface.gradient[i] - (full - dot(full, p) * p);
    gradient += dot(difference, difference);
    normal += dot(surface.normal[i] - p, surface.normal[i] - p);
    EXPECT_NEAR(dot(surface.gradient[i], surface.normal[i]), 0.0, 1e-12);
  }
  const auto count = static_cast<double>(panels.size());
  return {std::sqrt(gradient / count), std::sqrt(normal / count)};
}

TEST(SurfaceGradient, IsSecondOrderOnSpheres) {
  for (const auto& make : {+[](std::int64_t n) { return meshes::make_sphere(n); },
                           +testing::graded_sphere, +testing::cubed_sphere}) {
    const Errors coarse = sphere_errors(make(1500)), fine = sphere_errors(make(6000));
    EXPECT_GE(testing::order(coarse.gradient, fine.gradient), 1.7);
    EXPECT_GE(testing::order(coarse.normal, fine.normal), 1.7);
  }
}

TEST(SurfaceGradient, IsExactForLinearFieldsOnAFlatFaceAndIgnoresOtherFaces) {
  // f jumps from face to face; within a face it is linear.
  const Panels panels = make_panels(meshes::make_box(600, {1.0, 1.0, 1.0}));
  std::vector<double> values;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d& n = panels.normal[i];
    values.push_back(100.0 * (n.x + 2.0 * n.y + 4.0 * n.z) +
                     dot(Vec3d{1.0, -2.0, 3.0}, panels.centroid[i]));
  }
  const SurfaceGradient surface = surface_gradient(PanelNeighbourhood(panels), values);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d& n = panels.normal[i];
    const Vec3d full{1.0, -2.0, 3.0};
    EXPECT_NEAR(norm(surface.gradient[i] - (full - dot(full, n) * n)), 0.0, 1e-9);
    EXPECT_NEAR(norm(surface.normal[i] - n), 0.0, 1e-12);
  }
}

TEST(SurfaceGradient, IsExactForQuadraticFieldsUpToTheEdgesOfAFace) {
  // Six panels along every edge: where the ring at an edge shows two rows only, a second one joins.
  const auto value = [](const Vec3d& x) {
    return x.x * x.x - 2.0 * x.y * x.y + 0.5 * x.z * x.z + x.x * x.y - 3.0 * x.y * x.z + x.z * x.x;
  };
  for (const meshes::PanelKind kind :
       {meshes::PanelKind::triangles, meshes::PanelKind::quadrilaterals}) {
    const Panels panels = make_panels(meshes::make_box(216, {1.0, 1.0, 1.0}, {}, kind));
    std::vector<double> values;
    for (const Vec3d& x : panels.centroid) values.push_back(value(x));
    const SurfaceGradient surface = surface_gradient(PanelNeighbourhood(panels), values);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d &x = panels.centroid[i], &n = panels.normal[i];
      const Vec3d full{2.0 * x.x + x.y + x.z, -4.0 * x.y + x.x - 3.0 * x.z, x.z - 3.0 * x.y + x.x};
      EXPECT_NEAR(norm(surface.gradient[i] - (full - dot(full, n) * n)), 0.0, 1e-8) << i;
    }
  }
}

TEST(SurfaceGradient, DoesNotDependOnThePlaneItIsFittedIn) {
  // A flat face seen from planes turned by 25 degrees about an axis that is neither of the fit's:
  // the height has both slopes, and what is linear on the face is linear over each plane.
  Panels panels = make_panels(meshes::make_box(600, {1.0, 1.0, 1.0}));
  const Vec3d full{1.0, -2.0, 3.0};
  std::vector<double> values;
  for (const Vec3d& x : panels.centroid) values.push_back(dot(full, x));
  const AlignedVector<Vec3d> normals = panels.normal;
  const double angle = 25.0 * std::numbers::pi / 180.0;
  for (const Vec3d& axis : {Vec3d{1, 2, 3}, {-3, 1, 1}, {1, -1, 0.3}}) {
    const Vec3d k = normalized(axis);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d& n = normals[i];
      panels.normal[i] = std::cos(angle) * n + std::sin(angle) * cross(k, n) +
                         ((1.0 - std::cos(angle)) * dot(k, n)) * k;
    }
    const SurfaceGradient surface = surface_gradient(PanelNeighbourhood(panels), values);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d& n = normals[i];
      EXPECT_NEAR(norm(surface.gradient[i] - (full - dot(full, n) * n)), 0.0, 1e-9);
      EXPECT_NEAR(norm(surface.normal[i] - n), 0.0, 1e-12);
    }
  }
}

TEST(SurfaceGradient, SurvivesAFaceOfTwoTriangles) {
  const Panels panels =
      make_panels(meshes::make_box(12, {1.0, 1.0, 1.0}, {}, meshes::PanelKind::triangles));
  std::vector<double> values;
  for (const Vec3d& c : panels.centroid) values.push_back(c.x);
  for (const Vec3d& g : surface_gradient(PanelNeighbourhood(panels), values).gradient) {
    EXPECT_TRUE(std::isfinite(norm(g)));
    EXPECT_LE(norm(g), 1.0 + 1e-12);  // what one neighbour shows of a unit gradient
  }
}

/// Seven quadrilaterals around the tube of a torus: all edges along it are sharp, so that the panels that a
/// fit sees are in a row, and their points a hair beside a line.
TEST(SurfaceGradient, OfPanelsInARowIsNotThatOfChance) {
  const Panels panels = make_panels(meshes::make_torus(80, 2.0, 1.0), PanelGeometry::flat);
  std::vector<double> values;
  for (const Vec3d& c : panels.centroid) values.push_back(c.x + 0.001 * std::sin(100.0 * c.y));
  const SurfaceGradient surface = surface_gradient(PanelNeighbourhood(panels), values);
  // Slopes are at most three times as steep as the samples, whose values rise by 1 along x.
  for (const Vec3d& gradient : surface.gradient) EXPECT_LE(norm(gradient), 3.0);
}

}  // namespace
}  // namespace rankine::bem
