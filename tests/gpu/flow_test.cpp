// A whole solve resident on the device gives what the host gives.
#include "bem/flow.hpp"

#include "gpu/backend.hpp"
#include "meshes/shapes.hpp"
#include "tests/gpu/device_test.hpp"

namespace rankine::gpu {
namespace {

class FlowOnDevice : public DeviceTest {
 protected:
  static void expect_parity(const meshes::SurfaceMesh& mesh, bem::SolveOptions options) {
    const bem::FlowProblem problem{.panels = bem::make_panels(mesh)};
    // Summation errors of both sides stay far below the 1e-8 that is checked.
    options.fmm.tolerance = 1e-11;
    options.gmres.tolerance = 1e-10;
    const bem::Solution host = bem::solve(problem, options, *bem::make_cpu_backend());
    const bem::Solution device = bem::solve(problem, options, *make_cuda_backend());
    EXPECT_TRUE(device.converged());
    EXPECT_EQ(device.gmres.iterations, host.gmres.iterations);
    EXPECT_LE(relative_error(device.phi, host.phi), 1e-8);
    EXPECT_LE(relative_error(device.cp, host.cp), 1e-8);
  }
};

TEST_F(FlowOnDevice, GreenOnASphere) { expect_parity(meshes::make_sphere(1280), {}); }

TEST_F(FlowOnDevice, SourceOnAnEllipsoid) {
  expect_parity(meshes::make_ellipsoid(1280, {3.0, 2.0, 1.0}),
                {.formulation = bem::Formulation::source});
}

TEST_F(FlowOnDevice, GreenOnATorusWithTheDirectSum) {
  bem::SolveOptions options;
  options.fmm.method = fmm::Method::direct;
  expect_parity(meshes::make_torus(800, 1.0, 0.4), options);
}

}  // namespace
}  // namespace rankine::gpu
