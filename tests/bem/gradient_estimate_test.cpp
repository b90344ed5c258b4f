// Estimated errors of potentials alone, of their gradients and so of charges, against true ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/electric/dielectrics.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/electric_parts.hpp"
#include "tests/support/harmonic_polynomials.hpp"
#include "tests/support/l_body.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::Given;

/// Harmonic where the problem is: a charge within the body, or a polynomial.
struct Harmonic {
  Domain domain;
  Vec3d charge{0.4, 0.2, 0.15};
  int degree = 3;

  double value(const Vec3d& p) const {
    if (domain == Domain::exterior) return 1.0 / norm(p - charge);
    return testing::polynomial(degree, p);
  }
  Vec3d gradient(const Vec3d& p) const {
    if (domain == Domain::exterior) {
      const Vec3d r = p - charge;
      return r / -std::pow(norm(r), 3.0);
    }
    return testing::gradient(degree, p);
  }
};

FlowProblem problem_of(meshes::SurfaceMesh mesh, const Harmonic& exact, Given given) {
  if (exact.domain == Domain::interior) meshes::turn_inside_out(mesh);
  FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::curved), .stream = {}};
  problem.domain = exact.domain;
  problem.has_pressure = false;
  problem.conditions = testing::conditions(problem.panels, given, {1, 0, 0});
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const Vec3d& x = problem.panels.centroid[i];
    problem.potential.push_back(exact.value(x));
    problem.normal_velocity.push_back(dot(exact.gradient(x), problem.panels.normal[i]));
  }
  return problem;
}

/// Area-weighted root mean square and largest, in the problem's unit.
struct Size {
  double mean = 0.0, largest = 0.0;
};

template <class ErrorOf>
Size size_of(const Panels& panels, ErrorOf error_of) {
  Size size;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double error = error_of(i);
    size.mean += panels.area[i] * error * error;
    size.largest = std::max(size.largest, error);
  }
  size.mean = std::sqrt(size.mean / total_area(panels));
  return size;
}

ErrorEstimate estimate_of(const FlowProblem& problem, const Solution& solution, Backend& backend) {
  return estimate_errors(problem, solution, fit_surface(problem, solution),
                         green_errors(problem, solution, backend), {});
}

/// Within a factor of three in the mean, and of four where errors are largest.
template <class ExactGradient>
void expect_near(const FlowProblem& problem, const Solution& solution, Backend& backend,
                 ExactGradient exact) {
  const ErrorEstimate estimate = estimate_of(problem, solution, backend);
  const Panels& panels = problem.panels;
  const Size found = size_of(panels, [&](std::size_t i) { return estimate.velocity[i]; });
  const Size error = size_of(panels, [&](std::size_t i) {
    return norm(solution.vectors()[i] - exact(panels.centroid[i]));
  });
  EXPECT_LE(found.mean, 3.0 * error.mean);
  EXPECT_GE(found.mean, error.mean / 3.0);
  EXPECT_LE(found.largest, 4.0 * error.largest);
  EXPECT_GE(found.largest, error.largest / 4.0);
}

class GradientEstimates : public ::testing::TestWithParam<std::tuple<Formulation, Domain, Given>> {
};

TEST_P(GradientEstimates, AreWithinAFactorOfThreeOnSmoothBodies) {
  const auto [formulation, domain, given] = GetParam();
  const Harmonic exact{domain};
  const auto backend = make_cpu_backend();
  FlowOptions options;
  options.formulation = formulation;
  for (const auto& [name, mesh] :
       {std::pair{"geodesic", meshes::make_sphere(1280)},
        std::pair{"graded", testing::graded_sphere(1280)},
        std::pair{"quadrilaterals", testing::cubed_sphere(1350)},
        std::pair{"3:2:1", testing::stretched(testing::jittered_sphere(1280), {3, 2, 1})}}) {
    SCOPED_TRACE(name);
    const FlowProblem problem = problem_of(mesh, exact, given);
    const Solution solution = solve(problem, options, *backend);
    ASSERT_TRUE(solution.converged());
    expect_near(problem, solution, *backend, [&](const Vec3d& x) { return exact.gradient(x); });
  }
}

INSTANTIATE_TEST_SUITE_P(
    Problems, GradientEstimates,
    ::testing::Combine(::testing::Values(Formulation::green, Formulation::source),
                       ::testing::Values(Domain::exterior, Domain::interior),
                       ::testing::Values(Given::potential, Given::halves, Given::flux)));

