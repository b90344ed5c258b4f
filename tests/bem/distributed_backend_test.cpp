// Whole solutions in several processes, which threads play: those of one process.
#include "rankine/bem/distributed_backend.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/electric/conductors.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/krylov/refinement.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/lift/lifting_edges.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/dense_systems.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/thread_ranks.hpp"

namespace rankine::bem {
namespace {

/// The results of one process that all of them must have, and its GMRES iterations.
struct Result {
  std::vector<double> values;
  int iterations = 0;
};

/// Every process has the same bits. They are the result of one process to `tolerance`, and
/// iterations agree to within one.
void expect_as_one(const std::function<Result(Backend&)>& solve, double tolerance) {
  const Result expected = solve(*make_cpu_backend());
  for (const int ranks : {1, 2, 5}) {
    std::vector<Result> results(static_cast<std::size_t>(ranks));
    ThreadRanks(ranks, 1).run([&](Communicator& processes) {
      const auto backend = make_distributed_backend(make_cpu_backend(), make_host_work(processes));
      results[static_cast<std::size_t>(processes.rank())] = solve(*backend);
    });
    for (const Result& each : results) {
      EXPECT_EQ(each.values, results.front().values) << ranks << " processes";
      EXPECT_LE(std::abs(each.iterations - expected.iterations), 1);
    }
    EXPECT_LE(rankine::relative_error(results.front().values, expected.values), tolerance)
        << ranks << " processes";
  }
}

/// Potential and velocity of a flow.
Result solve_flow(const FlowProblem& problem, const FlowOptions& options, Backend& backend) {
  const Solution solution = solve(problem, options, backend);
  EXPECT_TRUE(solution.converged());
  Result result{solution.phi, solution.gmres.iterations};
  for (const Vec3d& u : solution.velocity) {
    for (int axis = 0; axis < 3; ++axis) result.values.push_back(u[axis]);
  }
  return result;
}

// Sums are made to a tenth of the tolerance of the solver, so two solutions differ by no more than
// the condition of the equations times that; that of these equations is below 30.
constexpr double most_difference = 3e-6;

FlowOptions options_of(Formulation formulation) {
  FlowOptions options;
  options.formulation = formulation;
  options.fmm.direct_pairs = 0;
  return options;
}

// Each panel is fitted by one process, in the same way as if it were alone.
TEST(DistributedBackend, FitsPanelsAsOneProcess) {
  const Panels panels = make_panels(meshes::make_ellipsoid(1280, {3.0, 2.0, 1.0}));
  const PanelNeighbourhood neighbourhood(panels);
  std::vector<double> values;
  for (const Vec3d& x : panels.centroid) values.push_back(x.x * x.y - x.z);
  const FittedFields fields{values, values, panels.centroid};
  expect_as_one(
      [&](Backend& backend) {
        Result result;
        const SurfaceGradient surface = backend.gradient(neighbourhood, values);
        const PanelFits fits = backend.fit(neighbourhood, fields);
        for (std::size_t i = 0; i < panels.size(); ++i) {
          const Vec3d &g = surface.gradient[i], &n = surface.normal[i];
          const PanelSigns& signs = fits.signs[i];
          result.values.insert(result.values.end(),
                               {g.x, g.y, g.z, n.x, n.y, n.z, fits.of_values[i].plain,
                                fits.of_potential[i].plain, signs.difference, signs.deviation});
        }
        return result;
      },
      0.0);
}

// Each process has its own rows of the Krylov vectors, three of 3 rows in five processes: restarts,
// a preconditioner, guesses, a right-hand side that is zero, and refinement.
TEST(DistributedBackend, SolvesSystemsAsOneProcess) {
  for (const int n : {3, 130}) {
    const Eigen::MatrixXd a = testing::well_conditioned(0.9, n, 11),
                          rounded_a = a.cast<float>().cast<double>(),
                          half = 0.5 * Eigen::MatrixXd::Identity(n, n);
    auto matrix = testing::dense(a), rounded = testing::dense(rounded_a),
         halves = testing::dense(half);
    std::vector<double> b = fmm::make_strengths(3 * static_cast<std::size_t>(n), 3);
    std::fill(b.begin() + n, b.begin() + 2 * n, 0.0);
    for (const bool refined : {false, true}) {
      expect_as_one(
          [&](Backend& backend) {
            Result result{fmm::make_strengths(b.size(), 4)};
            const GmresOptions options{.tolerance = 1e-12, .restart = 5};
            double* const x = result.values.data();
            const std::vector<GmresResult> solved =
                refined ? refine(backend, 3, matrix, rounded, 1e-6, b.data(), x, options, &halves)
                        : gmres(backend, 3, matrix, b.data(), x, options, &halves);
            for (const GmresResult& each : solved) {
              EXPECT_EQ(each.status, GmresStatus::converged);
              result.iterations = std::max(result.iterations, each.iterations);
            }
            return result;
          },
          1e-11);
    }
  }
}

// Each process multiplies its own rows. Products with several vectors, and with the transpose.
TEST(DistributedBackend, MultipliesNearCorrectionsAsOneProcess) {
  const Panels panels = make_panels(meshes::make_ellipsoid(320, {3.0, 2.0, 1.0}));
  const CollocatedPanels discretization(panels);
  const std::vector<double> x = fmm::make_strengths(2 * panels.size(), 3);
  expect_as_one(
      [&](Backend& backend) {
        constexpr Layer layer = Layer::double_layer;
        const auto near = std::move(backend.assemble(discretization, {&layer, 1}, {})[0]);
        Result result{std::vector<double>(2 * x.size(), 0.0)};
        near->add(0.7, x.data(), result.values.data(), 2);
        near->add_transposed(0.7, x.data(), result.values.data() + x.size(), 2);
        return result;
      },
      1e-13);
}

// Strengths of nodes are divided, so the transpose adds up the products of all processes. The mesh
// of a wing has panels with shared nodes.
TEST(DistributedBackend, MultipliesBoundaryOperatorsAsOneProcess) {
  const Panels bodies[] = {make_panels(meshes::make_ellipsoid(320, {3.0, 2.0, 1.0})),
                           make_panels(testing::wing_of_spans(200), PanelGeometry::flat)};
  for (const Panels& panels : bodies) {
    const std::vector<double> x = fmm::make_strengths(2 * panels.size(), 3);
    const Equation equation{
        .terms = {{Layer::single_layer, {1.5}},
                  {Layer::double_layer, {.values = {x.begin(), x.begin() + panels.size()}}},
                  {Layer::adjoint_double_layer}}};
    fmm::Options options{.tolerance = 1e-8, .gradient = true, .dipoles = true, .direct_pairs = 0};
    expect_as_one(
        [&](Backend& backend) {
          const CollocatedPanels discretization(panels, {}, backend);
          EXPECT_EQ(discretization.panel_nodes().source.empty(), &panels == bodies);
          LayerSet layers(backend, discretization);
          FarField far(layers, options);
          BoundaryOperator a(far, equation);
          Result result{std::vector<double>(2 * x.size(), 0.0)};
          a.add(0.7, x.data(), result.values.data(), 2);
          a.add_transposed(0.7, x.data(), result.values.data() + x.size(), 2);
          return result;
        },
        1e-7);
  }
}

TEST(DistributedBackend, EvaluatesFieldsAsOneProcess) {
  const Panels panels = make_panels(meshes::make_ellipsoid(320, {3.0, 2.0, 1.0}));
  const std::vector<double> charges = fmm::make_strengths(panels.size(), 3);
  std::vector<Vec3d> points = fmm::make_points("sphere", 1500, 4), moved;
  for (Vec3d& x : points) moved.push_back(4.0 * (x *= 6.0));
  fmm::Options options{.tolerance = 1e-8, .direct_pairs = 0};
  expect_as_one(
      [&](Backend& backend) {
        OffSurfaceOperator field(backend, panels, points, options, {}, SumsOrder::checked);
        OffSurfaceValues found = field.evaluate({.charge = charges});
        field.follow(uploaded(backend, std::span<const Vec3d>(moved)));
        const std::vector<double> there = field.evaluate().potential;
        found.potential.insert(found.potential.end(), there.begin(), there.end());
        return Result{found.potential};
      },
      1e-6);
}

TEST(DistributedBackend, SolvesFlowsAsOneProcess) {
  const FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(1280, {3.0, 2.0, 1.0})),
                            .stream = {1.0, 0.3, -0.2}};
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    expect_as_one(
        [&](Backend& backend) { return solve_flow(problem, options_of(formulation), backend); },
        most_difference);
  }
}

