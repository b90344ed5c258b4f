#include "cases/verification/suite.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

constexpr auto particle_group = "particles";
constexpr std::size_t particle_count = 8000;  ///< too many for direct sums by default
constexpr double sum_tolerance = 1e-6;        ///< tolerance of sums compared with plain loops

/// The relative error of every eighth of the vectors found; exact(i) is what vector i should be.
template <class Exact>
double sampled_error(const std::vector<Vec3d>& found, const Exact& exact) {
  constexpr std::size_t every = 8;
  std::vector<Vec3d> some(found.size() / every), wanted(some.size());
  parallel_for(some.size(), [&](std::size_t k) {
    some[k] = found[every * k];
    wanted[k] = exact(every * k);
  });
  return relative_error(as_doubles(std::span(some)), as_doubles(std::span(wanted)));
}

/// The velocity of a vortex with the exponential core, by its formula.
Vec3d velocity_of(const bem::VortexParticles& particles, std::size_t j, const Vec3d& at) {
  const Vec3d r = at - particles.positions[j];
  const double distance = norm(r);
  const double share = -std::expm1(-std::pow(distance / particles.core_radii[j], 3));
  return share / (4.0 * std::numbers::pi * std::pow(distance, 3)) *
         cross(particles.strengths[j], r);
}

SuiteCheck softened_gravity(bem::Backend& backend) {
  bem::GravityOptions options;
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = 1e-3;
  options.sum.tolerance = sum_tolerance;
  const bem::Bodies bodies = bem::plummer_sphere(particle_count, 1.0, 1.0, 1.0, 1);
  const bem::BodySystem system(backend, bodies, options);
  const auto exact = [&](std::size_t i) {
    Vec3d sum{};
    for (std::size_t j = 0; j < particle_count; ++j) {
      const Vec3d r = bodies.positions[i] - bodies.positions[j];
      sum -= bodies.masses[j] *
             std::pow(dot(r, r) + options.sum.softening * options.sum.softening, -1.5) * r;
    }
    return sum;
  };
  return {particle_group, "softened gravity against a loop",
          sampled_error(system.field_at(bodies.positions).acceleration, exact), 1e-7};
}

/// Bodies of Plummer's model [P11], of which 0.999 of the mass is drawn: the radius around half of
/// them, and the mean of v^2 over that at the same radius, G M / (2 (r^2 + a^2)^(1/2)).
std::vector<SuiteCheck> plummer_bodies() {
  constexpr std::size_t count = 200000;
  constexpr double mass = 1.7, scale = 0.6, gravity = 1.3;
  const bem::Bodies bodies = bem::plummer_sphere(count, mass, scale, gravity, 1);
  std::vector<double> radius;
  double energy = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    radius.push_back(norm(bodies.positions[i]));
    energy += 2.0 * std::hypot(radius[i], scale) / (gravity * mass) *
              dot(bodies.velocities[i], bodies.velocities[i]) / count;
  }
  std::ranges::nth_element(radius, radius.begin() + count / 2);
  const double half = scale / std::sqrt(std::pow(0.5 * 0.999, -2.0 / 3.0) - 1.0);
  return {{particle_group, "half-mass radius of Plummer's model",
           std::abs(radius[count / 2] / half - 1.0), 5e-4},
          {particle_group, "speeds of Plummer's model", std::abs(energy - 1.0), 3e-3}};
}

SuiteCheck cored_vortices(bem::Backend& backend) {
  bem::VortexOptions options;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  options.sum.tolerance = sum_tolerance;
  bem::VortexParticles particles{fmm::make_points("lattice", particle_count, 1),
                                 std::vector<Vec3d>(particle_count),
                                 std::vector<double>(particle_count, 0.02)};
  const std::vector<double> strengths = fmm::make_strengths(3 * particle_count, 2);
  for (std::size_t i = 0; i < particle_count; ++i)
    particles.strengths[i] = {strengths[3 * i], strengths[3 * i + 1], strengths[3 * i + 2]};
  bem::VortexSystem system(backend, particles, options);
  const auto exact = [&](std::size_t i) {
    Vec3d sum{};
    for (std::size_t j = 0; j < particle_count; ++j) {
      if (j != i) sum += velocity_of(particles, j, particles.positions[i]);
    }
    return sum;
  };
  return {particle_group, "cored vortices against a loop",
          sampled_error(system.velocities(), exact), 2.4e-8};
}

