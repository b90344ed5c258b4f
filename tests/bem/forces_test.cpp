// Loads by summation over panels, for pressures whose loads are known.
#include "rankine/bem/flow/forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

/// A pressure that falls by k per metre.
Solution falling(const Panels& panels, const Vec3d& k) {
  Solution solution;
  for (const Vec3d& x : panels.centroid) solution.pressure.push_back(3.0 - dot(k, x));
  return solution;
}

TEST(Loads, OfFluidAtRestAreThoseOfArchimedes) {
  // F = k V through the centroid of the volume. On the faces of a box what is linear is fitted
  // exactly. On spheres a cubic over the tangent plane misses the fourth order of the height,
  // r^4/8, over two rings of 2.5 circumradii l/sqrt(3), l = 0.15; values at the points, taken for
  // the means, would err by l^2/24.
  const Vec3d centre{2.0, -1.0, 0.5}, k{0.3, -0.7, 1.1};
  const std::pair<meshes::SurfaceMesh, double> bodies[] = {
      {meshes::make_box(150, {1.0, 2.0, 0.5}, centre), 1e-9},
      {meshes::make_sphere(1280, 1.5, centre), std::pow(2.5 * 0.15 / std::sqrt(3.0), 4) / 8.0}};
  for (const auto& [mesh, error] : bodies) {
    const FlowProblem problem{.panels = make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
    const Solution solution = falling(problem.panels, k);
    const Vec3d lift = enclosed_volume(problem.panels) * k;
    EXPECT_LE(norm(pressure_loads(fit_surface(problem, solution)).force - lift),
              error * norm(lift));
    for (const Vec3d& reference : {centre, Vec3d{}, Vec3d{5.0, 0.0, -3.0}}) {
      const Vec3d arm = centre - reference;
      EXPECT_LE(
          norm(pressure_loads(fit_surface(problem, solution), reference).moment - cross(arm, lift)),
          error * norm(lift) * (1.0 + norm(arm)));
    }
  }
}

TEST(Loads, OfPatchesActAboutThePointAskedForAndAddUp) {
  FlowProblem problem{.panels = make_panels(testing::graded_sphere(320)),
                      .stream = {1.0, 0.0, 0.0}};
  for (std::size_t i = 0; i < problem.panels.size(); ++i)
    problem.panels.patch[i] = problem.panels.centroid[i].x > 0.2 ? 1 : 0;
  const Solution solution = falling(problem.panels, {1.0, 2.0, -0.5});
  const Vec3d reference{0.5, -2.0, 4.0};
  const std::vector<Loads> about_origin =
                               pressure_loads_by_patch(problem, fit_surface(problem, solution), 3),
                           about_it = pressure_loads_by_patch(
                               problem, fit_surface(problem, solution), 3, reference);
  const Loads all = pressure_loads(fit_surface(problem, solution), reference);
  Loads sum{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d moved = about_origin[k].moment - cross(reference, about_origin[k].force);
    EXPECT_LE(norm(about_it[k].moment - moved), 1e-12);
    EXPECT_EQ(norm(about_it[k].force) > 1.0, k < 2);  // no panel has the third
    sum = {sum.force + about_it[k].force, sum.moment + about_it[k].moment};
  }
  EXPECT_LE(norm(sum.force - all.force), 1e-12);
  EXPECT_LE(norm(sum.moment - all.moment), 1e-12);
}

}  // namespace
}  // namespace rankine::bem
