// Several streams past one body in one solve, and the operators that serve them together.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<Eigen::Index>(b.size());
  return (VectorXd::Map(a.data(), n) - VectorXd::Map(b.data(), n)).norm() /
         VectorXd::Map(b.data(), n).norm();
}

const std::vector<Vec3d> streams{{1.0, 0.0, 0.0}, {-0.4, 2.0, 0.3}, {0.6, 2.0, 0.3}};

class SeveralVectors : public ::testing::TestWithParam<Layer> {
 protected:
  const Panels panels = make_panels(testing::graded_sphere(1280));
  const Eigen::Index n = static_cast<Eigen::Index>(panels.size());

  MatrixXd random(int count) const {
    std::srand(5);
    return MatrixXd::Random(n, count);
  }
};

TEST_P(SeveralVectors, MeetTheNearFieldAsOneByOne) {
  rankine::testing::PanelLayers with(panels);
  SparseMatrix& near = with.layers.near(GetParam());
  for (const int rhs : {1, 2, 3, 4, 7}) {
    const MatrixXd x = random(rhs);
    MatrixXd together = MatrixXd::Ones(n, rhs), alone = together;
    near.add(0.7, x.data(), together.data(), rhs);
    for (int k = 0; k < rhs; ++k) near.add(0.7, x.col(k).data(), alone.col(k).data());
    // Rounding of the sums, whatever the compiler contracts.
    EXPECT_LE((together - alone).norm(), 1e-14 * alone.norm()) << rhs;
  }
}

TEST_P(SeveralVectors, MeetTheBoundaryOperatorAsOneByOne) {
  fmm::Options options{.tolerance = 1e-6, .gradient = true, .dipoles = true};
  options.direct_pairs = 0;
  options.rhs = 2;
  rankine::testing::PanelLayers with(panels, {}, options);
  BoundaryOperator boundary = with.of(GetParam());
  for (const int rhs : {2, 1, 5}) {  // as many as announced, fewer, more
    const MatrixXd x = random(rhs);
    MatrixXd together = MatrixXd::Ones(n, rhs), alone = together;
    boundary.add(-2.0, x.data(), together.data(), rhs);
    for (int k = 0; k < rhs; ++k) boundary.add(-2.0, x.col(k).data(), alone.col(k).data());
    // Double precision far and near, over 10^3 terms of either sign.
    EXPECT_LE((together - alone).norm(), 1e-12 * alone.norm()) << rhs;
  }
}

INSTANTIATE_TEST_SUITE_P(Layers, SeveralVectors,
                         ::testing::Values(Layer::single_layer, Layer::double_layer,
                                           Layer::adjoint_double_layer));

class SeveralStreams : public ::testing::TestWithParam<Formulation> {
 protected:
  FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(1280, {3.0, 2.0, 1.0})),
                      .stream = {1.0, 0.0, 0.0}};
  FlowOptions options{{}, GetParam()};
  const std::unique_ptr<Backend> backend = make_cpu_backend();

  void SetUp() override {
    options.gmres.tolerance = 1e-8;
    options.fmm.tolerance = 1e-9;
    options.error_samples = 64;
  }
};

TEST_P(SeveralStreams, GiveWhatEachGivesAlone) {
  for (std::size_t i = 0; i < problem.panels.size(); ++i)
    problem.normal_velocity.push_back(0.1 * problem.panels.centroid[i].x);
  const std::vector<Solution> together = solve(problem, streams, options, *backend);
  ASSERT_EQ(together.size(), streams.size());
  for (std::size_t k = 0; k < streams.size(); ++k) {
    problem.stream = streams[k];
    const Solution alone = solve(problem, options, *backend);
    EXPECT_TRUE(together[k].converged());
    EXPECT_EQ(together[k].gmres.iterations, alone.gmres.iterations);
    EXPECT_NEAR(together[k].gmres.true_residual, alone.gmres.true_residual, 1e-12);
    // The same operations in another order: rounding, times a condition number below ten.
    EXPECT_LE(difference(together[k].phi, alone.phi), 1e-11);
    EXPECT_LE(difference(together[k].pressure, alone.pressure), 1e-11);
    EXPECT_LE(difference(together[k].charge, alone.charge), 1e-11);
    EXPECT_EQ(together[k].doublet.size(), alone.doublet.size());
    EXPECT_EQ(together[k].near_entries, alone.near_entries);
    EXPECT_NEAR(together[k].fmm_sampled_error, alone.fmm_sampled_error, 1e-11);
    double velocity = 0.0;
    for (std::size_t i = 0; i < alone.velocity.size(); ++i)
      velocity = std::max(velocity, norm(together[k].velocity[i] - alone.velocity[i]));
    EXPECT_LE(velocity, 1e-10);
  }
}

