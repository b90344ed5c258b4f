// Bodies among vortex particles: a sphere beside vortices against Weiss's theorem, what flows
// through walls, warm starts, the slip's vorticity.
#include "rankine/bem/particles/shedding_wall.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/sphere_in_onset.hpp"
#include "tests/support/vortex_parts.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;
using testing::biot_savart;

constexpr double thin_core = 0.1;

VortexBodyOptions options_of(const Vec3d& stream = {}) {
  VortexBodyOptions options;
  options.stream = stream;
  options.solve.gmres.tolerance = 1e-6;
  options.solve.fmm.tolerance = 1e-7;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  options.sum.tolerance = 1e-7;
  return options;
}

/// A ring above the unit sphere, its axis not the sphere's, ten cores away and more.
VortexParticles ring_beside_sphere() {
  return vortex_rings(
      {{.radius = 0.8, .circulation = 1.5, .centre = {0.3, 0.2, 2.2}, .axis = {0.3, -0.2, 1.0}}},
      100, thin_core, fmm::Kernel::vortex_exponential);
}

double largest(const std::vector<Vec3d>& vectors) {
  double most = 0.0;
  for (const Vec3d& each : vectors) most = std::max(most, norm(each));
  return most;
}

TEST(VortexBody, IsTheSphereOfWeissBesideVortices) {
  const auto backend = make_cpu_backend();
  const Vec3d stream{0.5, 0.2, -0.3};
  const VortexParticles ring = ring_beside_sphere();
  const SphereInOnset exact([&](const Vec3d& x) { return stream + biot_savart(ring, x); });
  double potential[2], velocity[2];
  for (int fine = 0; fine < 2; ++fine) {
    VortexBody body(*backend, make_panels(meshes::make_sphere(fine == 0 ? 320 : 1280)),
                    options_of(stream));
    const BodySolve& solved = body.solve(ring);
    EXPECT_EQ(solved.gmres.status, GmresStatus::converged);
    const Panels& panels = body.panels();
    std::vector<double> phi;
    std::vector<Vec3d> u;
    for (const Vec3d& x : panels.centroid) {
      phi.push_back(exact.potential(normalized(x)));
      u.push_back(exact.velocity(normalized(x)));
    }
    potential[fine] = relative_error(panels.area, body.potential(), phi).l2;
    velocity[fine] = relative_error(panels.area, body.surface_velocity(), u).l2;
    const std::vector<Vec3d> points{{0.0, 1.3, 0.6}, {-1.5, 0.2, 0.1}, {0.4, 0.3, 1.4}};
    const std::vector<Vec3d> found = body.perturbation_at(points).gradient;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3d expected = exact.velocity(points[i]) - stream - biot_savart(ring, points[i]);
      EXPECT_LE(norm(found[i] - expected), (fine == 0 ? 0.02 : 0.005) * norm(expected));
    }
  }
  // Panels of second order: as good as in a stream alone (docs/validation.md).
  EXPECT_LE(potential[1], 2e-3);
  EXPECT_LE(velocity[1], 1e-2);
  EXPECT_GE(std::log2(potential[0] / potential[1]), 1.7);
  EXPECT_GE(std::log2(velocity[0] / velocity[1]), 1.5);
}

TEST(VortexBody, HasParticlesVelocityAtItsPanels) {
  const auto backend = make_cpu_backend();
  const VortexParticles ring = ring_beside_sphere();
  VortexBody body(*backend, make_panels(meshes::make_sphere(320)), options_of());
  body.solve(ring);
  std::vector<Vec3d> off = body.onset();
  for (std::size_t i = 0; i < off.size(); ++i)
    off[i] -= biot_savart(ring, body.panels().centroid[i]);
  EXPECT_LE(largest(off), 1e-6 * largest(body.onset()));
}

TEST(VortexBody, LetsNothingThrough) {
  const auto backend = make_cpu_backend();
  // Particles closer than a panel, over which their velocity varies.
  VortexParticles close = vortex_rings({{.radius = 1.0, .centre = {0.0, 0.0, 0.6}}}, 60, thin_core,
                                       fmm::Kernel::vortex_exponential);
  VortexBody body(*backend, make_panels(meshes::make_sphere(320)), options_of({1.0, 0.0, 0.0}));
  const BodySolve& solved = body.solve(close);
  double net = 0.0, either = 0.0;
  for (std::size_t i = 0; i < body.flux().size(); ++i) {
    net += body.panels().area[i] * body.flux()[i];
    either += body.panels().area[i] * std::abs(body.flux()[i]);
  }
  EXPECT_LE(std::abs(net), 1e-13 * either);
  EXPECT_LE(solved.net_flux, 1e-2);  // of the rule on panels of three cores
  EXPECT_GT(solved.net_flux, 1e-13);
}

