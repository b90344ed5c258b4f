#include "rankine/bem/particles/vortices.hpp"

#include <array>
#include <numbers>
#include <span>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

constexpr double inverse_4_pi = 0.25 / std::numbers::pi;

struct Stage {
  double a, b;
};
constexpr std::array midpoint{Stage{0.0, 0.5}, Stage{-0.5, 1.0}};
constexpr std::array williamson{Stage{0.0, 1.0 / 3.0}, Stage{-5.0 / 9.0, 15.0 / 16.0},
                                Stage{-153.0 / 128.0, 8.0 / 15.0}};

std::span<const Stage> stages_of(RungeKutta scheme) {
  if (scheme == RungeKutta::midpoint) return midpoint;
  return williamson;
}

const VortexParticles& checked(const VortexParticles& particles) {
  const std::size_t count = particles.positions.size();
  if (particles.strengths.size() == count && particles.core_radii.size() == count) return particles;
  throw InputError("there are " + std::to_string(particles.strengths.size()) + " strengths and " +
                   std::to_string(particles.core_radii.size()) + " core radii for " +
                   std::to_string(count) + " positions; give one of each per particle");
}

/// Stretching takes gradients of velocities.
fmm::Options sum_of(const VortexOptions& options) {
  fmm::Options sum = options.sum;
  sum.gradient = options.stretching != Stretching::none;
  return sum;
}

Array stream_of(Backend& backend, const Vec3d& stream, std::size_t count) {
  if (stream == Vec3d{}) return {};
  return uploaded(backend, std::vector<Vec3d>(count, stream));
}

}  // namespace

VortexSystem::VortexSystem(Backend& backend, const VortexParticles& start,
                           const VortexOptions& options, const std::vector<Vec3d>& made_at)
    : backend_(backend),
      options_(options),
      count_(checked(start).positions.size()),
      positions_(uploaded(backend, start.positions)),
      strengths_(uploaded(backend, start.strengths)),
      position_change_(backend.allocate(3 * count_)),
      strength_change_(backend.allocate(3 * count_)),
      velocity_(backend.allocate(3 * count_)),
      velocity_gradient_(backend.allocate(options.stretching == Stretching::none ? 0 : 9 * count_)),
      strength_rate_(
          backend.allocate(options.surroundings == nullptr ? 0 : velocity_gradient_.size() / 3)),
      stream_(stream_of(backend, options.stream, count_)),
      core_radii_(start.core_radii),
      sum_(backend, sum_of(options), made_at.empty() ? start.positions : made_at, core_radii_) {}

void VortexSystem::add_surroundings() {
  if (options_.surroundings == nullptr) return;
  backend_.fill(strength_rate_.size(), 0.0, strength_rate_.data());
  options_.surroundings->add_to(positions_, strengths_, core_radii_, velocity_, strength_rate_);
}

void VortexSystem::sum_here() {
  sum_.move(positions_);
  sum_.apply({.vortices = strengths_.all()},
             {.velocity = velocity_.all(), .velocity_gradient = velocity_gradient_.all()});
}

double VortexSystem::sum_error() {
  sum_here();
  return sum_.sampled_error(
      positions_, {.vortices = strengths_.all()},
      {.velocity = velocity_.all(), .velocity_gradient = velocity_gradient_.all()});
}

void VortexSystem::take_stage(double a, double b, double step) {
  sum_here();
  add_surroundings();
  const std::size_t values = 3 * count_;
  const double length = inverse_4_pi * step;
  backend_.scale(values, a, position_change_.data());
  backend_.axpy(values, length, velocity_.data(), position_change_.data());
  backend_.axpy(values, b, position_change_.data(), positions_.data());
  if (options_.stretching == Stretching::none) return;
  backend_.scale(values, a, strength_change_.data());
  backend_.add_tensor_product(count_, length, velocity_gradient_.data(),
                              options_.stretching == Stretching::transpose, strengths_.data(),
                              strength_change_.data());
  backend_.axpy(strength_rate_.size(), length, strength_rate_.data(), strength_change_.data());
  backend_.axpy(values, b, strength_change_.data(), strengths_.data());
}

void VortexSystem::advance(double step) {
  for (const auto& [a, b] : stages_of(options_.scheme)) take_stage(a, b, step);
  if (stream_.size() > 0) backend_.axpy(3 * count_, step, stream_.data(), positions_.data());
}

void VortexSystem::renew() { sum_.renew(positions_); }

VortexParticles VortexSystem::particles() const {
  return {downloaded_vectors(backend_, positions_), downloaded_vectors(backend_, strengths_),
          core_radii_};
}

std::vector<Vec3d> VortexSystem::velocities() {
  sum_.move(positions_);
  sum_.apply({.vortices = strengths_.all()}, {.velocity = velocity_.all()});
  add_surroundings();
  std::vector<Vec3d> velocities = downloaded_vectors(backend_, velocity_);
  for (Vec3d& u : velocities) u = inverse_4_pi * u + options_.stream;
  return velocities;
}

}  // namespace rankine::bem
