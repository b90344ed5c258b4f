// Vortices and bodies with their images in symmetry planes, against the whole flows.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/prescribed_motion.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"
#include "tests/support/vortex_parts.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;
using testing::no_sheet;

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

/// Of all particles at a point: some that are removed later and their successors coincide.
Vec3d strength_at(const Vec3d& point, const VortexParticles& particles) {
  Vec3d sum{};
  for (std::size_t j = 0; j < particles.positions.size(); ++j) {
    if (norm(particles.positions[j] - point) < 1e-12) sum += particles.strengths[j];
  }
  return sum;
}

// Particles that are added, receive, are given to others and have crossed the planes.
TEST(RedistributionWithPlanes, IsPartOfTheWhole) {
  constexpr double spacing = 0.25;
  // The lattice of the whole is also its own image in these planes.
  const meshes::SymmetryPlane x{.axis = 0, .place = 0.5 * spacing},
      z{.axis = 2, .place = -1.5 * spacing};
  for (const Symmetry& planes : {Symmetry({x}), Symmetry({x, z})}) {
    for (const Vec3d& inside : {Vec3d{3.0, 0.0, 3.0}, Vec3d{-3.0, 0.0, -3.0}}) {
      Uniform uniform(7);
      VortexParticles part;
      for (int i = 0; i < 40; ++i) {
        Vec3d at{}, strength{};
        for (int axis = 0; axis < 3; ++axis) {
          at[axis] = uniform.between(-2.0 * spacing, 2.0 * spacing);
          strength[axis] = uniform.between(-1.0, 1.0);
        }
        for (const meshes::SymmetryPlane& each : planes.planes()) {
          // Outside by a little; those closer to a plane would merge with their images.
          const double off = std::abs(at[each.axis]) + 0.25 * spacing, side = i < 3 ? -1.0 : 1.0;
          at[each.axis] = each.place + std::copysign(off, side * inside[each.axis]);
        }
        part.positions.push_back(at);
        part.strengths.push_back(strength);
        part.core_radii.push_back(spacing);
      }
      VortexParticles whole = with_images(planes, part);
      RedistributionOptions options;
      options.viscosity = 0.5;
      options.spacing = options.core_radius = spacing;
      options.smagorinsky = 0.01;
      RedistributionOptions half = options;
      half.symmetry = planes;
      half.inside = inside;
      RedistributionRecord of_part, of_whole;
      for (int step = 0; step < 3; ++step) {
        of_part = redistribute(part, no_sheet, 0.1 * spacing * spacing, half);
        of_whole = redistribute(whole, no_sheet, 0.1 * spacing * spacing, options);
      }
      EXPECT_EQ(of_part.left_out, 0u);
      EXPECT_GT(part.positions.size(), 150u);
      const auto images = static_cast<std::size_t>(planes.images());
      ASSERT_EQ(images * part.positions.size(), whole.positions.size());
      for (std::size_t i = 0; i < part.positions.size(); ++i) {
        const Vec3d& at = part.positions[i];
        EXPECT_EQ(planes.image_towards(inside, at), 0);
        EXPECT_LE(norm(strength_at(at, whole) - strength_at(at, part)), 1e-11);
      }
    }
  }
}

enum class Diffuses { by_cores, by_redistribution };

/// Flow about a body of 384 panels, or a part of it, that sheds and whose vortices diffuse, after
/// three steps.
struct Shed {
  Shed(const meshes::SurfaceMesh& mesh, const Symmetry& symmetry, Diffuses diffuses,
       const std::vector<RigidMotion>& motions = {}) {
    const auto backend = make_cpu_backend();
    VortexBodyOptions options;
    options.stream = {1.0, 0.0, 0.0};
    options.solve.gmres.tolerance = 1e-9;
    options.solve.fmm = {.method = fmm::Method::direct};
    options.sum = sums(fmm::Method::direct);
    const auto panels_at = [&](double time) {
      meshes::SurfaceMesh placed = mesh;
      MovingPanels made;
      for (const RigidMotion& each : motions)
        made.motions.push_back(PrescribedMotion(each).at(time));
      for (std::size_t e = 0; e < mesh.elements.size() && !motions.empty(); ++e) {
        made.motion.push_back(mesh.patch[e]);
        const PrescribedMotion motion(motions[static_cast<std::size_t>(mesh.patch[e])]);
        for (int k = 0; k < meshes::corner_count(mesh.elements[e]); ++k) {
          const auto n = static_cast<std::size_t>(mesh.elements[e][k]);
          placed.nodes[n] = motion.place(time, mesh.nodes[n]);
        }
      }
      made.panels = make_panels(placed, PanelGeometry::curved, symmetry);
      return made;
    };
    VortexBody body(*backend, panels_at, options);
    SheddingWall wall(body, {.distance = 0.1, .core_radius = sigma});
    VortexFlow flow(*backend, wall.shed_into({}),
                    {.system = {.stretching = Stretching::classic,
                                .sum = options.sum,
                                .surroundings = &body,
                                .symmetry = symmetry},
                     .viscosity = 0.01,
                     .redistributes = diffuses == Diffuses::by_redistribution,
                     .redistribution = {.viscosity = 0.01, .spacing = sigma, .core_radius = sigma}},
                    &wall);
    for (int step = 0; step < 2; ++step) flow.advance(0.05);
    const VortexParticles particles = flow.system().particles();
    const std::vector<Vec3d> velocities = flow.system().velocities();
    images = symmetry.images();
    count = particles.positions.size();
    monitors = monitor(particles, velocities, symmetry.origin());
    vorticity = symmetric_vorticity(symmetry, monitors.total_vorticity);
    slip = wall.slip(particles).rms;
    first_slip = wall.record().first_slip;
    sheets = symmetry.common_part(wall.record().impulse);
    solid_vorticity = symmetric_vorticity(symmetry, body.solid_vorticity());
    // The sum does not depend on the origin.
    impulse = symmetry.common_part(body.solid_impulse() - monitors.impulse);
    at_points = flow.system().field_at(points).velocity;
    const std::vector<Vec3d> around = body.perturbation_at(points).gradient;
    for (std::size_t i = 0; i < points.size(); ++i) at_points[i] += around[i];
  }

