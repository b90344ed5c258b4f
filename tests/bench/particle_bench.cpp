// Times steps of particles on this device, in its memory, as the program takes them.
//
//   gpu_particle_bench gravity BODIES METHOD [TOLERANCE] [SOFTENING] [STEPS] [DISTRIBUTION]
//       leapfrog steps in float of bodies of equal mass; METHOD: direct, treecode or fmm
//   gpu_particle_bench vortices PARTICLES [TOLERANCE] [STEPS]
//       Runge-Kutta steps of third order in float, stretching by velocity gradients, Gaussian cores
//       of the mean distance in a cube
//   gpu_particle_bench diffusion PARTICLES [STEPS] [RELAXATION]
//       the same of a ball of vorticity on a lattice, cores as wide as its spacing, with and
//       without diffusion by redistribution, with RELAXATION of strengths, by default 0
//   gpu_particle_bench body PANELS [PARTICLES] [TOLERANCE]
//       solves for a flattened ellipsoid among vortices that pass it, each from the last solution
//   gpu_particle_bench flow PANELS [STEPS] [ORDER] [C] [DISTANCE] [RELAXATION] [REYNOLDS] [STEP]
//                           [MESH]
//       steps of a flow that starts impulsively around a discoid 10:10:1 at 60 degrees, at a
//       Reynolds number of 1000 [SG08], by the Runge-Kutta method of this order, 2 or 3 (default),
//       with Smagorinsky's constant C, by default 0, sheets at this distance, in spacings, by
//       default 1/2, and RELAXATION of strengths, by default 1; a line of numbers after each, with
//       the slip that is left after every fifth. REYNOLDS is for lengths of 1 m, STEP in seconds,
//       by default 0.02. With PANELS = 0 around the mesh of a file in a stream along x, or a sphere
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/files/finish_mesh.hpp"
#include "rankine/meshes/formats/own_formats.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::gpu {
namespace {

fmm::Options sum_options(const std::string& method, double tolerance) {
  fmm::Options options;
  options.method = method == "direct"     ? fmm::Method::direct
                   : method == "treecode" ? fmm::Method::treecode
                                          : fmm::Method::fmm;
  options.precision = fmm::Precision::float32;
  options.tolerance = tolerance;
  return options;
}

/// Seconds of a step: the median of `rounds` of `steps` steps each, which end with the device idle.
template <class System, class Look>
double seconds_of_step(System& system, double step, int steps, const Look& look) {
  constexpr int rounds = 5;
  std::vector<double> seconds;
  for (int round = 0; round <= rounds; ++round) {
    const Stopwatch watch;
    for (int k = 0; k < steps; ++k) system.advance(step);
    look(system);
    if (round > 0) seconds.push_back(watch.seconds() / steps);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

void time_gravity(std::size_t count, const std::string& method, double tolerance, double softening,
                  int steps, const std::string& distribution) {
  const auto backend = make_cuda_backend();
  bem::Bodies bodies;
  bodies.positions = fmm::make_points(distribution, count, 1);
  bodies.velocities.resize(count);
  bodies.masses.assign(count, 1.0 / static_cast<double>(count));
  bem::GravityOptions options;
  options.sum = sum_options(method, tolerance);
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = softening;
  bem::BodySystem system(*backend, bodies, options);
  const double seconds =
      seconds_of_step(system, 1e-5, steps, [](const bem::BodySystem& s) { s.bodies(); });
  const double pairs = static_cast<double>(count) * static_cast<double>(count);
  std::printf("gravity %zu %s: %.3f ms a step, %.0f steps/s, as all pairs %.3g /s\n", count,
              method.c_str(), 1e3 * seconds, 1.0 / seconds, pairs / seconds);
}

/// In a cube of edge 1, of random directions.
bem::VortexParticles vortices_in_cube(std::size_t count) {
  bem::VortexParticles particles;
  particles.positions = fmm::make_points("cube", count, 1);
  const std::vector<double> random = fmm::make_strengths(3 * count, 2);
  for (std::size_t i = 0; i < count; ++i)
    particles.strengths.push_back(Vec3d{random[3 * i], random[3 * i + 1], random[3 * i + 2]} *
                                  (1.0 / static_cast<double>(count)));
  particles.core_radii.assign(count, 1.0 / std::cbrt(static_cast<double>(count)));
  return particles;
}

void time_vortices(std::size_t count, double tolerance, int steps) {
  const auto backend = make_cuda_backend();
  bem::VortexOptions options;
  options.sum = sum_options("fmm", tolerance);
  options.sum.kernel = fmm::Kernel::vortex_gaussian;
  options.scheme = bem::RungeKutta::williamson;
  bem::VortexSystem system(*backend, vortices_in_cube(count), options);
  const double seconds =
      seconds_of_step(system, 1e-6, steps, [](const bem::VortexSystem& s) { s.particles(); });
  std::printf("vortices %zu: %.2f ms a step of three stages\n", count, 1e3 * seconds);
}

/// A ball of vorticity on a lattice, with a viscosity that moves it by half a spacing in a step.
void time_diffusion(std::size_t count, int steps, double relaxation) {
  const auto backend = make_cuda_backend();
  const double spacing = std::cbrt(4.0 * std::numbers::pi / 3.0 / static_cast<double>(count));
  bem::VortexParticles ball;
  const int reach = static_cast<int>(1.0 / spacing) + 1;
  for (int i = -reach; i <= reach; ++i) {
    for (int j = -reach; j <= reach; ++j) {
      for (int k = -reach; k <= reach; ++k) {
        const Vec3d x = spacing * Vec3d{i + 0.25, j + 0.25, k + 0.25};
        if (norm(x) > 1.0) continue;
        ball.positions.push_back(x);
        ball.strengths.push_back(spacing * spacing * spacing * Vec3d{-x.y, x.x, 0.5});
        ball.core_radii.push_back(spacing);
      }
    }
  }
  constexpr double step = 0.01;
  for (const bool diffuses : {true, false}) {
    bem::VortexFlowOptions options{.system = {},
                                   .viscosity = diffuses ? spacing * spacing / (8.0 * step) : 0.0,
                                   .redistributes = diffuses};
    options.system.stretching = bem::Stretching::classic;
    options.system.relaxation = relaxation;
    options.system.sum = sum_options("fmm", 1e-3);
    options.system.sum.kernel = fmm::Kernel::vortex_exponential;
    options.redistribution = {.viscosity = options.viscosity,
                              .spacing = spacing,
                              .core_radius = spacing,
                              .most = 5'000'000};
    bem::VortexFlow flow(*backend, ball, options);
    flow.advance(step);
    const Stopwatch watch;
    for (int k = 0; k < steps; ++k) flow.advance(step);
    ball = flow.system().particles();  // of the same number
    std::printf(
        "%s: %.3f s a step, %zu particles at the end; motion %.3f, diffusion %.3f, operators "
        "%.3f\n",
        diffuses ? "with diffusion" : "without", watch.seconds() / steps, flow.size(),
        flow.seconds().motion, flow.seconds().diffusion, flow.seconds().operators);
  }
}

void time_body(std::int64_t panel_count, std::size_t particles, double tolerance) {
  const auto backend = make_cuda_backend();
  bem::VortexBodyOptions options;
  options.stream = {0.5, 0.0, std::sqrt(0.75)};
  options.solve.gmres.tolerance = tolerance;
  options.solve.fmm.tolerance = 0.1 * tolerance;
  options.sum = sum_options("fmm", 1e-3);
  options.sum.kernel = fmm::Kernel::vortex_gaussian;
  const bem::Panels panels = bem::make_panels(meshes::make_ellipsoid(panel_count, {0.1, 1.0, 1.0}));
  const Stopwatch watch;
  bem::VortexBody body(*backend, panels, options);
  std::printf("body of %zu panels: first solve with set-up %.1f ms\n", panels.size(),
              1e3 * watch.seconds());
  bem::VortexParticles passing = vortices_in_cube(particles);
  for (Vec3d& p : passing.positions) p = p + Vec3d{0.3, -0.5, -0.5};
  for (int step = 0; step < 5; ++step) {
    const Stopwatch whole;
    const bem::BodySolve& solve = body.solve(passing);
    std::printf(
        "  solve %.1f ms, %d iterations, residual %.1e; with the particles' velocity %.1f ms\n",
        1e3 * solve.seconds, solve.gmres.iterations, solve.gmres.true_residual,
        1e3 * whole.seconds());
    for (Vec3d& p : passing.positions) p = p + Vec3d{0.005, 0.0, 0.01};
  }
}

/// With the particles as they are, m/s. The next solve starts as if this had not been.
bem::SlipSize slip_now(bem::VortexBody& body, bem::SheddingWall& wall,
                       const bem::VortexFlow& flow) {
  const std::vector<double> start = body.start();
  const bem::VortexParticles particles = flow.system().particles();
  body.solve(particles);
  body.start_from(start);
  return wall.slip(particles);
}

/// What surrounds a stream of 1 m/s.
struct FlowRun {
  std::int64_t panels = 46080;
  int steps = 20, order = 3;
  double smagorinsky = 0.0, distance = 0.5;  ///< of sheets, in spacings
  double relaxation = 1.0, reynolds = 1000.0, step = 0.02;
  std::string mesh{};

  meshes::SurfaceMesh body() const {
    if (panels > 0) return meshes::make_ellipsoid(panels, {0.5, 0.5, 0.05});
    if (mesh.empty()) return meshes::make_sphere(20480, 0.5);
    return meshes::finish_mesh(meshes::read_own_format(mesh).value(), {});
  }
  Vec3d stream() const {
    return panels > 0 ? Vec3d{0.5, 0.0, std::sqrt(0.75)} : Vec3d{1.0, 0.0, 0.0};
  }
};

void time_flow(const FlowRun& run) {
  const double step = run.step, viscosity = 1.0 / run.reynolds,
               spacing = std::sqrt(8.0 * viscosity * step);
  const auto backend = make_cuda_backend();
  bem::VortexBodyOptions options;
  options.stream = run.stream();
  options.solve.gmres.tolerance = options.solve.fmm.tolerance = 1e-4;
  options.sum = sum_options("fmm", 1e-4);
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  bem::VortexBody body(*backend, bem::make_panels(run.body()), options);
  bem::SheddingWall wall(body, {.distance = run.distance * spacing, .core_radius = spacing});
  bem::VortexFlowOptions flow_options{.system = {}, .viscosity = viscosity, .redistributes = true};
  flow_options.system = {
      .scheme = run.order == 2 ? bem::RungeKutta::midpoint : bem::RungeKutta::williamson,
      .stretching = bem::Stretching::classic,
      .relaxation = run.relaxation,
      .keeps_impulse = true,
      .sum = options.sum,
      .surroundings = &body};
  flow_options.redistribution = {.viscosity = viscosity,
                                 .spacing = spacing,
                                 .core_radius = spacing,
                                 .smagorinsky = run.smagorinsky,
                                 .most = 5'000'000};
  const Stopwatch whole;
  bem::VortexFlow flow(*backend, wall.shed_into({}), flow_options, &wall);
  std::printf(
      "step  time, s  particles  motion, s  shedding, s  diffusion, s  operator, s  slip, m/s  "
      "slip left, m/s  its mean, m/s  all |Gamma|, m^3/s  impulse x, z, of sheets x, z, "
      "of sheets and diffusion x, z, m^4/s\n");
  for (int k = 1; k <= run.steps; ++k) {
    flow.advance(step);
    const bem::VortexFlowSeconds& took = flow.seconds();
    const bem::VortexParticles particles = flow.system().particles();
    const Vec3d impulse = bem::impulse_of(particles);
    double strength = 0.0;
    for (std::size_t i = 0; i < flow.size(); ++i) {
      strength += norm(particles.strengths[i]);
    }
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bem::SlipSize left =
        k % 5 == 0 ? slip_now(body, wall, flow) : bem::SlipSize{.rms = none, .mean = none};
    std::printf(
        "%d  %.2f  %zu  %.3f  %.3f  %.3f  %.3f  %.4f  %.4f  %.4f  %.3f  %.7f  %.7f  %.7f  %.7f  "
        "%.7f  %.7f\n",
        k, k * step, flow.size(), took.motion, took.shedding, took.diffusion, took.operators,
        wall.record().slip, left.rms, left.mean, strength, impulse.x, impulse.z,
        wall.record().impulse.x, wall.record().impulse.z, flow.record().wall_impulse.x,
        flow.record().wall_impulse.z);
    std::fflush(stdout);
  }
  std::printf("%.1f s\n", whole.seconds());
}

int main(int argc, char** argv) {
  const auto word = [&](int i, const char* otherwise) {
    return std::string(argc > i ? argv[i] : otherwise);
  };
  const std::string what = word(1, "");
  const double count = std::stod(word(2, "100000"));
  if (what == "gravity") {
    time_gravity(static_cast<std::size_t>(count), word(3, "fmm"), std::stod(word(4, "1e-3")),
                 std::stod(word(5, "1e-3")), std::stoi(word(6, "20")), word(7, "cube"));
  } else if (what == "vortices") {
    time_vortices(static_cast<std::size_t>(count), std::stod(word(3, "2e-3")),
                  std::stoi(word(4, "3")));
  } else if (what == "diffusion") {
    time_diffusion(static_cast<std::size_t>(count), std::stoi(word(3, "5")),
                   std::stod(word(4, "0")));
  } else if (what == "body") {
    time_body(static_cast<std::int64_t>(count),
              static_cast<std::size_t>(std::stod(word(3, "50000"))), std::stod(word(4, "1e-4")));
  } else if (what == "flow") {
    time_flow({static_cast<std::int64_t>(count), std::stoi(word(3, "20")), std::stoi(word(4, "3")),
               std::stod(word(5, "0")), std::stod(word(6, "0.5")), std::stod(word(7, "1")),
               std::stod(word(8, "1000")), std::stod(word(9, "0.02")), word(10, "")});
  } else {
    std::printf(
        "gravity, vortices, diffusion, body or flow, see the first lines of particle_bench.cpp\n");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace rankine::gpu

int main(int argc, char** argv) {
  try {
    return rankine::gpu::main(argc, argv);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
