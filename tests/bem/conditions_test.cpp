// Problems inside closed surfaces with conditions of every kind, against harmonic polynomials.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/harmonic_polynomials.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using namespace testing;

FlowProblem inside(meshes::SurfaceMesh mesh, PanelGeometry geometry, int degree, Given given) {
  meshes::turn_inside_out(mesh);
  FlowProblem problem{.panels = make_panels(mesh, geometry), .stream = {}};
  problem.domain = Domain::interior;
  problem.has_pressure = false;
  problem.conditions = conditions(problem.panels, given);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const Vec3d& x = problem.panels.centroid[i];
    problem.potential.push_back(polynomial(degree, x));
    problem.normal_velocity.push_back(dot(gradient(degree, x), problem.panels.normal[i]));
  }
  return problem;
}

/// Relative L2 errors.
struct ErrorsInside {
  double phi = 0.0, flux = 0.0, velocity = 0.0, field = 0.0;
};

double mean(const Panels& panels, const std::vector<double>& values) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += panels.area[i] * values[i];
  return sum / total_area(panels);
}

struct Sum {
  double above = 0.0, below = 0.0;
  void add(double difference, double exact) {
    above += difference * difference;
    below += exact * exact;
  }
  double relative() const { return std::sqrt(above / below); }
};

ErrorsInside solve_inside(meshes::SurfaceMesh mesh, PanelGeometry geometry, Formulation formulation,
                          Given given, int degree) {
  const FlowProblem problem = inside(std::move(mesh), geometry, degree, given);
  const FlowOptions options = testing::tight(formulation);
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, options, *backend);
  EXPECT_TRUE(solution.converged());

  const Panels& panels = problem.panels;
  std::vector<double> exact;
  for (const Vec3d& x : panels.centroid) exact.push_back(polynomial(degree, x));
  const double constant = given == Given::flux ? -mean(panels, exact) : 0.0;
  if (given == Given::flux) {
    EXPECT_NEAR(mean(panels, solution.phi), 0.0, 1e-12);
  }
  Sum phi, flux, velocity, field;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d u = gradient(degree, panels.centroid[i]);
    phi.add(solution.phi[i] - exact[i] - constant, exact[i]);
    flux.add(solution.flux[i] - dot(u, panels.normal[i]), dot(u, panels.normal[i]));
    velocity.add(norm(solution.velocity[i] - u), norm(u));
  }
  std::vector<Vec3d> points = testing::fibonacci_sphere(40);
  for (std::size_t k = 0; k < points.size(); ++k) points[k] *= k % 2 == 0 ? 0.5 : 0.85;
  points.push_back({1.5, 0.2, 0.1});
  const Field found = evaluate_field(problem, solution, points, {}, *backend);
  EXPECT_EQ(found.inside.back(), 1) << "outside of the fluid";
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    EXPECT_EQ(found.inside[k], 0);
    const double wanted = polynomial(degree, points[k]);
    field.add(found.phi[k] - wanted - constant, wanted);
    field.add(norm(found.velocity[k] - gradient(degree, points[k])),
              norm(gradient(degree, points[k])));
  }
  return {phi.relative(), flux.relative(), velocity.relative(), field.relative()};
}

struct WayInside {
  Formulation formulation;
  Given given;
  PanelGeometry geometry;
  double least_order;  ///< of the field within
};

class InsideASphere : public ::testing::TestWithParam<WayInside> {};

TEST_P(InsideASphere, HarmonicPolynomialsComeBackAtTheirOrder) {
  const auto [formulation, given, geometry, least_order] = GetParam();
  for (const int degree : {1, 2, 4}) {
    const ErrorsInside coarse =
        solve_inside(testing::graded_sphere(500), geometry, formulation, given, degree);
    const ErrorsInside fine =
        solve_inside(testing::graded_sphere(2000), geometry, formulation, given, degree);
    // A wave of degree 4 has ten of the coarse panels, and the order is still to come (1.9 from
    // 2000 to 8000).
    const double yet_to_come = degree > 2 ? 0.4 : 0.0;
    EXPECT_GE(order(coarse.field, fine.field), least_order - yet_to_come) << degree;
    // Second order: sizes are 0.08 to 0.16 of the radius, a wave of degree 4 has 2 pi / 4 of it.
    EXPECT_LE(fine.field, least_order > 1.0 ? 2e-2 : 1e-1) << degree;
    EXPECT_LE(fine.phi, least_order > 1.0 ? 2e-2 : 1e-1) << degree;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, InsideASphere,
    ::testing::Values(WayInside{Formulation::green, Given::flux, PanelGeometry::curved, 1.7},
                      WayInside{Formulation::green, Given::flux, PanelGeometry::flat, 1.7},
                      WayInside{Formulation::green, Given::potential, PanelGeometry::curved, 1.69},
                      WayInside{Formulation::green, Given::potential, PanelGeometry::flat, 1.7},
                      WayInside{Formulation::green, Given::halves, PanelGeometry::curved, 1.5},
                      WayInside{Formulation::green, Given::halves, PanelGeometry::flat, 1.5},
                      WayInside{Formulation::source, Given::flux, PanelGeometry::curved, 1.3},
                      WayInside{Formulation::source, Given::potential, PanelGeometry::curved,
                                1.7}));

TEST(InsideTheSphere, FluxesFollowFromPotentials) {
  // Triangles without a pattern, at whose points charges err by the panel's size where near
  // corrections do not know that they vary (6.3e-3 on 2000 panels).
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    const auto errors = [&](int panels) {
      return solve_inside(testing::graded_sphere(panels), PanelGeometry::curved, formulation,
                          Given::potential, 2);
    };
    const ErrorsInside coarse = errors(500), fine = errors(2000);
    // Sources come to it later: 1.4 here, 1.7 from 2000 to 8000 panels.
    EXPECT_GE(order(coarse.flux, fine.flux), formulation == Formulation::green ? 1.7 : 1.3);
    EXPECT_LE(fine.flux, 4e-3);
    EXPECT_LE(fine.velocity, 4e-3);
  }
}

