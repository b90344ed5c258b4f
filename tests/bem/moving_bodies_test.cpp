// Bodies that move among vortices: prescribed motions, a sphere that turns against its exact field,
// Galilei's invariance, and what a wall sheds when it begins to move.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/prescribed_motion.hpp"
#include "rankine/bem/particles/shedding_wall.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

/// The shape, as the motion moves it.
std::function<MovingPanels(double)> moving(const meshes::SurfaceMesh& mesh,
                                           const PrescribedMotion& motion, bool rigid = true) {
  return [mesh, motion, rigid](double time) {
    meshes::SurfaceMesh placed = mesh;
    for (Vec3d& each : placed.nodes) each = motion.place(time, each);
    MovingPanels made{make_panels(placed), {motion.at(time)}, {}, rigid};
    made.motion.assign(made.panels.size(), 0);
    return made;
  };
}

VortexBodyOptions direct_options(const Vec3d& stream = {}) {
  VortexBodyOptions options;
  options.stream = stream;
  options.solve.gmres.tolerance = 1e-7;
  options.solve.fmm.tolerance = 1e-8;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  options.sum.method = fmm::Method::direct;
  return options;
}

Vec3d sum_of(const std::vector<Vec3d>& vectors) {
  Vec3d sum{};
  for (const Vec3d& each : vectors) sum += each;
  return sum;
}

// A body rolls along a curve and turns about an axis that turns itself.
std::vector<MotionSample> rolling(int intervals) {
  std::vector<MotionSample> samples;
  for (int k = 0; k <= intervals; ++k) {
    const double t = 2.0 * k / intervals;
    samples.push_back(
        {t, {std::sin(t), 0.3 * t * t, std::cos(2.0 * t)}, {0.5 * t, std::sin(t), -t * t}});
  }
  return samples;
}

TEST(PrescribedMotion, HasTheVelocityOfItsPlaces) {
  const PrescribedMotion motions[]{PrescribedMotion({.velocity = {1.0, 0.5, -2.0},
                                                     .angular_velocity = {0.3, -1.0, 2.0},
                                                     .centre = {0.5, 0.0, 1.0}}),
                                   PrescribedMotion(rolling(7), {0.5, 0.0, 1.0})};
  constexpr double h = 1e-5;
  for (const PrescribedMotion& motion : motions) {
    for (const double t : {0.1, 0.95, 1.9}) {
      for (const Vec3d& x : {Vec3d{}, Vec3d{1.0, -2.0, 0.5}}) {
        const Vec3d rate = (motion.place(t + h, x) - motion.place(t - h, x)) / (2.0 * h);
        EXPECT_LE(norm(motion.at(t).at(motion.place(t, x)) - rate), 1e-8);
      }
      // It is rigid.
      EXPECT_NEAR(norm(motion.place(t, {1.0, 2.0, 3.0}) - motion.place(t, {})), std::sqrt(14.0),
                  1e-13);
    }
  }
}

TEST(PrescribedMotion, IsOfThirdOrderInTheTimesOfItsTable) {
  const auto error = [](int intervals) {
    const PrescribedMotion motion(rolling(intervals), {});
    double largest = 0.0;
    for (int k = 0; k < 200; ++k) {
      const double t = 0.01 * k;
      const Vec3d exact{std::sin(t), 0.3 * t * t, std::cos(2.0 * t)};
      largest = std::max(largest, norm(motion.place(t, {}) - exact));
    }
    return largest;
  };
  EXPECT_GE(std::log2(error(20) / error(40)), 2.7);
}

TEST(PrescribedMotion, RestsOutsideItsTable) {
  const PrescribedMotion motion({{1.0, {0.0, 0.0, 0.0}, {}}, {2.0, {1.0, 0.0, 0.0}, {}}}, {});
  EXPECT_EQ(motion.place(0.5, {3.0, 0.0, 0.0}), (Vec3d{3.0, 0.0, 0.0}));
  EXPECT_EQ(motion.at(0.5).velocity, Vec3d{});
  EXPECT_EQ(motion.place(7.0, {3.0, 0.0, 0.0}), (Vec3d{4.0, 0.0, 0.0}));
  EXPECT_EQ(motion.at(7.0).velocity, Vec3d{});
  EXPECT_THROW(PrescribedMotion({{1.0, {}, {}}}, {}), InputError);
  EXPECT_THROW(PrescribedMotion({{1.0, {}, {}}, {1.0, {}, {}}}, {}), InputError);
}

