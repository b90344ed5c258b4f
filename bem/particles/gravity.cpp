#include "rankine/bem/particles/gravity.hpp"

#include <string>

#include "rankine/fmm/core/error.hpp"

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
      sum_(backend, with_gradient(options.sum), made_at.empty() ? start.positions : made_at) {
  if (sum_.made_at() != start.positions) sum_.move(positions_);
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
      sum_elsewhere(backend_, {.sources = sources, .targets = points}, with_gradient(options_.sum));
  Array phi = backend_.allocate(n), gradient = backend_.allocate(3 * n);
  sum->apply({.charges = masses_.all()}, {.potential = phi.all(), .gradient = gradient.all()});
  GravityField field{downloaded(backend_, phi, n), downloaded_vectors(backend_, gradient)};
  for (double& each : field.potential) each *= -options_.gravitational_constant;
  for (Vec3d& each : field.acceleration) each *= options_.gravitational_constant;
  return field;
}

double BodySystem::sum_error() {
  return sum_.sampled_error(positions_, {.charges = masses_.all()}, {.gradient = gradient_.all()});
}

std::vector<double> BodySystem::potential() {
  sum_.apply({.charges = masses_.all()}, {.potential = potential_.all()});
  return downloaded(backend_, potential_, potential_.size());
}

}  // namespace rankine::bem
