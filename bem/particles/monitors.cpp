#include "rankine/bem/particles/monitors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

/// The sum of term(i), a vector.
template <class Term>
Vec3d vector_sum(std::size_t n, Term&& term) {
  return {parallel_sum(n, [&](std::size_t i) { return term(i).x; }),
          parallel_sum(n, [&](std::size_t i) { return term(i).y; }),
          parallel_sum(n, [&](std::size_t i) { return term(i).z; })};
}

}  // namespace

GravityMonitors monitor(const Bodies& bodies, std::span<const double> phi,
                        double gravitational_constant) {
  const std::size_t n = bodies.masses.size();
  const auto& [x, v, m] = bodies;
  GravityMonitors found;
  found.kinetic = parallel_sum(n, [&](std::size_t i) { return 0.5 * m[i] * dot(v[i], v[i]); });
  found.potential =
      -0.5 * gravitational_constant * parallel_sum(n, [&](std::size_t i) { return m[i] * phi[i]; });
  found.energy = found.kinetic + found.potential;
  found.virial_ratio = 2.0 * found.kinetic / std::abs(found.potential);
  found.momentum = vector_sum(n, [&](std::size_t i) { return m[i] * v[i]; });
  found.angular_momentum = vector_sum(n, [&](std::size_t i) { return m[i] * cross(x[i], v[i]); });
  found.centre = vector_sum(n, [&](std::size_t i) { return m[i] * x[i]; }) /
                 parallel_sum(n, [&](std::size_t i) { return m[i]; });
  found.momentum_scale = parallel_sum(n, [&](std::size_t i) { return m[i] * norm(v[i]); });
  return found;
}

Vec3d impulse_of(const VortexParticles& particles, const Vec3d& origin) {
  const auto& [x, gamma, sigma] = particles;
  return vector_sum(x.size(), [&](std::size_t i) { return 0.5 * cross(x[i] - origin, gamma[i]); });
}

VortexMonitors monitor(const VortexParticles& particles, std::span<const Vec3d> velocities,
                       const Vec3d& origin) {
  const auto& [x, gamma, sigma] = particles;
  const std::size_t n = x.size();
  VortexMonitors found;
  found.total_vorticity = vector_sum(n, [&](std::size_t i) { return gamma[i]; });
  found.impulse = impulse_of(particles, origin);
  found.angular_impulse = vector_sum(n, [&](std::size_t i) {
    return (1.0 / 3.0) * cross(x[i] - origin, cross(x[i] - origin, gamma[i]));
  });
  found.helicity = parallel_sum(n, [&](std::size_t i) { return dot(gamma[i], velocities[i]); });
  found.strength = parallel_sum(n, [&](std::size_t i) { return norm(gamma[i]); });
  found.centroid = ring_place(particles, 0, n).centre;
  found.impulse_scale = 0.5 * parallel_sum(n, [&](std::size_t i) {
                          return norm(x[i] - found.centroid) * norm(gamma[i]);
                        });
  for (const Vec3d& u : velocities) found.fastest = std::max(found.fastest, norm(u));
  return found;
}

VortexResolution resolution(const VortexParticles& particles, fmm::Kernel kernel) {
  const auto& [x, gamma, sigma] = particles;
  const std::size_t n = x.size(), samples = std::min<std::size_t>(n, 256);
  if (n < 2) return {};
  std::vector<double> spacing(samples), rotation(samples);
  parallel_for(samples, [&](std::size_t k) {
    const std::size_t i = k * n / samples;
    double nearest = std::numeric_limits<double>::infinity();
    Vec3d vorticity{};
    for (std::size_t j = 0; j < n; ++j) {
      const double distance = norm(x[i] - x[j]), rho = distance / sigma[j];
      if (j != i) nearest = std::min(nearest, distance);
      if (rho < 6.0)
        vorticity += core_vorticity(kernel, rho) / (sigma[j] * sigma[j] * sigma[j]) * gamma[j];
    }
    spacing[k] = nearest / sigma[i];
    rotation[k] = 0.5 * norm(vorticity);
  });
  const auto middle = spacing.begin() + static_cast<std::ptrdiff_t>(samples / 2);
  std::nth_element(spacing.begin(), middle, spacing.end());
  return {*middle, *std::max_element(rotation.begin(), rotation.end())};
}

RingPlace ring_place(const VortexParticles& particles, std::size_t begin, std::size_t end) {
  RingPlace place;
  const bool alike = std::all_of(particles.strengths.begin() + static_cast<std::ptrdiff_t>(begin),
                                 particles.strengths.begin() + static_cast<std::ptrdiff_t>(end),
                                 [](const Vec3d& each) { return norm(each) == 0.0; });
  const auto weight_of = [&](std::size_t i) { return alike ? 1.0 : norm(particles.strengths[i]); };
  double weight = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    weight += weight_of(i);
    place.centre += weight_of(i) * particles.positions[i];
  }
  place.centre *= 1.0 / weight;
  for (std::size_t i = begin; i < end; ++i)
    place.radius += weight_of(i) * norm(particles.positions[i] - place.centre);
  place.radius /= weight;
  return place;
}

}  // namespace rankine::bem
