// Bodies among vortices on the device: the same results as on the host at every stage of a time
// step.
#include "rankine/bem/particles/shedding_wall.hpp"

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/prescribed_motion.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

class VortexBodyOnDevice : public testing::DeviceTest {};

/// Errors of sums and residuals are far below the tolerance of the check.
bem::VortexBodyOptions options() {
  bem::VortexBodyOptions options;
  options.stream = {0.5, 0.0, 0.8};
  options.solve.gmres.tolerance = 1e-10;
  options.solve.fmm.tolerance = options.sum.tolerance = 1e-11;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  return options;
}

std::vector<double> components_of(const std::vector<Vec3d>& vectors) {
  const auto values = as_doubles(std::span(vectors));
  return {values.begin(), values.end()};
}

TEST_F(VortexBodyOnDevice, ShedsAndMovesWhatTheHostDoes) {
  const meshes::SurfaceMesh mesh = meshes::make_ellipsoid(1280, {1.0, 1.0, 0.3});
  struct Run {
    std::vector<double> potential, slip, around, positions, strengths;
  };
  // Points near the wall and far from it.
  const std::vector<Vec3d> points{
      {0.0, 0.0, 0.31}, {1.05, 0.1, 0.0}, {0.4, 0.9, 0.5}, {2.0, 2.0, 1.0}};
  const auto run = [&](bem::Backend& backend) {
    bem::VortexBody body(backend, bem::make_panels(mesh), options());
    body.solve(bem::vortex_rings({{.centre = {0.2, 0.1, 0.9}, .axis = {0.2, 0.0, 1.0}}}, 200, 0.1,
                                 fmm::Kernel::vortex_exponential));
    Run found{body.potential(),
              components_of(body.surface_velocity()),
              components_of(body.perturbation_at(points).gradient),
              {},
              {}};
    const bem::ShedVortices made =
        bem::shed(body.panels(), body.surface_velocity(), {.distance = 0.1, .core_radius = 0.15});
    bem::VortexSystem system(backend, made.particles,
                             {.sum = options().sum, .surroundings = &body});
    system.advance(0.05);
    found.positions = components_of(system.particles().positions);
    found.strengths = components_of(system.particles().strengths);
    return found;
  };
  const Run here = run(*bem::make_cpu_backend()), there = run(*make_cuda_backend());
  EXPECT_LE(relative_error(there.potential, here.potential), 1e-8);
  EXPECT_LE(relative_error(there.slip, here.slip), 1e-8);
  EXPECT_LE(relative_error(there.around, here.around), 1e-8);
  EXPECT_LE(relative_error(there.positions, here.positions), 1e-8);
  // Finite differences over half a core radius amplify errors of velocities.
  EXPECT_LE(relative_error(there.strengths, here.strengths), 1e-7);
}

// A body that moves and turns: panels made again at every stage, with or without equations, and
// the vorticity inside.
TEST_F(VortexBodyOnDevice, MovesBodiesAsTheHostDoes) {
  const meshes::SurfaceMesh mesh = meshes::make_ellipsoid(1280, {1.0, 1.0, 0.3});
  const bem::PrescribedMotion motion({.velocity = {0.3, -0.5, 0.2},
                                      .angular_velocity = {0.5, 1.0, -0.4},
                                      .centre = {0.2, 0.0, 0.1}});
  const auto run = [&](bem::Backend& backend, bool rigid) {
    const auto panels_at = [&](double time) {
      meshes::SurfaceMesh placed = mesh;
      for (Vec3d& each : placed.nodes) each = motion.place(time, each);
      bem::MovingPanels made{
          bem::make_panels(placed, bem::PanelGeometry::curved, {}, bem::panel_fit(backend)),
          {motion.at(time)},
          {},
          rigid};
      made.motion.assign(made.panels.size(), 0);
      return made;
    };
    bem::VortexBody body(backend, panels_at, options());
    bem::SheddingWall wall(body, {.distance = 0.1, .core_radius = 0.2});
    bem::VortexFlowOptions flow_options;
    flow_options.system = {
        .stretching = bem::Stretching::classic, .sum = options().sum, .surroundings = &body};
    bem::VortexFlow flow(backend, wall.shed_into({}), flow_options, &wall);
    flow.advance(0.05);
    return flow.system().particles();
  };
  for (const bool rigid : {false, true}) {
    const bem::VortexParticles here = run(*bem::make_cpu_backend(), rigid),
                               there = run(*make_cuda_backend(), rigid);
    // As above, for panels that each backend fits itself.
    EXPECT_LE(relative_error(components_of(there.positions), components_of(here.positions)), 1e-8);
    EXPECT_LE(relative_error(components_of(there.strengths), components_of(here.strengths)), 1e-7);
  }
}

