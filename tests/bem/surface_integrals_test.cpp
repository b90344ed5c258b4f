// Integrals over the surface: exact for quadratics on flat faces, of fourth order on smooth bodies
// whatever the mesh, in groups, with factors.
#include "rankine/bem/panels/surface_integrals.hpp"

#include "rankine/bem/flow/surface_fits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::order;

std::vector<double> at_points(const Panels& panels, double (*f)(const Vec3d&)) {
  std::vector<double> values;
  for (const Vec3d& x : panels.centroid) values.push_back(f(x));
  return values;
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
    const SurfaceIntegral found =
        surface_integral(PanelNeighbourhood(panels), at_points(panels, f));
    EXPECT_LE(norm(found.normal - gradient), 1e-9);
    EXPECT_LE(norm(found.moment + turning), 1e-9);
  }
}

/// Relative error of the added mass that the exact potential at the points gives an ellipsoid, the
/// largest of three.
double added_mass_error(const meshes::SurfaceMesh& mesh, const Vec3d& axes) {
  const Panels panels = make_panels(mesh);
  const PanelNeighbourhood around(panels);
  double worst = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d stream{};
    stream[axis] = 1.0;
    const EllipsoidFlow exact(axes, stream);
    std::vector<double> phi;
    for (const Vec3d& x : panels.centroid) phi.push_back(exact.on_surface(x).phi);
    const double found = surface_integral(around, phi).normal[axis] / enclosed_volume(panels);
    worst = std::max(worst, std::abs(found / exact.added_mass()[axis] - 1.0));
  }
  return worst;
}

TEST(SurfaceIntegrals, OfTheExactPotentialGiveTheAddedMassToFourthOrder) {
  // The points alone leave second order: 2e-3 on 1280 panels. A cubic and a patch of second degree
  // leave h^4; some of it is lost where panels have no pattern.
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
  const SurfaceIntegral found = surface_integral(PanelNeighbourhood(panels), solution.pressure);
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