TEST_P(SeveralStreams, GiveTheFieldsAndLoadsOfEach) {
  const std::vector<Solution> together = solve(problem, streams, options, *backend);
  const std::vector<Vec3d> points{{4.0, 1.0, 0.5}, {0.0, 2.1, 0.0}, {1.0, -1.0, 1.02}};
  const Vec3d reference{0.3, -0.2, 0.1};
  problem.stream = {7.0, -8.0, 9.0};  // not used
  FlowProblem own = problem;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    own.stream = streams[k];
    const Solution alone = solve(own, options, *backend);
    const Field found = evaluate_field(problem, together[k], points, {}, *backend),
                expected = evaluate_field(own, alone, points, {}, *backend);
    // Differences of the solutions as above, times derivatives of order one.
    EXPECT_LE(difference(found.phi, expected.phi), 1e-9);
    EXPECT_LE(difference(found.pressure, expected.pressure), 1e-9);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_LE(norm(found.velocity[i] - expected.velocity[i]), 1e-9);
    const Loads loads = pressure_loads(fit_surface(problem, together[k]), reference),
                wanted = pressure_loads(fit_surface(own, alone), reference);
    EXPECT_LE(norm(loads.force - wanted.force), 1e-9);
    EXPECT_LE(norm(loads.moment - wanted.moment), 1e-9);
    const Vec3d added = added_mass_velocity(own, fit_surface(own, alone));
    EXPECT_LE(norm(added_mass_velocity(problem, fit_surface(problem, together[k])) - added),
              1e-9 * norm(added));
    const EllipsoidFlow exact({3.0, 2.0, 1.0}, streams[k]);
    const auto on_surface = [&](const Vec3d& x) { return exact.on_surface(x); };
    EXPECT_NEAR(surface_errors(problem, together[k], on_surface).pressure.l2,
                surface_errors(own, alone, on_surface).pressure.l2, 1e-9);
  }
}

TEST_P(SeveralStreams, TakeAGuessEach) {
  const std::vector<Solution> first = solve(problem, streams, options, *backend);
  for (const Solution& each : first) {
    options.initial_guess.insert(options.initial_guess.end(), each.unknown.begin(),
                                 each.unknown.end());
  }
  for (const Solution& each : solve(problem, streams, options, *backend))
    EXPECT_EQ(each.gmres.iterations, 0);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SeveralStreams,
                         ::testing::Values(Formulation::green, Formulation::source));

TEST(Streams, ReportWhichIsWhich) {
  const FlowProblem problem{.panels = make_panels(meshes::make_sphere(80)),
                            .stream = {1.0, 0.0, 0.0}};
  FlowOptions options;
  std::set<int> seen;
  options.gmres.callback = [&](const GmresIteration& at) {
    seen.insert(at.rhs);
    return true;
  };
  // The second stream is at rest: nothing to solve.
  const std::vector<Vec3d> with_rest{{1.0, 0.0, 0.0}, {}, {0.0, 0.0, -2.0}};
  const auto solutions = solve(problem, with_rest, options, *make_cpu_backend());
  EXPECT_EQ(seen, (std::set<int>{0, 2}));
  for (const double phi : solutions[1].phi) EXPECT_EQ(phi, 0.0);
}

TEST(Streams, AreCheckedBeforeAnythingIsBuilt) {
  const FlowProblem problem{.panels = make_panels(meshes::make_sphere(20)),
                            .stream = {1.0, 0.0, 0.0}};
  const auto backend = make_cpu_backend();
  const std::vector<Vec3d> none, not_finite{{1.0, 0.0, 0.0}, {0.0, NAN, 0.0}};
  EXPECT_THROW(solve(problem, none, {}, *backend), InputError);
  EXPECT_THROW(solve(problem, not_finite, {}, *backend), InputError);
  FlowOptions options;
  options.initial_guess.assign(20, 0.0);  // of one stream
  EXPECT_THROW(solve(problem, streams, options, *backend), InputError);
}

}  // namespace
}  // namespace rankine::bem