// A sphere that turns about a point beside it moves as its centre does: turning about the centre
// moves no fluid.
TEST(MovingBody, IsOfNoCirculationBeforeItSheds) {
  const auto backend = make_cpu_backend();
  const RigidMotion about{.angular_velocity = {0.0, 0.0, 2.0}, .centre = {0.0, -3.0, 0.0}};
  VortexBody body(*backend, moving(meshes::make_sphere(320), PrescribedMotion(about)),
                  direct_options());
  const Vec3d velocity = about.at({});
  const Panels& panels = body.panels();
  for (std::size_t i = 0; i < panels.size(); i += 17) {
    const double phi = -0.5 * dot(velocity, normalized(panels.centroid[i]));
    EXPECT_NEAR(body.potential()[i], phi, 0.01 * norm(velocity));
  }
  EXPECT_LE(norm(body.solid_vorticity() - Vec3d{0.0, 0.0, 16.0 * pi / 3.0}), 0.01 * 16.0);
  EXPECT_LE(norm(body.solid_impulse() - 4.0 * pi / 3.0 * velocity), 0.01 * 4.0 * norm(velocity));
}

// The vorticity 2 Omega inside a sphere alone: 2/3 Omega x r at its surface, which falls as 1/r^2.
TEST(MovingBody, HasTheVelocityOfTheVorticityInside) {
  const auto backend = make_cpu_backend();
  const Vec3d rotation{0.5, -1.0, 2.0};
  double error[2];
  for (int fine = 0; fine < 2; ++fine) {
    VortexBody body(*backend,
                    moving(meshes::make_sphere(fine == 0 ? 320 : 1280),
                           PrescribedMotion({.angular_velocity = rotation})),
                    direct_options());
    body.shed_rotation();
    body.solve(VortexParticles{});
    error[fine] = 0.0;
    const std::vector<Vec3d> points{{0.0, 1.3, 0.0}, {1.0, 1.0, -1.5}};
    const std::vector<Vec3d> found = body.perturbation_at(points).gradient;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double r = norm(points[i]);
      error[fine] = std::max(error[fine],
                             norm(found[i] - 2.0 / (3.0 * r * r * r) * cross(rotation, points[i])));
    }
    const std::vector<Vec3d> slip = body.surface_velocity();
    for (std::size_t i = 0; i < slip.size(); ++i) {
      const Vec3d exact = -1.0 / 3.0 * cross(rotation, normalized(body.panels().centroid[i]));
      error[fine] = std::max(error[fine], norm(slip[i] - exact));
    }
  }
  EXPECT_LE(error[1], 2e-3 * norm(rotation));
  EXPECT_GE(std::log2(error[0] / error[1]), 1.8);
}

// A sheet as in vortex_body_test.cpp: of a sphere that turns, on a sphere of radius r, it makes
// inside the fraction 1/r^3 of the velocity that it should, which is a third of the wall's.
TEST(MovingBody, ShedsTheSheetOfItsRotation) {
  const auto backend = make_cpu_backend();
  const Vec3d rotation{0.0, 0.6, 0.8};
  VortexBody body(
      *backend, moving(meshes::make_sphere(1280), PrescribedMotion({.angular_velocity = rotation})),
      direct_options());
  SheddingWall wall(body, {.distance = 0.1, .core_radius = 0.15});
  const VortexParticles particles = wall.shed_into({});
  EXPECT_LE(norm(sum_of(particles.strengths) + 8.0 * pi / 3.0 * rotation), 0.01 * 8.0);
  EXPECT_LE(wall.record().correction, 1e-3);  // the sheet has this sum by itself
  body.solve(particles);
  const double left = (1.0 - std::pow(1.1, -3)) / 3.0;
  EXPECT_NEAR(wall.slip(particles).rms / wall.record().first_slip, left, 0.01);
  // Far away the sheet and the vorticity inside cancel.
  const Vec3d at{3.0, 0.0, 0.0};
  const Vec3d inside = body.perturbation_at(std::vector{at}).gradient.front();
  Vec3d sheet{};
  for (std::size_t j = 0; j < particles.positions.size(); ++j) {
    const Vec3d r = at - particles.positions[j];
    sheet += 0.25 / pi / std::pow(norm(r), 3) * cross(particles.strengths[j], r);
  }
  EXPECT_LE(norm(inside + sheet), 0.02 * norm(sheet));
}

