// Charges of conductors and dielectrics are the same on device and host.
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/electric/electric_regions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/electric_parts.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

class DielectricsOnDevice : public DeviceTest {
 protected:
  static meshes::SurfaceMesh sphere(double radius) {
    return testing::stretched(testing::jittered_sphere(1280), radius * Vec3d{1.0, 1.0, 1.0});
  }
  static void expect_parity(const bem::ElectricProblem& problem, const std::vector<double>& volts) {
    bem::RegionOptions options;
    // Summation errors of both, and residuals, are far below the tolerance of the check.
    options.fmm.tolerance = 1e-11;
    options.gmres.tolerance = 1e-10;
    const std::vector<Vec3d> points{{0.2, 0.3, 0.7}, {1.5, -0.4, 0.2}};
    const auto solved = [&](bem::Backend& backend) {
      const bem::ElectricResponse response = bem::respond(problem, options, backend);
      EXPECT_TRUE(response.capacitance.converged());
      bem::ElectricSolution found = bem::solve(problem, response, volts, options, backend);
      const bem::PotentialField field =
          bem::ElectricEvaluator(problem, found, {.fmm = options.fmm}, backend).at(points);
      return std::tuple(response.capacitance, std::move(found), field);
    };
    const auto [host_c, host, host_field] = solved(*bem::make_cpu_backend());
    const auto [device_c, device, device_field] = solved(*make_cuda_backend());
    EXPECT_LE(relative_error(device.state.charge, host.state.charge), 1e-7);
    EXPECT_LE(relative_error(device.state.potential, host.state.potential), 1e-7);
    EXPECT_LE(relative_error(device_field.phi, host_field.phi), 1e-7);
    if (!volts.empty()) {
      EXPECT_LE(relative_error(device_c.matrix, host_c.matrix), 1e-7);
    }
  }
};

TEST_F(DielectricsOnDevice, ACoatedSphereInAField) {
  bem::ElectricProblem problem =
      testing::put_together({{sphere(1.0), {-1, 1.0, 50.0}}, {sphere(0.6), {0, 50.0, 2.0}}});
  problem.field = {0.3, -0.5, 0.8};
  expect_parity(problem, {});
}

TEST_F(DielectricsOnDevice, ConductorsInAndBesideADielectricWithACharge) {
  bem::ElectricProblem problem =
      testing::put_together({{sphere(1.0), {-1, 1.0, 4.0}},
                             {sphere(0.5), {0, 4.0, 0.0}, 0},
                             {testing::moved(sphere(0.4), {0.0, 2.0, 0.0}), {-1, 1.0, 0.0}, 1}});
  problem.charges = {{{0.0, 0.0, -1.8}, 1e-11, -1}};
  expect_parity(problem, {1.0, -0.5});
}

}  // namespace
}  // namespace rankine::gpu