/// Closure error of an elliptic orbit of eccentricity 1/2: distance from the start after one
/// period, over the semi-major axis.
double orbit_error(bem::Backend& backend, int steps) {
  const double axis = 1.0, eccentricity = 0.5, mass = 1.0;
  const double apart = axis * (1.0 + eccentricity),
               speed = std::sqrt(mass / axis * (1.0 - eccentricity) / (1.0 + eccentricity));
  const bem::Bodies start{{{0.5 * apart, 0.0, 0.0}, {-0.5 * apart, 0.0, 0.0}},
                          {{0.0, 0.5 * speed, 0.0}, {0.0, -0.5 * speed, 0.0}},
                          {0.5 * mass, 0.5 * mass}};
  bem::BodySystem system(backend, start, {});
  for (int step = 0; step < steps; ++step) system.advance(2.0 * std::numbers::pi / steps);
  return norm(system.bodies().positions[0] - start.positions[0]) / axis;
}

SuiteCheck ring_speed(bem::Backend& backend) {
  const double sigma = 0.1;
  bem::VortexOptions options;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  bem::VortexSystem system(
      backend, bem::vortex_rings({bem::VortexRing{}}, 200, sigma, options.sum.kernel), options);
  constexpr int points = 20000;
  double exact = 0.0;
  for (int i = 0; i < points; ++i) {
    const double sine = std::sin(0.5 * std::numbers::pi * (i + 0.5) / points);
    exact += -std::expm1(-std::pow(2.0 * sine / sigma, 3)) / sine / (8.0 * points);
  }
  double worst = 0.0;
  for (const Vec3d& u : system.velocities())
    worst = std::max(worst, norm(u - Vec3d{0.0, 0.0, exact}) / exact);
  return {particle_group, "ring speed", worst, 1.4e-6};
}

/// Decay at the middle of a finite line vortex along z until its core area has grown tenfold: every
/// particle has become a heat kernel of variance v.
SuiteCheck lamb_oseen_decay() {
  constexpr int half = 4;
  const double h = 0.1;
  bem::VortexParticles line;
  for (int k = -half; k <= half; ++k) {
    line.positions.push_back({0.0, 0.0, k * h});
    line.strengths.push_back({0.0, 0.0, h});
    line.core_radii.push_back(h);
  }
  bem::RedistributionOptions options;
  options.viscosity = 0.5;
  options.spacing = options.core_radius = h;
  const std::size_t no_sheet = line.positions.size() * 1000000;
  for (int step = 0; step < 36; ++step) bem::redistribute(line, no_sheet, 0.25 * h * h, options);
  double found = 0.0;
  for (std::size_t i = 0; i < line.positions.size(); ++i)
    found += line.strengths[i].z / std::pow(h, 3) *
             bem::core_vorticity(fmm::Kernel::vortex_gaussian, norm(line.positions[i]) / h);
  const double variance = 10.0 * h * h;
  double exact = 0.0;
  for (int k = -half; k <= half; ++k)
    exact += h * std::exp(-0.5 * k * k * h * h / variance) *
             std::pow(2.0 * std::numbers::pi * variance, -1.5);
  return {particle_group, "Lamb-Oseen vortex of ten times its area", std::abs(found / exact - 1.0),
          7e-4};
}

/// The distance of a vortex from its start, over its radius, after two vortices of equal strength
/// have turned about each other once.
double turn_error(bem::Backend& backend, bem::RungeKutta scheme, int steps) {
  const bem::VortexParticles start{
      {{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}}, {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}}, {1.5, 1.5}};
  bem::VortexOptions options;
  options.scheme = scheme;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  bem::VortexSystem system(backend, start, options);
  const double time_step =
      2.0 * std::numbers::pi / norm(velocity_of(start, 1, start.positions[0])) / steps;
  for (int step = 0; step < steps; ++step) system.advance(time_step);
  return norm(system.particles().positions[0] - start.positions[0]);
}

/// Two vortices that overlap.
bem::VortexParticles two_cores() {
  return {{{0.3, 0.1, 0.0}, {-0.4, 0.2, 0.5}}, {{0.5, -0.7, 0.4}, {-0.3, 0.6, 0.8}}, {0.4, 0.4}};
}

/// (along.grad) u of the second vortex at the first one, from differences.
Vec3d slope_of_velocity(const bem::VortexParticles& particles, const Vec3d& along) {
  constexpr double apart = 1e-4;
  const Vec3d x = particles.positions[0];
  return (velocity_of(particles, 1, x + apart * along) -
          velocity_of(particles, 1, x - apart * along)) /
         (2.0 * apart);
}

