// Forces on bodies that shed vortices.
#include <gtest/gtest.h>

#include <cmath>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::bem {
namespace {

// Minus the change of the impulse is the force of pressure and friction on the wall, but for half
// the square of the slip and errors of stretching. Strengths that turn towards the vorticity do not
// change it, at any rate.
TEST(VortexForces, FromTheImpulseAreThoseOnTheWall) {
  constexpr double spacing = 0.1, step = 0.04, viscosity = spacing * spacing / (8.0 * step);
  const auto backend = make_cpu_backend();
  VortexBodyOptions options;
  options.stream = {0.5, 0.0, std::sqrt(0.75)};
  options.solve.gmres.tolerance = options.solve.fmm.tolerance = options.sum.tolerance = 1e-4;
  options.sum.precision = fmm::Precision::float32;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  const Panels panels = make_panels(meshes::make_ellipsoid(720, {0.6, 0.3, 0.2}));
  for (const double relaxation : {1.0, 5.0}) {
    VortexBody body(*backend, panels, options);
    SheddingWall wall(body, {.distance = 0.5 * spacing, .core_radius = spacing});
    VortexFlowOptions flow_options{.system = {.stretching = Stretching::classic,
                                              .relaxation = relaxation,
                                              .sum = options.sum,
                                              .surroundings = &body},
                                   .viscosity = viscosity,
                                   .redistributes = true};
    flow_options.redistribution = {
        .viscosity = viscosity, .spacing = spacing, .core_radius = spacing};
    VortexFlow flow(*backend, wall.shed_into({}), flow_options, &wall);
    for (int k = 0; k < 8; ++k) {
      const Vec3d before = impulse_of(flow.system().particles()),
                  wall_before = flow.record().wall_impulse;
      flow.advance(step);
      const Vec3d force = (before - impulse_of(flow.system().particles())) / step,
                  on_wall = (wall_before - flow.record().wall_impulse) / step;
      for (const int axis : {0, 2})
        EXPECT_NEAR(force[axis], on_wall[axis], 0.03 * std::abs(on_wall[axis]))
            << k << " " << relaxation;
    }
  }
}

}  // namespace
}  // namespace rankine::bem
