// Conductors without thickness: capacitances, fields on both sides, half models.
#include "rankine/meshes/shapes/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/electric/conductors.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

FlowOptions by_sources() {
  FlowOptions options;
  options.formulation = Formulation::source;
  return options;
}

FlowProblem conductor(const meshes::SurfaceMesh& mesh, const meshes::Symmetry& symmetry = {}) {
  FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::curved, symmetry), .stream = {}};
  const std::size_t n = problem.panels.size();
  problem.thin.assign(n, 1);
  problem.conditions.known.assign(n, Known::potential);
  problem.potential.assign(n, 1.0);
  problem.has_pressure = false;
  return problem;
}

/// Over 4 pi epsilon.
double capacitance_of(const FlowProblem& problem) {
  const Capacitance found =
      capacitance(problem.region(), std::vector<std::int32_t>(problem.panels.size(), 0), 1, 3.0,
                  by_sources(), *make_cpu_backend());
  EXPECT_TRUE(found.converged());
  return found(0, 0) / (12.0 * pi);
}

TEST(ThinConductors, HaveTheCapacitancesOfDiscAndSquare) {
  constexpr double disc = 2.0 / std::numbers::pi, square = 0.3667874;
  const auto disc_error = [](int panels, double grading) {
    return std::abs(capacitance_of(conductor(meshes::make_disc(panels, 0.5, {}, grading))) /
                        (0.5 * disc) -
                    1.0);
  };
  const auto square_error = [](int panels, double grading) {
    return std::abs(capacitance_of(conductor(meshes::make_plate(panels, 2.0, 2.0, {}, grading))) /
                        (2.0 * square) -
                    1.0);
  };
  // Panels all alike leave an error of first order in their size, graded ones of second.
  EXPECT_GE(disc_error(300, 1.0), 1e-2);
  EXPECT_LE(disc_error(1200, 3.0), 1e-3);
  EXPECT_LE(square_error(1200, 3.0), 1e-3);
  EXPECT_GE(testing::order(disc_error(300, 3.0), disc_error(1200, 3.0)), 1.5);
  EXPECT_GE(testing::order(square_error(300, 3.0), square_error(1200, 3.0)), 1.5);
}

TEST(ThinConductors, OfHalfASquareHaveHalfItsCapacitance) {
  const meshes::SurfaceMesh whole = meshes::make_plate(400, 2.0, 2.0, {0.0, 0.0, 0.4}, 2.0);
  meshes::SurfaceMesh half = whole;
  half.elements.clear();
  half.patch.clear();
  for (const meshes::Element& e : whole.elements) {
    if (whole.nodes[e[0]].x + whole.nodes[e[2]].x < 0.0) continue;
    half.elements.push_back(e);
    half.patch.push_back(0);
  }
  const double alone = capacitance_of(conductor(half, meshes::Symmetry({{0, 0.0, 1.0}})));
  EXPECT_NEAR(2.0 * alone, capacitance_of(conductor(whole)), 1e-5);
  // Over a plane of zero potential, where a plate and its image carry opposite charges, it is
  // larger.
  EXPECT_GT(capacitance_of(conductor(whole, meshes::Symmetry({{2, 0.0, -1.0}}))), 2.2 * alone);
}

TEST(ThinConductors, HaveTheirFieldOnBothSides) {
  // phi = (2/pi) asin(2 / (l+ + l-)), l the largest and the least distance from the rim [J99 sec.
  // 3.13].
  const auto exact = [](const Vec3d& x) {
    const double rho = std::hypot(x.x, x.y);
    return 2.0 / std::numbers::pi *
           std::asin(2.0 / (std::hypot(rho - 1.0, x.z) + std::hypot(rho + 1.0, x.z)));
  };
  const FlowProblem problem = conductor(meshes::make_disc(1200, 1.0, {}, 3.0));
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, by_sources(), *backend);
  std::vector<Vec3d> points;
  for (const double rho : {0.05, 0.4, 0.8, 1.3}) {
    for (const double z : {2.0, 0.5, 0.1, 0.02, 1e-3}) {
      points.push_back({0.6 * rho, 0.8 * rho, z});
      points.push_back({0.6 * rho, 0.8 * rho, -z});
    }
  }
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  constexpr double step = 1e-4;
  for (std::size_t k = 0; k < points.size(); ++k) {
    SCOPED_TRACE("z " + std::to_string(points[k].z) + ", x " + std::to_string(points[k].x));
    EXPECT_EQ(field.inside[k], 0);
    EXPECT_NEAR(field.phi[k], exact(points[k]), 4e-3);
    const Vec3d up{0.0, 0.0, step};
    const double slope = (exact(points[k] + up) - exact(points[k] - up)) / (2.0 * step);
    EXPECT_NEAR(field.velocity[k].z, slope, 0.03);
  }
  // The field is the charge of one side, half of all, on either.
  for (std::size_t i = 0; i < problem.panels.size(); i += 37) {
    EXPECT_NEAR(solution.velocity[i].z, -0.5 * solution.charge[i], 1e-6 * solution.charge[i]);
    EXPECT_NEAR(solution.velocity_behind[i].z, 0.5 * solution.charge[i], 1e-6 * solution.charge[i]);
  }
}

TEST(ThinConductors, EncloseNothing) {
  // Deep inside a long tube the potential is nearly that of the tube, and there is a field to tell
  // of.
  const FlowProblem problem = conductor(meshes::make_tube(400, 1.0, 8.0, {}, 2.0));
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, by_sources(), *backend);
  const std::vector<Vec3d> points{{0.0, 0.0, 0.0}, {0.3, 0.5, 1.0}, {0.2, 0.95, -0.5}};
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(field.inside[k], 0);
    EXPECT_NEAR(field.phi[k], 1.0, 2e-2);
  }
}

TEST(ThinConductors, MakeACapacitorWithAClosedOne) {
  // A disc a tenth of its radius over a box: the matrix is symmetric, and the charge between them
  // that of plates, area over distance, and some more at the rim.
  const meshes::SurfaceMesh disc = meshes::make_disc(600, 1.0, {0.0, 0.0, 0.1}, 2.0);
  FlowProblem problem{.panels = make_panels(testing::joined(
                          disc, meshes::make_box(1200, {4.0, 4.0, 1.0}, {0.0, 0.0, -0.5})))};
  std::vector<std::int32_t> of_panel;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    of_panel.push_back(i < disc.elements.size() ? 0 : 1);
    problem.thin.push_back(i < disc.elements.size() ? 1 : 0);
  }
  const Capacitance found =
      capacitance(problem.region(), of_panel, 2, 1.0, by_sources(), *make_cpu_backend());
  EXPECT_LE(found.asymmetry, 2e-2);
  const double between = std::numbers::pi / 0.1;
  EXPECT_GT(-found(0, 1), between);
  EXPECT_LT(-found(0, 1), 1.3 * between);
}

TEST(ThinConductors, AreRefusedByGreensFormula) {
  const FlowProblem problem = conductor(meshes::make_plate(20, 1.0, 1.0));
  FlowOptions options;
  EXPECT_THROW(solve(problem, options, *make_cpu_backend()), InputError);
  const std::vector<std::int32_t> one(problem.panels.size(), 0);
  EXPECT_THROW(capacitance(problem.region(), one, 1, 1.0, options, *make_cpu_backend()),
               InputError);
}

}  // namespace
}  // namespace rankine::bem
