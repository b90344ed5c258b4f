#include "rankine/bem/particles/plummer_sphere.hpp"

#include <cmath>
#include <numbers>

#include "rankine/fmm/core/uniform.hpp"

namespace rankine::bem {
namespace {

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

}  // namespace

Bodies plummer_sphere(std::size_t n, double mass, double scale, double gravitational_constant,
                      std::uint64_t seed) {
  Uniform uniform(seed);
  Bodies bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const double within = kept_mass * (1.0 - uniform());  // never zero
    const double r = scale / std::sqrt(std::pow(within, -2.0 / 3.0) - 1.0);
    const double escape =
        std::sqrt(2.0 * gravitational_constant * mass / std::sqrt(r * r + scale * scale));
    bodies.positions.push_back(of_length(r, uniform));
    bodies.velocities.push_back(of_length(escape * relative_speed(uniform), uniform));
    bodies.masses.push_back(mass / static_cast<double>(n));
  }
  put_to_rest(bodies.positions);
  put_to_rest(bodies.velocities);
  return bodies;
}

}  // namespace rankine::bem
