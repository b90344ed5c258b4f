#include "tests/support/sphere_in_onset.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

/// P_n and its derivative at x, |x| < 1.
std::pair<double, double> legendre(int n, double x) {
  double before = 1.0, value = x;
  for (int k = 2; k <= n; ++k)
    before = std::exchange(value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
  return {value, n * (x * value - before) / (x * x - 1.0)};
}

}  // namespace

SphereInOnset::SphereInOnset(std::function<Vec3d(const Vec3d&)> velocity, double radius,
                             const Vec3d& centre, int points)
    : onset_(std::move(velocity)), radius_(radius), centre_(centre) {
  if (!(radius > 0.0) || !std::isfinite(radius)) {
    throw InputError("the radius of a sphere is " + std::to_string(radius) +
                     "; give a positive length in metres");
  }
  if (points < 2) {
    throw InputError("Gauss's rule has " + std::to_string(points) +
                     " points; give two or more, 64 by default");
  }
  for (int k = 0; k < points; ++k) {
    double x = std::cos(std::numbers::pi * (k + 0.75) / (points + 0.5));
    for (int step = 0; step < 4; ++step) {  // Newton's, from 1e-2 of the spacing: quadratic
      const auto [value, slope] = legendre(points, x);
      x -= value / slope;
    }
    const double slope = legendre(points, x).second;
    place_.push_back(0.5 * (1.0 + x));
    weight_.push_back(1.0 / ((1.0 - x * x) * slope * slope));
  }
}

Vec3d SphereInOnset::moment(const Vec3d& omega, double b) const {
  Vec3d sum{};
  for (std::size_t k = 0; k < place_.size(); ++k) {
    const double s = b * place_[k];
    sum += b * weight_[k] * s * onset_(centre_ + s * omega);
  }
  return sum;
}

double SphereInOnset::potential(const Vec3d& x) const {
  const double r = norm(x - centre_);
  const Vec3d omega = (x - centre_) / r;
  return dot(moment(omega, radius_ * radius_ / r), omega) / radius_;
}

Vec3d SphereInOnset::velocity(const Vec3d& x) const {
  const double r = norm(x - centre_), b = radius_ * radius_ / r, ratio = radius_ / r;
  const Vec3d omega = (x - centre_) / r;
  const auto across = [&](const Vec3d& v) { return v - dot(v, omega) * omega; };
  const Vec3d inverse = onset_(centre_ + b * omega);
  return onset_(x) + ratio * ratio * ratio * (across(inverse) - dot(inverse, omega) * omega) -
         across(moment(omega, b)) / (radius_ * r);
}

}  // namespace rankine::bem