/// The rate of a strength beside another vortex: Gamma.grad u, or transposed grad (Gamma.u) for a
/// fixed Gamma.
double stretching_error(bem::Backend& backend, bem::Stretching stretching) {
  const bem::VortexParticles start = two_cores();
  constexpr double step = 1e-2;
  bem::VortexOptions options;
  options.stretching = stretching;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  const auto after = [&](double time) {
    bem::VortexSystem system(backend, start, options);
    system.advance(time);
    return system.particles().strengths[0];
  };
  const Vec3d found = (after(step) - after(-step)) / (2.0 * step), gamma = start.strengths[0];
  Vec3d exact = slope_of_velocity(start, gamma);
  if (stretching == bem::Stretching::transpose) {
    for (int k = 0; k < 3; ++k) {
      Vec3d unit;
      unit[k] = 1.0;
      exact[k] = dot(gamma, slope_of_velocity(start, unit));
    }
  }
  return norm(found - exact) / norm(exact);
}

/// The curl of the velocity at a vortex: that of the other one, and its own, 2 Gamma / (4 pi
/// sigma^3).
double vorticity_error(bem::Backend& backend) {
  const bem::VortexParticles start = two_cores();
  bem::VortexOptions options;
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  const bem::VortexSystem system(backend, start, options);
  const Vec3d found = system.field_at(std::span(start.positions).first(1)).vorticity[0];
  Vec3d exact = start.strengths[0] / (2.0 * std::numbers::pi * std::pow(start.core_radii[0], 3));
  for (int k = 0; k < 3; ++k) {
    Vec3d unit;
    unit[k] = 1.0;
    exact += cross(unit, slope_of_velocity(start, unit));
  }
  return norm(found - exact) / norm(exact);
}

/// The mean square of x over the vorticity of a core that has grown, against sigma^2 v + 2 nu t.
SuiteCheck growing_core() {
  constexpr auto kernel = fmm::Kernel::vortex_exponential;
  const double sigma = 0.3, viscosity = 0.02, time = 1.5;
  bem::VortexParticles one{{Vec3d{}}, {Vec3d{0.0, 0.0, 1.0}}, {sigma}};
  bem::spread_cores(one, kernel, viscosity, time);
  const auto mean_square = [&](double radius) {
    constexpr int points = 4000;
    double sum = 0.0;
    for (int k = 0; k < points; ++k) {
      const double rho = 4.0 * (k + 0.5) / points;
      sum += std::pow(rho, 4) * bem::core_vorticity(kernel, rho) * 4.0 / points;
    }
    return 4.0 * std::numbers::pi / 3.0 * sum * radius * radius;
  };
  const double growth = mean_square(one.core_radii[0]) - mean_square(sigma);
  return {particle_group, "growth of a core", std::abs(growth / (2.0 * viscosity * time) - 1.0),
          1.2e-14};
}

}  // namespace

std::vector<SuiteCheck> check_particles(bem::Backend& backend) {
  std::vector<SuiteCheck> checks{softened_gravity(backend), cored_vortices(backend)};
  const double coarse = orbit_error(backend, 400), fine = orbit_error(backend, 800);
  checks.push_back({particle_group, "Kepler orbit, 800 steps", fine, 5e-4});
  checks.push_back({particle_group, "Kepler orbit, order", std::log2(coarse / fine), 1.9, true});
  checks.push_back(ring_speed(backend));
  for (const auto& [scheme, name, order] :
       {std::tuple{bem::RungeKutta::williamson, "two vortices, order of rk3", 2.9},
        {bem::RungeKutta::midpoint, "two vortices, order of rk2", 1.9}}) {
    checks.push_back({particle_group, name,
                      std::log2(turn_error(backend, scheme, 80) / turn_error(backend, scheme, 160)),
                      order, true});
  }
  checks.push_back(
      {particle_group, "stretching", stretching_error(backend, bem::Stretching::classic), 6e-6});
  checks.push_back({particle_group, "stretching, transposed",
                    stretching_error(backend, bem::Stretching::transpose), 2.9e-6});
  checks.push_back({particle_group, "vorticity at a vortex", vorticity_error(backend), 3.6e-9});
  for (SuiteCheck& each : plummer_bodies()) checks.push_back(std::move(each));
  checks.push_back(growing_core());
  checks.push_back(lamb_oseen_decay());
  return checks;
}

}  // namespace rankine::cases
