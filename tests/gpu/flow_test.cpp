// A whole solve on the device gives the same results as on the host.
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/electric/conductors.hpp"
#include "rankine/bem/flow/field.hpp"

#include "rankine/bem/flow/load_forms.hpp"
#include "rankine/bem/flow/relaxed_wake.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/onset_flows.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

class FlowOnDevice : public DeviceTest {
 protected:
  static void expect_parity(const meshes::SurfaceMesh& mesh, bem::FlowOptions options) {
    const bem::FlowProblem problem{.panels = bem::make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
    // Summation errors of both are far below the 1e-8 of the check.
    options.fmm.tolerance = 1e-11;
    options.gmres.tolerance = 1e-10;
    const bem::Solution host = bem::solve(problem, options, *bem::make_cpu_backend());
    const bem::Solution device = bem::solve(problem, options, *make_cuda_backend());
    EXPECT_TRUE(device.converged());
    EXPECT_EQ(device.gmres.iterations, host.gmres.iterations);
    EXPECT_LE(relative_error(device.phi, host.phi), 1e-8);
    EXPECT_LE(relative_error(device.pressure, host.pressure), 1e-8);
  }
};

TEST_F(FlowOnDevice, GreenOnASphere) { expect_parity(meshes::make_sphere(1280), {}); }

TEST_F(FlowOnDevice, GreenOnABoxWithPowersAtItsEdges) {
  expect_parity(meshes::make_box(1400, {1.0, 2.0, 0.5}), {});
}

TEST_F(FlowOnDevice, SourceOnAnEllipsoid) {
  bem::FlowOptions options;
  options.formulation = bem::Formulation::source;
  expect_parity(meshes::make_ellipsoid(1280, {3.0, 2.0, 1.0}), options);
}

TEST_F(FlowOnDevice, GreenOnATorusWithTheDirectSum) {
  bem::FlowOptions options;
  options.fmm.method = fmm::Method::direct;
  expect_parity(meshes::make_torus(800, 1.0, 0.4), options);
}

TEST_F(FlowOnDevice, PreconditionersDoWhatTheHostsDo) {
  bem::FlowOptions options;
  for (const auto preconditioner : {bem::Preconditioner::block, bem::Preconditioner::two_level}) {
    options.preconditioner = preconditioner;
    expect_parity(meshes::make_ellipsoid(1280, {1.0, 1.0, 0.02}), options);
  }
  // A sheet: an equation of the first kind, preconditioned by default.
  bem::FlowProblem problem{.panels = bem::make_panels(meshes::make_plate(900, 1.0, 1.0, {}, 3.0)),
                           .stream = {1.0, 0.0, 0.0}};
  problem.thin.assign(problem.panels.size(), 1);
  const std::vector<std::int32_t> one(problem.panels.size(), 0);
  options = {};
  options.formulation = bem::Formulation::source;
  options.fmm.tolerance = 1e-11;
  options.gmres.tolerance = 1e-10;
  const bem::Capacitance host =
      bem::capacitance(problem.region(), one, 1, 1.0, options, *bem::make_cpu_backend());
  const bem::Capacitance device =
      bem::capacitance(problem.region(), one, 1, 1.0, options, *make_cuda_backend());
  EXPECT_EQ(device.gmres[0].iterations, host.gmres[0].iterations);
  EXPECT_NEAR(device(0, 0), host(0, 0), 1e-8 * host(0, 0));
}

TEST_F(FlowOnDevice, SourcesDoubletsAndVorticesAreThoseOfTheHost) {
  const bem::Onset onset{
      .sources = {{{1.7, 0.4, -0.3}, 2.0}},
      .doublets = {{{-0.5, 1.6, 0.9}, {0.7, -1.1, 0.4}}},
      .vortices = testing::ring_of_vortices({0.0, 2.3, 0.5}, {0.2, -0.1, 1.0}, 0.5, 1.5, 24)};
  bem::FlowOptions options;
  options.fmm.tolerance = 1e-11;
  options.gmres.tolerance = 1e-10;
  const std::vector<Vec3d> points{{1.2, 0.3, 0.7}, {1.02, 0.0, 0.0}, {-0.5, -1.4, 0.2}};
  for (const bool mirrored : {false, true}) {
    // Panels with images below a wall, or panels alone.
    const meshes::Symmetry wall({{2, -1.2, 1.0}});
    const bem::FlowProblem problem{
        .panels = bem::make_panels(meshes::make_sphere(1280), bem::PanelGeometry::curved,
                                   mirrored ? wall : meshes::Symmetry{}),
        .stream = {0.6, -0.4, 0.0},
        .onset = onset};
    const auto host_backend = bem::make_cpu_backend();
    const auto device_backend = make_cuda_backend();
    const bem::Solution host = bem::solve(problem, options, *host_backend),
                        device = bem::solve(problem, options, *device_backend);
    EXPECT_TRUE(device.converged());
    EXPECT_LE(relative_error(device.phi, host.phi), 1e-8);
    EXPECT_LE(relative_error(device.pressure, host.pressure), 1e-8);
    const bem::Field of_host = bem::evaluate_field(problem, host, points, {}, *host_backend),
                     of_device = bem::evaluate_field(problem, device, points, {}, *device_backend);
    // The field's own sums have a tolerance of 1e-7.
    EXPECT_LE(relative_error(of_device.phi, of_host.phi), 1e-6);
    EXPECT_LE(relative_error(of_device.pressure, of_host.pressure), 1e-6);
  }
}

TEST_F(FlowOnDevice, SeveralStreamsGiveWhatEachGivesAlone) {
  const std::vector<Vec3d> streams{{1.0, 0.0, 0.0}, {-0.4, 2.0, 0.3}, {0.6, 2.0, 0.3}};
  bem::FlowProblem problem{
      .panels = bem::make_panels(meshes::make_ellipsoid(5000, {3.0, 2.0, 1.0})),
      .stream = {1.0, 0.0, 0.0}};
  const auto backend = make_cuda_backend();
  for (const bem::Formulation formulation : {bem::Formulation::green, bem::Formulation::source}) {
    for (const bool mixed : {false, true}) {
      SCOPED_TRACE(std::string(bem::to_string(formulation)) + (mixed ? ", mixed" : ", double"));
      bem::FlowOptions options{{}, formulation};
      options.mixed_precision = mixed;
      options.fmm.tolerance = 1e-9;
      options.gmres.tolerance = 1e-8;
      // Given, so that several right-hand sides have the same tree as one.
      options.fmm.leaf_capacity = 100;
      const std::vector<bem::Solution> together = bem::solve(problem, streams, options, *backend);
      std::vector<double> sum = together[0].phi;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += together[1].phi[i];
      // Three residuals of 1e-8 with a condition number below ten.
      EXPECT_LE(relative_error(sum, together[2].phi), 3e-7) << "linearity";
      for (std::size_t k = 0; k < streams.size(); ++k) {
        problem.stream = streams[k];
        const bem::Solution alone = bem::solve(problem, options, *backend);
        EXPECT_TRUE(together[k].converged());
        // In double the operations are the same in another order; mixed solves agree up to
        // residuals.
        const double same = mixed ? 1e-7 : 1e-11;
        EXPECT_LE(relative_error(together[k].phi, alone.phi), same);
        EXPECT_LE(relative_error(together[k].pressure, alone.pressure), 10.0 * same);
      }
    }
  }
}

class WingOnDevice : public DeviceTest {
 protected:
  WingOnDevice() {
    problem.panels =
        bem::make_panels(meshes::make_wing({40, 16}, meshes::naca_section("0012"), {.span = 4.0}),
                         bem::PanelGeometry::flat);
    problem.stream = {1.0, 0.0, 0.1};
    problem.lift =
        std::make_shared<bem::LiftingEdges>(bem::lifting_edges(problem.panels, problem.stream));
    options.fmm.tolerance = 1e-11;
    options.gmres.tolerance = 1e-10;
  }

