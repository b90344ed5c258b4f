// Gradients and integrals on the surface: their order, and where they are exact.
#include "rankine/bem/panels/surface_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/surface_fits.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

struct GradientErrors {
  double gradient, normal;
};

/// Root mean square errors of f = x y + z at the points projected onto the unit sphere.
GradientErrors gradient_errors(const meshes::SurfaceMesh& mesh) {
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
    const GradientErrors coarse = gradient_errors(make(1500)), fine = gradient_errors(make(6000));
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
  // A linear field on a face is linear over planes turned by 25 degrees about any axis.
  Panels panels = make_panels(meshes::make_box(600, {1.0, 1.0, 1.0}));
  const Vec3d full{1.0, -2.0, 3.0};
  std::vector<double> values;
  for (const Vec3d& x : panels.centroid) values.push_back(dot(full, x));
  const AlignedVector<Vec3d> normals = panels.normal.on_host();
  const double angle = 25.0 * std::numbers::pi / 180.0;
  for (const Vec3d& axis : {Vec3d{1, 2, 3}, {-3, 1, 1}, {1, -1, 0.3}}) {
    const Vec3d k = normalized(axis);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d& n = normals[i];
      panels.normal.changed()[i] = std::cos(angle) * n + std::sin(angle) * cross(k, n) +
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

/// All edges along the tube are sharp: a fit has panels in a row, their points almost on a line.
TEST(SurfaceGradient, OfPanelsInARowIsNotThatOfChance) {
  const Panels panels = make_panels(meshes::make_torus(80, 2.0, 1.0), PanelGeometry::flat);
  std::vector<double> values;
  for (const Vec3d& c : panels.centroid) values.push_back(c.x + 0.001 * std::sin(100.0 * c.y));
  const SurfaceGradient surface = surface_gradient(PanelNeighbourhood(panels), values);
  // Values rise by 1 along x.
  for (const Vec3d& gradient : surface.gradient) EXPECT_LE(norm(gradient), 3.0);
}

using testing::order;

std::vector<double> at_points(const Panels& panels, double (*f)(const Vec3d&)) {
  std::vector<double> values;
  for (const Vec3d& x : panels.centroid) values.push_back(f(x));
  return values;
}

/// Integrals over all panels of values at their points.
SurfaceIntegral surface_integral(const Panels& panels, std::vector<double> values) {
  Solution solution;
  solution.pressure = std::move(values);
  return sum_of(fit_surface({.panels = panels}, solution).pressure);
}

TEST(SurfaceIntegrals, AreExactForQuadraticsOnTheFacesOfABox) {
  // Over the cube of edge 1 about c, f = x^2 + 2 y z + 3 z: by the divergence theorem int f n dA is
  // int grad f dV = (2 c_x, 2 c_z, 2 c_y + 3) V, and int x x n f dA = -int curl(f x) dV
  // = -int grad f x x dV, of which int x_i x_j dV = c_i c_j + delta_ij / 12.
  const Vec3d c{0.3, -0.2, 0.7};
  const auto f = [](const Vec3d& x) { return x.x * x.x + 2.0 * x.y * x.z + 3.0 * x.z; };
  const Vec3d gradient{2.0 * c.x, 2.0 * c.z, 2.0 * c.y + 3.0};
  // int grad f x x dV: (2z)(z) - (2y + 3)(y), (2y + 3)(x) - (2x)(z), (2x)(y) - (2z)(x).
  const Vec3d turning{2.0 * c.z * c.z - 2.0 * c.y * c.y - 3.0 * c.y,
                      2.0 * c.x * c.y + 3.0 * c.x - 2.0 * c.x * c.z,
                      2.0 * c.x * c.y - 2.0 * c.x * c.z};
  for (const meshes::PanelKind kind :
       {meshes::PanelKind::triangles, meshes::PanelKind::quadrilaterals}) {
    const Panels panels = make_panels(meshes::make_box(384, {1, 1, 1}, c, kind));
    const SurfaceIntegral found = surface_integral(panels, at_points(panels, f));
    EXPECT_LE(norm(found.normal - gradient), 1e-9);
    EXPECT_LE(norm(found.moment + turning), 1e-9);
  }
}

/// Largest relative error of the added masses that the exact potential gives an ellipsoid.
double added_mass_error(const meshes::SurfaceMesh& mesh, const Vec3d& axes) {
  const Panels panels = make_panels(mesh);
  double worst = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d stream{};
    stream[axis] = 1.0;
    const EllipsoidFlow exact(axes, stream);
    std::vector<double> phi;
    for (const Vec3d& x : panels.centroid) phi.push_back(exact.on_surface(x).phi);
    const double found = surface_integral(panels, phi).normal[axis] / enclosed_volume(panels);
    worst = std::max(worst, std::abs(found / exact.added_mass()[axis] - 1.0));
  }
  return worst;
}

TEST(SurfaceIntegrals, OfTheExactPotentialGiveTheAddedMassToFourthOrder) {
  // Points alone leave second order, 2e-3; a cubic and a patch of second degree leave h^4.
  const Vec3d axes{3.0, 2.0, 1.0};
  for (const auto& make : {+[](std::int64_t n) { return meshes::make_sphere(n); },
                           +testing::jittered_sphere, +testing::cubed_sphere}) {
    const double coarse = added_mass_error(testing::stretched(make(1280), axes), axes),
                 fine = added_mass_error(testing::stretched(make(5120), axes), axes);
    EXPECT_GE(order(coarse, fine), 3.0) << coarse << ' ' << fine;
    EXPECT_LE(coarse, 4e-4);
  }
}

TEST(SurfaceIntegrals, GroupsAddUp) {
  const Panels panels = make_panels(testing::graded_sphere(320));
  Solution solution;
  solution.pressure = at_points(panels, [](const Vec3d& x) { return x.x + x.y; });
  std::vector<std::int32_t> side;
  for (const Vec3d& x : panels.centroid) side.push_back(x.z > 0.3 ? 1 : 0);
  const SurfaceFits fits = fit_surface({.panels = panels}, solution);
  const std::vector<SurfaceIntegral> sides = sums_of_groups(fits.pressure, side, 2);
  const SurfaceIntegral found = sum_of(fits.pressure);
  EXPECT_NEAR(found.plain, sides[0].plain + sides[1].plain, 1e-12);
  EXPECT_LE(norm(found.normal - sides[0].normal - sides[1].normal), 1e-12);
  EXPECT_LE(norm(found.moment - sides[0].moment - sides[1].moment), 1e-12);
  EXPECT_GT(norm(sides[1].normal), 0.1);
  // About a point, by hand: the force that acts there has no moment.
  const Vec3d x0{1.0, -2.0, 0.5};
  EXPECT_LE(norm(found.moment_about(x0) - (found.moment - cross(x0, found.normal))), 1e-15);
}

}  // namespace
}  // namespace rankine::bem