TEST(VortexBody, StartsFromTheLastSolution) {
  const auto backend = make_cpu_backend();
  const VortexParticles ring = ring_beside_sphere();
  VortexParticles later = ring;
  for (Vec3d& x : later.positions) x += Vec3d{0.02, 0.0, 0.01};
  const VortexBodyOptions options = options_of({1.0, 0.0, 0.0});
  VortexBody warm(*backend, make_panels(meshes::make_ellipsoid(320, {1.0, 1.0, 0.3})), options),
      cold(*backend, make_panels(meshes::make_ellipsoid(320, {1.0, 1.0, 0.3})), options);
  warm.solve(ring);
  warm.solve(later);
  cold.start_from(std::vector<double>(cold.panels().size(), 0.0));
  cold.solve(later);
  EXPECT_LE(warm.last().gmres.iterations + 2, cold.last().gmres.iterations);
  const std::vector<double> a = warm.potential(), b = cold.potential();
  // Two residuals of 1e-6, a condition number below ten.
  EXPECT_LE(relative_error(warm.panels().area, a, b).l2, 2e-5);
  EXPECT_THROW(cold.start_from(std::vector<double>(3)), InputError);
}

/// A wall's stretching is the derivative of its velocity along a strength.
TEST(VortexBody, CarriesAndStretchesParticles) {
  const auto backend = make_cpu_backend();
  const Vec3d stream{0.0, 0.0, 1.0};
  VortexBody body(*backend, make_panels(meshes::make_sphere(1280)), options_of(stream));
  const VortexParticles weak{{{0.0, 0.9, 1.1}, {1.4, 0.2, -0.3}},
                             {{1e-9, 2e-9, -1e-9}, {0.0, 1e-9, 1e-9}},
                             {thin_core, thin_core}};
  Array velocity = backend->allocate(6), rate = backend->allocate(6);
  body.add_to(uploaded(*backend, weak), velocity, rate);
  const SphereFlow exact{.stream = stream};
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3d &x = weak.positions[i], &gamma = weak.strengths[i];
    const Vec3d u = downloaded_vectors(*backend, velocity)[i] / (4.0 * pi);
    EXPECT_LE(norm(u - exact.velocity(x)), 2e-3);
    const double h = 1e-4;
    const Vec3d way = h * normalized(gamma),
                along =
                    norm(gamma) / (2.0 * h) * (exact.velocity(x + way) - exact.velocity(x - way));
    const Vec3d found = downloaded_vectors(*backend, rate)[i] / (4.0 * pi);
    EXPECT_LE(norm(found - along), 1e-2 * norm(along));
  }
}

TEST(Shedding, TakesTheSlipAway) {
  const auto backend = make_cpu_backend();
  VortexBodyOptions options = options_of({0.5, 0.0, std::sqrt(0.75)});
  options.solve.gmres.tolerance = 1e-4;
  options.solve.fmm.tolerance = options.sum.tolerance = 1e-5;
  VortexBody body(*backend, make_panels(meshes::make_sphere(1280)), options);
  const std::vector<Vec3d> slip = body.surface_velocity();
  // A panel is 0.15 m wide.
  const ShedVortices made = shed(body.panels(), slip, {.distance = 0.1, .core_radius = 0.15});
  const VortexMonitors found = monitor(made.particles, std::vector<Vec3d>(slip.size()));
  EXPECT_LE(norm(found.total_vorticity), 1e-14 * found.strength);
  EXPECT_LE(made.correction, 1e-3);
  // Of the sheet on a sphere, 3/2 n x U dA: 2 pi r^3 U, and of the sphere as large as the
  // particles' a larger one.
  EXPECT_LE(norm(found.impulse + 2.0 * pi * 1.1 * options.stream), 0.02 * 2.0 * pi * 1.1);
}