/// A sphere so close to a symmetry plane that its panels are near those of its image.
Panels beside_image(double sign) {
  return make_panels(meshes::make_sphere(720, 1.0, {0.0, 0.0, 1.03}), PanelGeometry::curved,
                     meshes::Symmetry({{2, 0.0, sign}}));
}

TEST(DistributedBackend, SolvesBesideAnImageAsOneProcess) {
  const FlowProblem problem{.panels = beside_image(1.0), .stream = {1.0, 0.0, 0.0}};
  expect_as_one(
      [&](Backend& backend) {
        return solve_flow(problem, options_of(Formulation::green), backend);
      },
      most_difference);
}

TEST(DistributedBackend, FindsACapacitanceBesideAnImageAsOneProcess) {
  const Panels panels = beside_image(-1.0);
  RegionOptions options;
  options.formulation = Formulation::source;
  options.preconditioner = Preconditioner::two_level;
  options.fmm.direct_pairs = 0;
  expect_as_one(
      [&](Backend& backend) {
        const Capacitance found = capacitance({panels}, std::vector<std::int32_t>(panels.size(), 0),
                                              1, vacuum_permittivity, options, backend);
        return Result{found.matrix, found.gmres.front().iterations};
      },
      most_difference);
}

TEST(DistributedBackend, SolvesForWingsAsOneProcess) {
  const Vec3d stream{1.0, 0.0, 0.08};
  FlowProblem problem{.panels = make_panels(
                          meshes::make_wing({30, 24}, meshes::naca_section("0012"), {.span = 4.0})),
                      .stream = stream};
  problem.lift = std::make_shared<LiftingEdges>(lifting_edges(problem.panels, stream));
  expect_as_one(
      [&](Backend& backend) {
        return solve_flow(problem, options_of(Formulation::green), backend);
      },
      most_difference);
}