// A body and its image.
TEST_F(VortexBodyOnDevice, ShedsBesideAPlaneWhatTheHostDoes) {
  const meshes::Symmetry planes({{.axis = 1, .place = -1.2}});
  const auto run = [&](bem::Backend& backend) {
    bem::VortexBody body(backend,
                         bem::make_panels(meshes::make_ellipsoid(1280, {1.0, 1.0, 0.3}),
                                          bem::PanelGeometry::curved, planes),
                         options());
    bem::SheddingWall wall(body, {.distance = 0.1, .core_radius = 0.15});
    bem::VortexSystem system(
        backend, wall.shed_into({}),
        {.relaxation = 1.0, .sum = options().sum, .surroundings = &body, .symmetry = planes});
    system.advance(0.05);
    return system.particles();
  };
  const bem::VortexParticles here = run(*bem::make_cpu_backend()),
                             there = run(*make_cuda_backend());
  EXPECT_LE(relative_error(components_of(there.positions), components_of(here.positions)), 1e-8);
  EXPECT_LE(relative_error(components_of(there.strengths), components_of(here.strengths)), 1e-7);
}

// A sheet around a body, particles of former steps and lattice points that are added.
TEST_F(VortexBodyOnDevice, DiffusesWhatTheHostDoes) {
  constexpr double spacing = 0.15, viscosity = 0.01, step = 0.05;
  const auto host = bem::make_cpu_backend();
  bem::VortexBody body(*host, bem::make_panels(meshes::make_ellipsoid(1280, {1.0, 1.0, 0.3})),
                       options());
  bem::SheddingWall wall(body, {.distance = 0.1, .core_radius = spacing});
  bem::RedistributionOptions diffusion{.viscosity = viscosity,
                                       .spacing = spacing,
                                       .core_radius = spacing,
                                       .smagorinsky = 0.2,
                                       .wall = wall.search(3.0 * spacing)};
  bem::VortexParticles here = wall.shed_into({});
  bem::redistribute(here, 0, step, diffusion);
  const std::size_t sheet = here.positions.size();
  here = wall.shed_into(here);
  const auto device = make_cuda_backend();
  bem::VortexArrays arrays = bem::uploaded(*device, here);
  const auto at_home = bem::redistribute(here, sheet, step, diffusion);
  const auto on_device = device->redistribute(arrays, sheet, step, diffusion);
  const bem::VortexParticles there = bem::downloaded(*device, arrays);
  EXPECT_GT(at_home.added, 0u);
  EXPECT_GT(at_home.removed, 0u);
  EXPECT_EQ(on_device.added, at_home.added);
  EXPECT_EQ(on_device.removed, at_home.removed);
  EXPECT_EQ(on_device.left_out, at_home.left_out);
  EXPECT_EQ(there.positions, here.positions);
  // Moments are met to 1e-12, in units of the radius.
  EXPECT_LE(relative_error(components_of(there.strengths), components_of(here.strengths)), 1e-9);
}

// A ring that reaches across two planes.
TEST_F(VortexBodyOnDevice, DiffusesBesidePlanesWhatTheHostDoes) {
  constexpr double spacing = 0.15, step = 0.2 * spacing * spacing;
  const bem::RedistributionOptions diffusion{
      .viscosity = 0.5,
      .spacing = spacing,
      .core_radius = spacing,
      .symmetry = meshes::Symmetry({{.axis = 0, .place = 0.1}, {.axis = 2, .place = -0.2}}),
      .inside = {1.0, 0.0, 1.0}};
  bem::VortexParticles here =
      bem::vortex_rings({{.radius = 0.5, .centre = {0.5, 0.2, 0.2}, .axis = {-1.0, 0.4, -0.5}}}, 40,
                        spacing, fmm::Kernel::vortex_exponential);
  const auto device = make_cuda_backend();
  bem::VortexArrays arrays = bem::uploaded(*device, here);
  for (int part = 0; part < 2; ++part) {
    const auto at_home = bem::redistribute(here, here.positions.size(), step, diffusion);
    const auto on_device = device->redistribute(arrays, arrays.size(), step, diffusion);
    EXPECT_EQ(on_device.added, at_home.added);
    EXPECT_EQ(on_device.left_out, at_home.left_out);
  }
  const bem::VortexParticles there = bem::downloaded(*device, arrays);
  // Images and places on the lattice are rounded once on a device, twice on the host.
  ASSERT_EQ(there.positions.size(), here.positions.size());
  EXPECT_LE(relative_error(components_of(there.positions), components_of(here.positions)), 1e-15);
  EXPECT_LE(relative_error(components_of(there.strengths), components_of(here.strengths)), 1e-9);
}

}  // namespace
}  // namespace rankine::gpu