// A body in a stream, and one that moves through fluid at rest.
TEST(MovingBody, IsTheSameInEveryFrame) {
  const auto backend = make_cpu_backend();
  const Vec3d velocity{0.5, 0.2, -0.4};
  constexpr double step = 0.05;
  const meshes::SurfaceMesh mesh = meshes::make_ellipsoid(320, {1.0, 0.8, 0.6});
  const auto run = [&](VortexBody& body) {
    SheddingWall wall(body, {.distance = 0.1, .core_radius = 0.2});
    VortexFlowOptions options;
    options.system = {
        .stretching = Stretching::classic, .sum = direct_options().sum, .surroundings = &body};
    VortexFlow flow(*backend, wall.shed_into({}), options, &wall);
    for (int k = 0; k < 2; ++k) flow.advance(step);
    return flow.system().particles();
  };
  VortexBody rests(*backend, make_panels(mesh), direct_options(-velocity));
  VortexBody moves(*backend, moving(mesh, PrescribedMotion({.velocity = velocity})),
                   direct_options());
  const VortexParticles here = run(rests), there = run(moves);
  ASSERT_EQ(here.positions.size(), 3 * rests.panels().size());
  ASSERT_EQ(there.positions.size(), here.positions.size());
  double strongest = 0.0;
  for (const Vec3d& each : here.strengths) strongest = std::max(strongest, norm(each));
  for (std::size_t i = 0; i < here.positions.size(); ++i) {
    EXPECT_LE(norm(there.positions[i] - 2.0 * step * velocity - here.positions[i]), 1e-6);
    EXPECT_LE(norm(there.strengths[i] - here.strengths[i]), 1e-5 * strongest);
  }
}

// A sphere that turns by half a radian in every step. Sheets contain a sum of the slips that
// earlier sheets have left, which turn with the wall: 0.41 of the first is left, and 0.83 if they
// did not turn.
TEST(MovingBody, AnticipatesSlipsThatTurnWithIt) {
  constexpr double spacing = 0.2, viscosity = 0.1, step = 0.05;
  const auto backend = make_cpu_backend();
  VortexBodyOptions options = direct_options();
  options.solve.gmres.tolerance = options.solve.fmm.tolerance = 1e-4;
  VortexBody body(
      *backend,
      moving(meshes::make_sphere(320), PrescribedMotion({.angular_velocity = {0.0, 6.0, 8.0}})),
      options);
  SheddingWall wall(body, {.distance = 0.5 * spacing, .core_radius = spacing});
  VortexFlowOptions flow_options{
      .system = {.stretching = Stretching::classic, .sum = options.sum, .surroundings = &body},
      .viscosity = viscosity,
      .redistributes = true};
  flow_options.redistribution = {
      .viscosity = viscosity, .spacing = spacing, .core_radius = spacing};
  VortexFlow flow(*backend, wall.shed_into({}), flow_options, &wall);
  std::vector<double> left;
  for (int k = 0; k < 4; ++k) {
    flow.advance(step);
    const VortexParticles particles = flow.system().particles();
    body.solve(particles);
    left.push_back(wall.slip(particles).rms);
  }
  EXPECT_LE(left.back(), 0.5 * left.front());
}

// The equations of a rigid body are those of its first position.
TEST(MovingBody, NeedsNoNewEquations) {
  const auto backend = make_cpu_backend();
  const meshes::SurfaceMesh mesh = meshes::make_ellipsoid(320, {1.0, 0.8, 0.6});
  const PrescribedMotion motion({.velocity = {0.5, 0.2, -0.4},
                                 .angular_velocity = {1.0, 2.0, -3.0},
                                 .centre = {0.1, 0.2, 0.0}});
  VortexBody kept(*backend, moving(mesh, motion, true), direct_options()),
      renewed(*backend, moving(mesh, motion, false), direct_options());
  const VortexParticles passing{{{0.0, 0.0, 1.5}}, {{1.0, -0.5, 0.3}}, {0.2}};
  std::vector<Vec3d> slip[2];
  for (VortexBody* const body : {&kept, &renewed}) {
    body->shed_rotation();
    body->move_to(0.7);
    body->solve(passing);
    slip[body == &kept ? 0 : 1] = body->surface_velocity();
  }
  for (std::size_t i = 0; i < slip[0].size(); ++i)
    EXPECT_LE(norm(slip[0][i] - slip[1][i]), 1e-5) << i;
}

// Half of the mass of the fluid that a sphere displaces is added to it.
TEST(MovingBody, NeedsTheForceOfItsAddedMassToStart) {
  const auto backend = make_cpu_backend();
  const Vec3d velocity{0.5, 0.2, -0.4};
  VortexBody body(*backend,
                  moving(meshes::make_sphere(1280), PrescribedMotion({.velocity = velocity})),
                  direct_options());
  SheddingWall wall(body, {.distance = 0.1, .core_radius = 0.2});
  wall.shed_into({});
  const Vec3d on_body = body.solid_impulse() - wall.record().impulse;
  EXPECT_LE(norm(on_body + 2.0 * pi / 3.0 * velocity), 0.01 * 2.0);
}

}  // namespace
}  // namespace rankine::bem