  bem::FlowProblem problem;
  bem::FlowOptions options;
};

/// The condition number of systems with wakes is of the order of 1e3.
TEST_F(WingOnDevice, WakesAreThoseOfTheHost) {
  const auto cpu = bem::make_cpu_backend(), cuda = make_cuda_backend();
  const bem::Solution host = bem::solve(problem, options, *cpu),
                      device = bem::solve(problem, options, *cuda);
  EXPECT_TRUE(device.converged());
  EXPECT_LE(relative_error(device.sheets, host.sheets), 1e-7);
  EXPECT_LE(relative_error(device.phi, host.phi), 1e-7);
  // Off the surface: around the wing, and on both sides of its wake.
  std::vector<Vec3d> points;
  for (const double z : {-0.5, -0.05, 0.05, 0.5}) {
    for (const double x : {-1.0, 0.5, 1.5, 3.0}) points.push_back({x, 0.3, z + 0.1 * x});
  }
  bem::FieldOptions sums;
  sums.fmm.tolerance = 1e-9;
  const bem::Field of_host = bem::evaluate_field(problem, host, points, sums, *cpu),
                   of_device = bem::evaluate_field(problem, host, points, sums, *cuda);
  EXPECT_LE(relative_error(of_device.phi, of_host.phi), 1e-7);
}

TEST_F(WingOnDevice, WakesRelaxAsOnTheHost) {
  const auto lift_on = [&](bem::Backend& backend, int& sweeps) {
    bem::FlowProblem relaxed = problem;
    const bem::Solution solution = bem::solve_with_relaxed_wakes(
        relaxed, options, backend, [&](const bem::WakeSweep& sweep) { sweeps = sweep.number; });
    EXPECT_TRUE(solution.converged());
    return bem::trefftz_loads(relaxed.panels, *relaxed.lift, solution.sheets, relaxed.stream, 1.0)
        .force.z;
  };
  int on_host = 0, on_device = 0;
  const double host = lift_on(*bem::make_cpu_backend(), on_host),
               device = lift_on(*make_cuda_backend(), on_device);
  EXPECT_GE(on_host, 2);
  EXPECT_EQ(on_device, on_host);
  EXPECT_NEAR(device / host, 1.0, 1e-6);
}

TEST_F(WingOnDevice, FormsOfLoadsAreThoseOfTheHost) {
  const bem::LoadForms host = bem::load_forms(problem, {}, options, *bem::make_cpu_backend()),
                       device = bem::load_forms(problem, {}, options, *make_cuda_backend());
  const bem::MotionVector motion{-1.0, 0.1, -0.1, 0.02, -0.03, 0.01};
  const double scale = std::abs(host.force[2](motion));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(device.force[axis](motion), host.force[axis](motion), 1e-6 * scale);
    EXPECT_NEAR(device.moment[axis](motion), host.moment[axis](motion), 1e-6 * scale);
  }
  EXPECT_NEAR(device.induced_drag(motion), host.induced_drag(motion), 1e-6 * scale);
}

TEST_F(FlowOnDevice, MixedAndRelaxedSolvesReachTheDoubleSolution) {
  const bem::FlowProblem problem{.panels = bem::make_panels(meshes::make_sphere(1280)),
                                 .stream = {1.0, 0.0, 0.0}};
  bem::FlowOptions options;
  options.fmm.tolerance = 1e-9;
  options.gmres.tolerance = 1e-8;
  const auto backend = make_cuda_backend();
  const bem::Solution reference = bem::solve(problem, options, *backend);
  bem::FlowOptions mixed = options, relaxed = options;
  mixed.mixed_precision = true;
  relaxed.relaxation = bem::Relaxation::on;
  for (const bem::FlowOptions& each : {mixed, relaxed}) {
    const bem::Solution solution = bem::solve(problem, each, *backend);
    EXPECT_TRUE(solution.converged());
    EXPECT_LE(solution.gmres.true_residual, 1e-8);
    // Both residuals are below 1e-8, the condition number is below ten.
    EXPECT_LE(relative_error(solution.phi, reference.phi), 1e-7);
  }
}

}  // namespace
}  // namespace rankine::gpu