/// Relative errors of the potential, whose mean is open inside.
double potential_error(const FlowProblem& problem, const Solution& solution,
                       const Harmonic& exact) {
  const Panels& panels = problem.panels;
  double shift = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i)
    shift += panels.area[i] * (solution.phi[i] - exact.value(panels.centroid[i]));
  if (exact.domain == Domain::exterior) shift = 0.0;
  shift /= total_area(panels);
  const auto size = [&](auto value) { return size_of(panels, value).mean; };
  return size([&](std::size_t i) {
           return std::abs(solution.phi[i] - exact.value(panels.centroid[i]) - shift);
         }) /
         size([&](std::size_t i) { return std::abs(exact.value(panels.centroid[i]) + shift); });
}

/// The flux at collocation points of a charged spheroid, whose potential is constant; few panels
/// across its rim.
TEST(PotentialEstimates, IncludeTheMeansOfGivenFluxesMinusTheirValues) {
  const Vec3d a{1.0, 1.0, 0.3};
  const double exact = -std::acos(a.z) / std::sqrt(1.0 - a.z * a.z);
  const auto backend = make_cpu_backend();
  for (const bool has_pressure : {false, true}) {
    FlowProblem problem{.panels = make_panels(testing::lathe(20, 40, a)), .stream = {}};
    problem.has_pressure = has_pressure;
    for (const Vec3d& x : problem.panels.centroid) {
      const auto over = [](const Vec3d& p, const Vec3d& q) {
        return Vec3d{p.x / q.x, p.y / q.y, p.z / q.z};
      };
      const Vec3d on_surface = x / norm(over(x, a));
      problem.normal_velocity.push_back(1.0 / norm(over(over(on_surface, a), a)) / a.z);
    }
    const Solution solution = solve(problem, {}, *backend);
    const double estimate = estimate_of(problem, solution, *backend).figures.potential.l2,
                 error = size_of(problem.panels, [&](std::size_t i) {
                           return std::abs(solution.phi[i] / exact - 1.0);
                         }).mean;
    EXPECT_GE(estimate, error / 3.0);
    EXPECT_LE(estimate, 3.0 * error);
  }
}

class BoxEstimates : public ::testing::TestWithParam<std::tuple<Formulation, int>> {};