  std::vector<Vec3d> points{{1.4, 0.3, 0.2}, {-1.2, 0.1, 0.5}, {0.2, 1.3, 0.05}, {0.5, 1.0, 0.0}};
  int images = 1;
  std::size_t count = 0;
  VortexMonitors monitors;
  Vec3d vorticity{}, solid_vorticity{}, impulse{}, sheets{};
  double slip = 0.0, first_slip = 0.0;
  std::vector<Vec3d> at_points;
};

void expect_part(const Shed& part, const Shed& whole) {
  // Panels solve for both with differences of 1e-6, which grow near the wall.
  EXPECT_EQ(part.images * part.count, whole.count);
  const double strength = whole.monitors.strength;
  EXPECT_NEAR(part.images * part.monitors.strength, strength, 1e-5 * strength);
  EXPECT_LE(norm(part.images * part.impulse - whole.impulse), 1e-5 * norm(whole.impulse));
  EXPECT_LE(norm(part.vorticity + part.solid_vorticity), 1e-12);
  EXPECT_LE(norm(part.images * part.solid_vorticity - whole.solid_vorticity), 1e-12);
  EXPECT_NEAR(part.slip, whole.slip, 1e-5 * whole.first_slip);
  for (std::size_t i = 0; i < part.points.size(); ++i)
    EXPECT_LE(norm(part.at_points[i] - whole.at_points[i]), 1e-3);
}

/// The part of a body on one side of planes in which the lattice of the whole is its own image. The
/// body has no other symmetry: between particles of equal strength, rounding would decide which one
/// is given to the others.
struct PartOfBody {
  explicit PartOfBody(const std::vector<int>& axes)
      : mesh(testing::positive_part(testing::cubed_sphere(384), axes)) {
    std::vector<meshes::SymmetryPlane> planes;
    for (const int axis : axes) planes.push_back({.axis = axis, .place = 0.5 * sigma});
    symmetry = Symmetry(planes);
    for (Vec3d& each : mesh.nodes) {
      each = Vec3d{each.x + 0.1 * each.x * each.x, (0.9 + 0.05 * each.x) * each.y, each.z} +
             symmetry.origin();
    }
    meshes::meet_planes(mesh, symmetry);
  }
  meshes::SurfaceMesh mesh;
  Symmetry symmetry;
};

TEST(SheddingWithPlanes, IsPartOfTheWhole) {
  for (const std::vector<int>& axes : {std::vector<int>{2}, {1, 2}}) {
    const PartOfBody half(axes);
    for (const Diffuses diffuses : {Diffuses::by_cores, Diffuses::by_redistribution}) {
      const Shed part(half.mesh, half.symmetry, diffuses),
          whole(testing::with_images(half.mesh, half.symmetry), {}, diffuses);
      expect_part(part, whole);
      EXPECT_LE(norm(part.images * part.sheets - whole.sheets), 1e-5 * norm(whole.sheets));
    }
  }
}

TEST(SheddingWithPlanes, OfABodyThatMovesIsPartOfTheWhole) {
  const PartOfBody half({2});
  const std::vector<RigidMotion> motions{
      {.velocity = {0.2, -0.5, 0.0}, .angular_velocity = {0.0, 0.0, 2.0}, .centre = {0.3, 0, 0}}};
  const Shed part(half.mesh, half.symmetry, Diffuses::by_redistribution, motions),
      whole(testing::with_images(half.mesh, half.symmetry), {}, Diffuses::by_redistribution,
            motions);
  EXPECT_GT(norm(part.solid_vorticity), 1.0);
  expect_part(part, whole);
}

// A sphere away from the plane, which moves and turns in any direction, and its image.
TEST(SheddingWithPlanes, OfABodyAndItsImageIsPartOfBoth) {
  const Symmetry symmetry({{.axis = 2, .place = -6.5 * sigma}});
  const meshes::SurfaceMesh mesh = meshes::make_sphere(80);
  meshes::SurfaceMesh both = testing::with_images(mesh, symmetry);
  for (std::size_t e = mesh.elements.size(); e < both.elements.size(); ++e) both.patch[e] = 1;
  const RigidMotion motion{
      .velocity = {0.2, -0.5, 0.3}, .angular_velocity = {1.0, -0.5, 2.0}, .centre = {0.3, 0.1, 0}};
  const RigidMotion image{.velocity = symmetry.vector(1, motion.velocity),
                          .angular_velocity = -symmetry.vector(1, motion.angular_velocity),
                          .centre = symmetry.point(1, motion.centre)};
  const Shed part(mesh, symmetry, Diffuses::by_redistribution, {motion}),
      whole(both, {}, Diffuses::by_redistribution, {motion, image});
  expect_part(part, whole);
}

}  // namespace
}  // namespace rankine::bem