// The sheet of a sphere, as large as at the wall but on a sphere of radius r, makes inside it the
// fraction 1/r^2 of the velocity that it should. Cores that reach into the wall change nothing.
TEST(Shedding, LeavesTheSlipOfASheetThatIsOffTheWall) {
  const auto backend = make_cpu_backend();
  VortexBodyOptions options = options_of({0.5, 0.0, std::sqrt(0.75)});
  options.solve.gmres.tolerance = 1e-4;
  options.solve.fmm.tolerance = options.sum.tolerance = 1e-5;
  for (const double distance : {0.05, 0.15}) {  // a panel is 0.15 m wide
    VortexBody body(*backend, make_panels(meshes::make_sphere(1280)), options);
    SheddingWall wall(body, {.distance = distance, .core_radius = 0.15});
    const VortexParticles particles = wall.shed_into({});
    body.solve(particles);
    const double r = 1.0 + distance, left = 1.0 - 1.0 / (r * r);
    const double first = wall.record().first_slip;
    EXPECT_NEAR(wall.slip(particles).rms / first, left, 0.01) << distance;
    EXPECT_LE(norm(wall.record().impulse + 2.0 * pi * options.stream), 0.01 * 2.0 * pi);
  }
}

// The mean distance of a sheet is below a spacing h after it was distributed. On a sphere it then
// removes at least m = 1/(1 + h)^2 = 0.69 of the slip. What is left after a step falls by (1 -
// m)^(1/2) = 0.55 at least if later sheets anticipate it; in two of five steps the flow may add to
// it.
TEST(Shedding, LeavesLessOfTheSlipStepByStep) {
  constexpr double spacing = 0.2;
  const auto backend = make_cpu_backend();
  VortexBodyOptions options = options_of({0.5, 0.0, std::sqrt(0.75)});
  options.solve.gmres.tolerance = 1e-4;
  options.solve.fmm.tolerance = options.sum.tolerance = 1e-5;
  VortexBody body(*backend, make_panels(meshes::make_sphere(320)), options);
  SheddingWall wall(body, {.distance = 0.5 * spacing, .core_radius = spacing});
  VortexFlowOptions flow_options{.system = {.sum = options.sum, .surroundings = &body},
                                 .viscosity = 0.1,
                                 .redistributes = true};
  flow_options.redistribution = {.viscosity = 0.1, .spacing = spacing, .core_radius = spacing};
  VortexFlow flow(*backend, wall.shed_into({}), flow_options, &wall);
  std::vector<double> left;
  for (int step = 0; step < 6; ++step) {
    flow.advance(0.05);
    const VortexParticles particles = flow.system().particles();
    body.solve(particles);
    left.push_back(wall.slip(particles).rms);
    Vec3d total{};
    for (const Vec3d& each : particles.strengths) total += each;
    EXPECT_LE(norm(total), 1e-12);
  }
  EXPECT_LE(left.back(), 0.31 * left.front());
}

// The sheets of the two faces of a plate along the stream leave what they would on a thick one, by
// the ends of the plate alone, however far their cores reach through it.
TEST(Shedding, LeavesAsMuchOfTheSlipOfAPlateOfAnyThickness) {
  constexpr double core_radius = 0.15;
  const auto backend = make_cpu_backend();
  VortexBodyOptions options = options_of({1.0, 0.0, 0.0});
  options.solve.gmres.tolerance = options.solve.fmm.tolerance = options.sum.tolerance = 1e-4;
  std::vector<double> left;
  for (const double thickness : {4.0, 1.0, 0.2}) {
    VortexBody body(
        *backend, make_panels(meshes::make_box(450, {2.0, 2.0, thickness * core_radius})), options);
    SheddingWall wall(body, {.distance = 0.5 * core_radius, .core_radius = core_radius});
    const Panels& panels = body.panels();
    const std::vector<Vec3d> before = body.surface_velocity();
    const VortexParticles particles = wall.shed_into({});
    body.solve(particles);
    const std::vector<Vec3d> behind = sheet_behind(panels, particles, body.core()),
                             after = body.surface_velocity();
    double was = 0.0, is = 0.0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d &x = panels.centroid[i], &n = panels.normal[i];
      if (std::abs(n.z) < 0.9 || std::hypot(x.x, x.y) > 0.5) continue;
      was += norm(before[i]);
      is += norm(after[i] + cross(n, behind[i]));
    }
    left.push_back(is / was);
  }
  for (const double each : left) EXPECT_NEAR(each, left[0], 0.004);
  // Two square sheets that are that much farther apart have smaller solid angles in the middle.
  EXPECT_NEAR(left[0], 4.0 * std::numbers::sqrt2 / pi * 0.5 * core_radius / 2.0, 0.02);
}