TEST(InsideABox, UniformFlowIsThatOfFluxesThroughItsFaces) {
  // A closed body with this normal velocity would move as a whole; here it is a flow through faces.
  const Vec3d velocity{0.8, -0.5, 0.3};
  FlowProblem problem{
      .panels = make_panels(testing::turned_round(meshes::make_box(600, {3.0, 1.0, 1.0}))),
      .domain = Domain::interior};
  for (const Vec3d& n : problem.panels.normal) problem.normal_velocity.push_back(dot(velocity, n));
  const Solution solution = solve(problem, {}, *make_cpu_backend());
  Sum error;
  for (const Vec3d& u : solution.velocity) error.add(norm(u - velocity), norm(velocity));
  // Panels are 0.15 of the width: (0.15)^2 / 4, from the edges, where fits end.
  EXPECT_LE(error.relative(), 6e-3);
}

TEST(InsideTheSphere, ANetFluxIsRefusedWithItsSize) {
  FlowProblem problem = inside(testing::graded_sphere(320), PanelGeometry::curved, 1, Given::flux);
  const auto backend = make_cpu_backend();
  const auto message = [&] {
    return testing::answer_of<InputError>([&] { solve(problem, {}, *backend); });
  };
  // 0.5 m/s through 4 pi m^2; that of the polynomial is below 1 %, and taken away.
  EXPECT_EQ(message(), "accepted");
  for (double& each : problem.normal_velocity) each += 0.5;
  EXPECT_TRUE(testing::says(message(), "adds up to 6.2"));
  // With a potential somewhere it flows out there, and outside it has all the room.
  problem.conditions.known[0] = Known::potential;
  EXPECT_EQ(message(), "accepted");
  problem.conditions = {};
  problem.domain = Domain::exterior;
  EXPECT_EQ(message(), "accepted");
}

TEST(InsideTheSphere, WhatIsRemovedFromTheFluxIsTold) {
  FlowProblem problem = inside(testing::cubed_sphere(600), PanelGeometry::curved, 1, Given::flux);
  const Panels& panels = problem.panels;
  const double before = mean(panels, problem.normal_velocity) * total_area(panels);
  const double added = 1e-3 * total_area(panels);
  for (double& each : problem.normal_velocity) each += 1e-3;
  const Solution solution = solve(problem, {}, *make_cpu_backend());
  EXPECT_NEAR(solution.removed_flux, before + added, 1e-12);
  EXPECT_NEAR(mean(panels, solution.flux), 0.0, 1e-12);
}

TEST(BetweenSpheres, AMixedProblemHasItsExactSolution) {
  // phi = a + b / r between radii 1/2, with a flux, and 1, with a potential.
  std::vector<double> errors;
  for (const int panels : {320, 1280}) {
    meshes::SurfaceMesh outer = testing::graded_sphere(panels),
                        island = meshes::make_sphere(panels);
    for (Vec3d& p : island.nodes) p *= 0.5;
    FlowProblem problem{
        .panels = make_panels(testing::joined(testing::turned_round(outer), island)), .stream = {}};
    problem.domain = Domain::interior;
    problem.has_pressure = false;
    const auto exact = [](double r) { return 2.0 - 0.7 / r; };
    for (const Vec3d& x : problem.panels.centroid) {
      const bool on_island = norm(x) < 0.75;
      problem.conditions.known.push_back(on_island ? Known::flux : Known::potential);
      problem.normal_velocity.push_back(0.7 / dot(x, x));
      problem.potential.push_back(exact(norm(x)));
    }
    const Solution solution = solve(problem, {}, *make_cpu_backend());
    Sum phi;
    for (std::size_t i = 0; i < problem.panels.size(); ++i) {
      const double wanted = exact(norm(problem.panels.centroid[i]));
      phi.add(solution.phi[i] - wanted, wanted);
    }
    errors.push_back(phi.relative());
    const std::vector<Vec3d> points{{0.75, 0.0, 0.0}, {0.1, 0.2, 0.1}, {0.9, 0.9, 0.0}};
    const Field field = evaluate_field(problem, solution, points, {}, *make_cpu_backend());
    EXPECT_EQ(field.inside, (std::vector<std::uint8_t>{0, 1, 1}));
    EXPECT_NEAR(field.phi[0], exact(0.75), 2e-2);
  }
  EXPECT_GE(order(errors[0], errors[1]), 1.7);
  EXPECT_LE(errors[1], 5e-3);
}

}  // namespace
}  // namespace rankine::bem
