#include "rankine/bem/particles/gravity.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/uniform.hpp"

namespace rankine::bem {
namespace {

/// `options` for sums of gradients.
fmm::Options with_gradient(fmm::Options options) {
  options.gradient = true;
  return options;
}

const Bodies& checked(const Bodies& bodies) {
  const std::size_t count = bodies.masses.size();
  if (bodies.positions.size() == count && bodies.velocities.size() == count) return bodies;
  throw InputError("there are " + std::to_string(bodies.positions.size()) + " positions and " +
                   std::to_string(bodies.velocities.size()) + " velocities for " +
                   std::to_string(count) + " masses; give one of each per body");
}

constexpr double kept_mass = 0.999;

Vec3d of_length(double length, Uniform& uniform) {
  const double z = uniform.between(-1.0, 1.0), phi = uniform.between(0.0, 2.0 * std::numbers::pi),
               rho = std::sqrt(1.0 - z * z);
  return length * Vec3d{rho * std::cos(phi), rho * std::sin(phi), z};
}

/// A speed relative to the escape speed, from g(q) = q^2 (1 - q^2)^(7/2) by rejection; g is below
/// 0.1.
double relative_speed(Uniform& uniform) {
  while (true) {
    const double q = uniform(), g = q * q * std::pow(1.0 - q * q, 3.5);
    if (0.1 * uniform() < g) return q;
  }
}

void put_to_rest(std::vector<Vec3d>& vectors) {
  Vec3d mean{};
  for (const Vec3d& each : vectors) mean += each;
  mean *= 1.0 / static_cast<double>(vectors.size());
  for (Vec3d& each : vectors) each -= mean;
}

/// Bodies of equal mass without total momentum; draw(uniform) gives position and velocity of each.
template <class Draw>
Bodies drawn(std::size_t n, double mass, std::uint64_t seed, const Draw& draw) {
  Uniform uniform(seed);
  Bodies bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [position, velocity] = draw(uniform);
    bodies.positions.push_back(position);
    bodies.velocities.push_back(velocity);
    bodies.masses.push_back(mass / static_cast<double>(n));
  }
  put_to_rest(bodies.positions);
  put_to_rest(bodies.velocities);
  return bodies;
}

}  // namespace

BodySystem::BodySystem(Backend& backend, const Bodies& start, const GravityOptions& options,
                       const std::vector<Vec3d>& made_at)
    : backend_(backend),
      options_(options),
      values_(3 * checked(start).masses.size()),
      positions_(uploaded(backend, start.positions)),
      velocities_(uploaded(backend, start.velocities)),
      masses_(uploaded(backend, start.masses)),
      gradient_(backend.allocate(values_)),
      potential_(backend.allocate(start.masses.size())),
      sum_(backend, with_gradient(options.sum), {made_at.empty() ? start.positions : made_at, {}}) {
  if (sum_.made_at().positions != start.positions) sum_.move(positions_);
  find_gradient();
}

void BodySystem::find_gradient() {
  sum_.apply({.charges = masses_.all()}, {.gradient = gradient_.all()});
}

void BodySystem::kick(double step) {
  backend_.axpy(values_, options_.gravitational_constant * step, gradient_.data(),
                velocities_.data());
}

void BodySystem::advance(double step) {
  kick(0.5 * step);
  backend_.axpy(values_, step, velocities_.data(), positions_.data());
  sum_.move(positions_);
  find_gradient();
  kick(0.5 * step);
}

void BodySystem::renew() {
  sum_.renew(positions_);
  find_gradient();
}

Bodies BodySystem::bodies() const {
  return {downloaded_vectors(backend_, positions_), downloaded_vectors(backend_, velocities_),
          downloaded(backend_, masses_, masses_.size())};
}

GravityField BodySystem::field_at(std::span<const Vec3d> points) const {
  const std::size_t n = points.size();
  if (n == 0) return {};
  const std::vector<Vec3d> sources = downloaded_vectors(backend_, positions_);
  const auto sum =
      make_sum(backend_, {.sources = sources, .targets = points}, with_gradient(options_.sum));
  Array phi = backend_.allocate(n), gradient = backend_.allocate(3 * n);
  sum->apply({.charges = masses_.all()}, {.potential = phi.all(), .gradient = gradient.all()});
  GravityField field{downloaded(backend_, phi, n), downloaded_vectors(backend_, gradient)};
  for (double& each : field.potential) each *= -options_.gravitational_constant;
  for (Vec3d& each : field.acceleration) each *= options_.gravitational_constant;
  return field;
}

double BodySystem::sum_error() {
  return sum_.sampled_error(positions_, {}, {.charges = masses_.all()},
                            {.gradient = gradient_.all()});
}

std::vector<double> BodySystem::potential() {
  sum_.apply({.charges = masses_.all()}, {.potential = potential_.all()});
  return downloaded(backend_, potential_, potential_.size());
}

Bodies plummer_sphere(std::size_t n, double mass, double scale, double gravitational_constant,
                      std::uint64_t seed) {
  return drawn(n, mass, seed, [&](Uniform& uniform) {
    const double within = kept_mass * (1.0 - uniform());  // never zero
    const double r = scale / std::sqrt(std::pow(within, -2.0 / 3.0) - 1.0);
    const double escape =
        std::sqrt(2.0 * gravitational_constant * mass / std::sqrt(r * r + scale * scale));
    const Vec3d position = of_length(r, uniform);
    return std::pair(position, of_length(escape * relative_speed(uniform), uniform));
  });
}

Bodies orbiting_shell(std::size_t n, double mass, double radius, double gravitational_constant,
                      std::uint64_t seed) {
  const double speed = std::sqrt(0.5 * gravitational_constant * mass / radius);
  return drawn(n, mass, seed, [&](Uniform& uniform) {
    const Vec3d position = of_length(radius, uniform);
    return std::pair(position, speed * normalized(cross(position, of_length(1.0, uniform))));
  });
}

Bodies expanding_ball(std::size_t n, double mass, double radius, double gravitational_constant,
                      std::uint64_t seed) {
  const double rate = std::sqrt(2.0 * gravitational_constant * mass / std::pow(radius, 3));
  return drawn(n, mass, seed, [&](Uniform& uniform) {
    const Vec3d position = of_length(radius * std::cbrt(uniform()), uniform);
    return std::pair(position, rate * position);
  });
}

}  // namespace rankine::bem