// Particles at one height over a plane: of a Gaussian core the fraction erfc(h / (2^(1/2) sigma)) /
// 2 is behind it, of any core half if they lie on it.
TEST(Shedding, FindsWhatCoresHaveBehindTheWall) {
  constexpr double spacing = 0.1, core_radius = 0.12;
  const Panels plate = make_panels(meshes::make_plate(200, 2.0, 2.0));
  const auto middle = static_cast<std::size_t>(
      std::min_element(plate.centroid.begin(), plate.centroid.end(),
                       [](const Vec3d& a, const Vec3d& b) { return dot(a, a) < dot(b, b); }) -
      plate.centroid.begin());
  const Vec3d strength{1.0, -2.0, 0.0}, normal = plate.normal[middle];
  for (const double height : {0.0, 0.5 * core_radius, 2.0 * core_radius}) {
    VortexParticles particles;
    for (int i = -20; i <= 20; ++i) {
      for (int j = -20; j <= 20; ++j) {
        particles.positions.push_back(Vec3d{i * spacing, j * spacing, 0.0} + height * normal);
        particles.strengths.push_back(spacing * spacing * strength);
        particles.core_radii.push_back(core_radius);
      }
    }
    const auto part = [&](fmm::Kernel core) {
      return sheet_behind(plate, particles, core)[middle];
    };
    const double behind = 0.5 * std::erfc(height / core_radius / std::numbers::sqrt2);
    EXPECT_LE(norm(part(fmm::Kernel::vortex_gaussian) - behind * strength), 5e-3 * norm(strength));
    if (height == 0.0) {
      EXPECT_LE(norm(part(fmm::Kernel::vortex_exponential) - 0.5 * strength),
                5e-3 * norm(strength));
    }
  }
}

// Beside the top of a frustum, beneath the plane of its panels: of a Gaussian core all that is
// beyond its height, along the normal. The integral errs by 1e-3 of its largest value.
TEST(Shedding, FindsWhatCoresBesideAConvexEdgeHave) {
  meshes::SurfaceMesh frustum = meshes::make_box(2400, {1.0, 1.0, 1.0});
  for (Vec3d& x : frustum.nodes) x.x *= 1.2 - 0.4 * x.z;
  const Panels panels = make_panels(frustum);
  constexpr double sigma = 0.1, largest = 1.0 / (2.0 * std::numbers::pi * sigma * sigma);
  const Vec3d strength{1.0, -2.0, 0.5};
  for (const double height : {-0.5 * sigma, -1.2 * sigma, -3.0 * sigma}) {
    const Vec3d at{0.58, 0.02, 0.5 + height};
    const std::vector<Vec3d> sheet =
        sheet_behind(panels, {{at}, {strength}, {sigma}}, fmm::Kernel::vortex_gaussian);
    const double beyond = 0.5 * std::erfc(height / sigma / std::numbers::sqrt2);
    int compared = 0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d& x = panels.centroid[i];
      const double aside = std::hypot(x.x - at.x, x.y - at.y) / sigma;
      if (panels.normal[i].z < 0.99 || aside > 1.5) continue;
      EXPECT_LE(norm(sheet[i] - largest * std::exp(-0.5 * aside * aside) * beyond * strength),
                1e-3 * largest * norm(strength));
      ++compared;
    }
    EXPECT_GT(compared, 0);
  }
}

TEST(Shedding, SharesWhatIsMissingToTheTotal) {
  const Panels panels = make_panels(meshes::make_sphere(80));
  const Vec3d total{0.1, -0.2, 0.3};
  const ShedVortices made = shed(panels, std::vector<Vec3d>(80, {1.0, 0.0, 0.0}),
                                 {.distance = 0.1, .core_radius = 0.1}, total);
  Vec3d sum{};
  for (const Vec3d& each : made.particles.strengths) sum += each;
  EXPECT_LE(norm(sum - total), 1e-14);
  EXPECT_THROW(shed(panels, std::vector<Vec3d>(80), {.distance = 0.0, .core_radius = 0.1}),
               InputError);
}

TEST(Shedding, LiftsWhatCameTooClose) {
  const Panels panels = make_panels(meshes::make_sphere(320));
  std::vector<Vec3d> positions{
      {1.3, 0.0, 0.0}, {0.0, 1.02, 0.0}, {0.0, 0.0, -0.95}, {0.0, 0.0, 5.0}};
  const std::vector<Vec3d> before = positions;
  EXPECT_EQ(lift(panels, 0.1, positions), 2u);
  EXPECT_EQ(positions[0], before[0]);
  EXPECT_EQ(positions[3], before[3]);
  for (const std::size_t i : {1u, 2u}) {
    // Flat triangles lie up to 0.01 within the sphere.
    EXPECT_NEAR(norm(positions[i]), 1.1, 0.012);
    EXPECT_GT(dot(normalized(positions[i]), normalized(before[i])), 0.99);
  }
}

}  // namespace
}  // namespace rankine::bem
