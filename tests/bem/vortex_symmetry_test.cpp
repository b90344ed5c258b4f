// Vortices and bodies with their images in symmetry planes, against the whole flows.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;

constexpr double sigma = 0.2;

fmm::Options sums(fmm::Method method) {
  return {.method = method,
          .kernel = fmm::Kernel::vortex_exponential,
          .tolerance = 1e-6,
          .direct_pairs = 0};
}

/// A ring that flies obliquely towards the walls x = 0.1 and z = -0.2.
VortexParticles ring() {
  return vortex_rings(
      {{.radius = 0.5, .circulation = 1.0, .centre = {1.0, 0.2, 0.8}, .axis = {-1.0, 0.4, -0.5}}},
      60, sigma, fmm::Kernel::vortex_exponential);
}

class RingBesideWalls : public ::testing::TestWithParam<fmm::Method> {};

TEST_P(RingBesideWalls, MovesAsBesideItsImages) {
  const auto backend = make_cpu_backend();
  for (const Symmetry& walls :
       {Symmetry({{.axis = 0, .place = 0.1}}),
        Symmetry({{.axis = 0, .place = 0.1}, {.axis = 2, .place = -0.2}})}) {
    const VortexOptions whole{.relaxation = 0.5, .sum = sums(GetParam())};
    VortexOptions half = whole;
    half.symmetry = walls;
    VortexSystem part(*backend, ring(), half), all(*backend, with_images(walls, ring()), whole);
    for (int step = 0; step < 3; ++step) {
      part.advance(0.2);
      all.advance(0.2);
    }
    const VortexParticles found = part.particles(), expected = all.particles(), start = ring();
    const std::vector<Vec3d> velocities = part.velocities(), of_all = all.velocities();
    const double tolerance = GetParam() == fmm::Method::direct ? 1e-12 : 1e-5;
    double moved = 0.0;
    for (std::size_t i = 0; i < found.positions.size(); ++i) {
      EXPECT_LE(norm(found.positions[i] - expected.positions[i]), tolerance) << i;
      EXPECT_LE(norm(found.strengths[i] - expected.strengths[i]), tolerance) << i;
      EXPECT_LE(norm(velocities[i] - of_all[i]), tolerance) << i;
      moved = std::max(moved, norm(found.positions[i] - start.positions[i]));
    }
    EXPECT_GT(moved, 0.1);
    // No flow through the walls.
    const std::vector<Vec3d> on_wall{{0.1, 0.3, 0.4}, {0.1, -0.2, 1.0}};
    for (const Vec3d& u : part.field_at(on_wall).velocity)
      EXPECT_LE(std::abs(u.x), std::max(1e-14, tolerance));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RingBesideWalls,
                         ::testing::Values(fmm::Method::direct, fmm::Method::fmm));

/// Flow about a sphere of 384 panels, or a part of it, that sheds and whose vortices diffuse by
/// growing cores, after three steps.
struct Shed {
  Shed(const meshes::SurfaceMesh& mesh, const Symmetry& symmetry) {
    const auto backend = make_cpu_backend();
    VortexBodyOptions options;
    options.stream = {1.0, 0.0, 0.0};
    options.solve.gmres.tolerance = 1e-9;
    options.solve.fmm = {.method = fmm::Method::direct};
    options.sum = sums(fmm::Method::direct);
    VortexBody body(*backend, make_panels(mesh, PanelGeometry::curved, symmetry), options);
    SheddingWall wall(body, {.distance = 0.1, .core_radius = sigma});
    VortexFlow flow(*backend, wall.shed_into({}),
                    {.system = {.stretching = Stretching::classic,
                                .sum = options.sum,
                                .surroundings = &body,
                                .symmetry = symmetry},
                     .viscosity = 0.01},
                    &wall);
    for (int step = 0; step < 3; ++step) flow.advance(0.05);
    const VortexParticles particles = flow.system().particles();
    const std::vector<Vec3d> velocities = flow.system().velocities();
    images = symmetry.images();
    count = particles.positions.size();
    monitors = monitor(particles, velocities);
    vorticity = symmetric_vorticity(symmetry, monitors.total_vorticity);
    slip = wall.slip(particles).rms;
    at_points = flow.system().field_at(points).velocity;
    const std::vector<Vec3d> around = body.velocity_at(points);
    for (std::size_t i = 0; i < points.size(); ++i) at_points[i] += around[i];
  }

  std::vector<Vec3d> points{{1.4, 0.3, 0.2}, {-1.2, 0.1, 0.5}, {0.2, 1.3, 0.05}, {0.5, 1.0, 0.0}};
  int images = 1;
  std::size_t count = 0;
  VortexMonitors monitors;
  Vec3d vorticity{};
  double slip = 0.0;
  std::vector<Vec3d> at_points;
};

TEST(SheddingWithPlanes, IsPartOfTheWhole) {
  for (const std::vector<int>& axes : {std::vector<int>{2}, {1, 2}}) {
    std::vector<meshes::SymmetryPlane> planes;
    for (const int axis : axes) planes.push_back({.axis = axis});
    const Symmetry symmetry(planes);
    meshes::SurfaceMesh mesh = testing::positive_part(testing::cubed_sphere(384), axes);
    meshes::meet_planes(mesh, symmetry);
    const Shed part(mesh, symmetry), whole(testing::with_images(mesh, symmetry), {});
    // Panels solve for both with differences of 1e-6, which grow near the wall.
    EXPECT_EQ(part.images * part.count, whole.count);
    const double strength = whole.monitors.strength;
    EXPECT_NEAR(part.images * part.monitors.strength, strength, 1e-5 * strength);
    EXPECT_NEAR(part.images * part.monitors.impulse.x, whole.monitors.impulse.x,
                1e-5 * norm(whole.monitors.impulse));
    EXPECT_LE(norm(part.vorticity), 1e-12);
    EXPECT_NEAR(part.slip, whole.slip, 1e-5);
    for (std::size_t i = 0; i < part.points.size(); ++i)
      EXPECT_LE(norm(part.at_points[i] - whole.at_points[i]), 1e-3);
  }
}

}  // namespace
}  // namespace rankine::bem