TEST(DistributedBackend, SolvesForThinWallsAsOneProcess) {
  meshes::SurfaceMesh disc = meshes::make_disc(200, 1.0, {}, 3.0);
  meshes::cut_quadrilaterals(disc);
  FlowProblem problem{.panels = make_panels(disc, PanelGeometry::flat), .stream = {0.3, 0.0, 1.0}};
  problem.thin.assign(problem.panels.size(), 1);
  expect_as_one(
      [&](Backend& backend) {
        const Solution solution = solve(problem, options_of(Formulation::doublet), backend);
        EXPECT_TRUE(solution.converged());
        return Result{solution.unknown, solution.gmres.iterations};
      },
      most_difference);
}

TEST(DistributedBackend, FindsCapacitancesAsOneProcess) {
  const meshes::SurfaceMesh two =
      testing::joined(meshes::make_sphere(500), meshes::make_sphere(500, 0.5, {1.8, 0.0, 0.0}));
  const Panels panels = make_panels(two);
  std::vector<std::int32_t> conductor(panels.size(), 0);
  std::fill(conductor.begin() + static_cast<std::ptrdiff_t>(panels.size() / 2), conductor.end(), 1);
  RegionOptions options;
  options.formulation = Formulation::source;
  options.fmm.direct_pairs = 0;
  expect_as_one(
      [&](Backend& backend) {
        const Capacitance found =
            capacitance({panels}, conductor, 2, vacuum_permittivity, options, backend);
        EXPECT_TRUE(found.converged());
        return Result{found.matrix, found.gmres.front().iterations};
      },
      most_difference);
}

}  // namespace
}  // namespace rankine::bem