TEST_P(BoxEstimates, SeeTheEdgesInside) {
  // Of degree 1 and 2 the flux is linear on flat panels, so that its mean is that at the point.
  const auto [formulation, degree] = GetParam();
  const Harmonic exact{.domain = Domain::interior, .degree = degree};
  const auto backend = make_cpu_backend();
  FlowOptions options;
  options.formulation = formulation;
  for (const auto kind : {meshes::PanelKind::triangles, meshes::PanelKind::quadrilaterals}) {
    for (const Vec3d& edges : {Vec3d{1, 1, 1}, Vec3d{2, 1, 1}}) {
      const FlowProblem problem =
          problem_of(meshes::make_box(1500, edges, {}, kind), exact, Given::flux);
      const Solution solution = solve(problem, options, *backend);
      const ErrorEstimate estimate = estimate_of(problem, solution, *backend);
      const double potential = potential_error(problem, solution, exact);
      EXPECT_GE(estimate.figures.potential.l2, potential / 3.0);
      EXPECT_LE(estimate.figures.potential.l2, potential * 10.0);
      const Panels& panels = problem.panels;
      const double gradient =
          size_of(panels, [&](std::size_t i) {
            return norm(solution.vectors()[i] - exact.gradient(panels.centroid[i]));
          }).mean;
      const double found =
          size_of(panels, [&](std::size_t i) { return estimate.velocity[i]; }).mean;
      EXPECT_GE(found, gradient / 3.0);
      EXPECT_LE(found, gradient * 10.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, BoxEstimates,
                         ::testing::Combine(::testing::Values(Formulation::green,
                                                              Formulation::source),
                                            ::testing::Values(1, 2)));

TEST(GradientEstimate, IsThatOfTheFitAndNotOfASingularityTheFieldLacks) {
  // A uniform field does not turn at the edges, of which one is convex to the fluid.
  const Harmonic exact{.domain = Domain::interior, .degree = 1};
  const auto backend = make_cpu_backend();
  for (const int n : {4, 8}) {
    const FlowProblem problem = problem_of(testing::l_body(n), exact, Given::flux);
    const Solution solution = solve(problem, {}, *backend);
    expect_near(problem, solution, *backend, [&](const Vec3d& x) { return exact.gradient(x); });
  }
}

TEST(GradientEstimate, FindsTheErrorAlongALongDuct) {
  // It is nearly all of the error, and Green's identity of phi and x gives it.
  const Harmonic exact{.domain = Domain::interior, .degree = 1};
  const auto backend = make_cpu_backend();
  FlowOptions options;
  for (const auto formulation : {Formulation::green, Formulation::source}) {
    options.formulation = formulation;
    const FlowProblem problem = problem_of(
        meshes::make_box(1500, {10, 1, 1}, {}, meshes::PanelKind::triangles), exact, Given::flux);
    const Solution solution = solve(problem, options, *backend);
    const double error = potential_error(problem, solution, exact),
                 found = estimate_of(problem, solution, *backend).figures.potential.l2;
    EXPECT_GE(found, error / 2.0);
    EXPECT_LE(found, error * 3.0) << "with the rough part, of which 4 tau is a bound";
  }
}

TEST(GradientEstimate, SeesThatSourcesDoNotKeepTheFlux) {
  // Uniform outflow of a sphere: the sum of the sources errs, and nothing else does.
  const Harmonic exact{Domain::exterior, {}};
  const auto backend = make_cpu_backend();
  FlowOptions options;
  options.formulation = Formulation::source;
  for (const auto& mesh :
       {meshes::make_sphere(1280), testing::jittered_sphere(2000), testing::cubed_sphere(1000)}) {
    const FlowProblem problem = problem_of(mesh, exact, Given::flux);
    const Solution solution = solve(problem, options, *backend);
    const double error = potential_error(problem, solution, exact);
    const double estimate = estimate_of(problem, solution, *backend).figures.potential.l2;
    EXPECT_GE(estimate, error / 3.0);
    EXPECT_LE(estimate, error * 10.0);
  }
}

TEST(GradientEstimate, SeesWhatAResidualLeavesInTheChargesOfSmallPanels) {
  // Next to the poles panels are 0.004 radii wide. A loose tolerance leaves more there than panels
  // do.
  const Harmonic exact{Domain::exterior, {}};
  const auto backend = make_cpu_backend();
  const FlowProblem problem =
      problem_of(testing::lathe(200, 48, {1.0, 1.0, 1.0}), exact, Given::potential);
  FlowOptions options;
  options.gmres.tolerance = 1e-4;
  const Solution solution = solve(problem, options, *backend);
  const ErrorEstimate estimate = estimate_of(problem, solution, *backend);
  const auto error = [&](std::size_t i) {
    return norm(solution.vectors()[i] - exact.gradient(problem.panels.centroid[i]));
  };
  std::size_t worst = 0;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    if (error(i) > error(worst)) worst = i;
  }
  EXPECT_GT(error(worst), 0.03);
  EXPECT_GE(estimate.velocity[worst], error(worst) / 3.0);
  EXPECT_LE(estimate.velocity[worst], error(worst) * 3.0);
}

TEST(GradientEstimate, OfAGivenPotentialIsWhatTheSolverLeaves) {
  const Harmonic exact{Domain::exterior};
  const auto backend = make_cpu_backend();
  const FlowProblem problem = problem_of(testing::jittered_sphere(1000), exact, Given::halves);
  const Solution solution = solve(problem, {}, *backend);
  const ErrorEstimate estimate = estimate_of(problem, solution, *backend);
  const double phi = size_of(problem.panels, [&](std::size_t i) { return solution.phi[i]; }).mean;
  const double left = solution.gmres.true_residual + solution.fmm_sampled_error;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    if (problem.conditions.at(i) == Known::potential)
      EXPECT_NEAR(estimate.potential[i], left * phi, 1e-12 * phi);
    else
      EXPECT_GT(estimate.potential[i], left * phi);
  }
}

TEST(GradientEstimate, IsWithinAFactorOfThreeAroundADielectricSphere) {
  // The field of a dipole of (eps - 1)/(eps + 2), and the one applied.
  const auto backend = make_cpu_backend();
  for (const double ratio : {2.0, 80.0}) {
    for (const auto& mesh : {meshes::make_sphere(4000), testing::cubed_sphere(1000)}) {
      SCOPED_TRACE(ratio);
      ElectricProblem electric = testing::put_together(
          {{.mesh = mesh, .body = {.parent = -1, .outside = 1.0, .inside = ratio}}});
      const Vec3d applied{0.0, 0.0, 1.0};
      electric.field = applied;
      const ElectricResponse response = respond(electric, {}, *backend);
      const ElectricSolution found = solve(electric, response, {}, {}, *backend);
      Solution solution;
      static_cast<SolveRecord&>(solution) = record_of(response.record, 0);
      solution.phi = found.state.potential;
      solution.flux = found.state.outside;
      solution.gradient.assign(found.gradient_outside.begin(), found.gradient_outside.end());
      const FlowProblem problem{.panels = electric.panels, .stream = {}, .has_pressure = false};
      const double dipole = (ratio - 1.0) / (ratio + 2.0);
      expect_near(problem, solution, *backend, [&](const Vec3d& x) {
        const double r = norm(x);
        return -applied - dipole / std::pow(r, 5.0) * (3.0 * x.z * x - r * r * applied);
      });
    }
  }
}

}  // namespace
}  // namespace rankine::bem
