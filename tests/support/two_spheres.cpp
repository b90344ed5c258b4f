#include "tests/support/two_spheres.hpp"

#include <cmath>
#include <sstream>
#include <utility>

#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

/// sum_n c_n s P_n^m for one m, with s = sinh or cosh((n + 1/2) xi) exp(-(n + 1/2) xi_0), its
/// derivatives along xi and eta and, for m = 1, the sum divided by sin(eta).
struct Series {
  double sum = 0.0, along_xi = 0.0, along_eta = 0.0, over_sine = 0.0;
};

Series sum_series(const std::vector<double>& c, int m, double xi, double xi_0, double eta) {
  const double mu = std::cos(eta), sine = std::sin(eta), parity = m == 0 ? -1.0 : 1.0;
  Series series;
  double p = 1.0, p_before = 0.0, slope = 0.0, slope_before = 0.0;  // P_n, P_n'
  for (std::size_t k = 0; k < c.size(); ++k) {
    const double n = static_cast<double>(k), q = n + 0.5;
    const double up = std::exp(q * (xi - xi_0)), down = parity * std::exp(-q * (xi + xi_0));
    const double s = 0.5 * c[k] * (up + down), s_slope = 0.5 * c[k] * q * (up - down);
    if (m == 0) {
      series.sum += s * p;
      series.along_xi += s_slope * p;
      series.along_eta -= s * sine * slope;
    } else {
      series.sum += s * sine * slope;
      series.along_xi += s_slope * sine * slope;
      series.along_eta += s * (n * (n + 1.0) * p - mu * slope);  // by Legendre's equation
      series.over_sine += s * slope;
    }
    const double p_next = ((2.0 * n + 1.0) * mu * p - n * p_before) / (n + 1.0);
    const double slope_next = slope_before + (2.0 * n + 1.0) * p;
    p_before = std::exchange(p, p_next);
    slope_before = std::exchange(slope, slope_next);
  }
  return series;
}

}  // namespace

TwoSpheresFlow::TwoSpheresFlow(double radius, double half_distance, const Vec3d& line,
                               const Vec3d& stream, const Vec3d& middle)
    : radius_(radius), half_distance_(half_distance), stream_(stream), middle_(middle) {
  if (!(radius > 0.0) || !(half_distance >= (1.0 + 1e-6) * radius) ||
      !std::isfinite(half_distance) || !(norm(line) > 0.0)) {
    std::ostringstream text;
    text << "two spheres of radius " << radius << " stand " << half_distance
         << " to either side of the middle of their line of length " << norm(line)
         << "; give a positive radius, half a distance of at least 1.000001 radii, and a direction";
    throw InputError(text.str());
  }
  along_ = normalized(line);
  const Vec3d rest = stream - dot(stream, along_) * along_;
  across_ = norm(rest) > 0.0 ? normalized(rest) : Tangents(along_).t1;
  third_ = cross(along_, across_);
  focus_ = std::sqrt((half_distance - radius) * (half_distance + radius));
  xi_0_ = std::asinh(focus_ / radius);
  solve(0);
  solve(1);
}

void TwoSpheresFlow::solve(int m) {
  const auto terms = static_cast<std::size_t>(std::ceil(40.0 / xi_0_)) + 8;
  const double cosh_0 = std::cosh(xi_0_), sinh_0 = std::sinh(xi_0_), root_2 = std::sqrt(2.0);
  const auto first = static_cast<std::size_t>(m);
  // Thomas's algorithm for F_n = f_n'(xi_0): F_n = right_n + upper_n F_{n+1}, once n - 1 is out.
  std::vector<double> upper(terms, 0.0), right(terms, 0.0), given(terms, 0.0), slope(terms, 0.0);
  for (std::size_t k = first; k < terms; ++k) {
    const double n = static_cast<double>(k), q = n + 0.5, tanh_q = std::tanh(q * xi_0_);
    const double of_slope = (m == 0 ? tanh_q : 1.0 / tanh_q) / q;  // s/s'
    const double g = root_2 * focus_ * (m == 0 ? 2.0 * n + 1.0 : 2.0) * std::exp(-q * xi_0_);
    given[k] = q * g;
    const double diagonal = sinh_0 * of_slope + 2.0 * cosh_0;
    const double before = 2.0 * (n - m) / (2.0 * n - 1.0),
                 after = 2.0 * (n + m + 1.0) / (2.0 * n + 3.0);
    const bool is_first = k == first;
    const double pivot = diagonal - (is_first ? 0.0 : before * upper[k - 1]);
    upper[k] = after / pivot;
    right[k] =
        (-sinh_0 * g * (q * of_slope + 1.0) + (is_first ? 0.0 : before * right[k - 1])) / pivot;
  }
  for (std::size_t k = terms; k-- > first;)
    slope[k] = right[k] + (k + 1 < terms ? upper[k] * slope[k + 1] : 0.0);

  std::vector<double>& c = coefficient_[first];
  c.assign(terms, 0.0);
  double dipole = 0.0;  // of the disturbance far away
  for (std::size_t k = first; k < terms; ++k) {
    const double n = static_cast<double>(k), q = n + 0.5, decay = std::exp(-q * xi_0_);
    const double sign = m == 0 ? 1.0 : -1.0;
    c[k] = 2.0 * (slope[k] + given[k]) / (q * (1.0 + sign * decay * decay));
    dipole += c[k] * decay * (m == 0 ? 2.0 * q : n * (n + 1.0));
  }
  dipole *= root_2 * focus_ * focus_;
  // 4 pi D = (V + m'/rho) U, V the volume of both [L32 sec. 121a].
  added_mass_[first] = 1.5 * dipole / (radius_ * radius_ * radius_) - 1.0;
}

TwoSpheresFlow::State TwoSpheresFlow::perturbation(const Vec3d& x) const {
  const Vec3d p = x - middle_;
  const double z = dot(p, along_), x_1 = dot(p, across_), x_2 = dot(p, third_), a = focus_;
  const double rho = std::hypot(x_1, x_2), cos_psi = rho > 0.0 ? x_1 / rho : 1.0,
               sin_psi = rho > 0.0 ? x_2 / rho : 0.0;
  const double xi = std::atanh(2.0 * a * z / (rho * rho + z * z + a * a)),
               eta = std::atan2(2.0 * a * rho, rho * rho + z * z - a * a);
  const double sinh_half = std::sinh(0.5 * xi), sin_half = std::sin(0.5 * eta);
  const double d = 2.0 * (sinh_half * sinh_half + sin_half * sin_half);  // cosh xi - cos eta
  const double root = std::sqrt(d), speed_along = dot(stream_, along_),
               speed_across = dot(stream_, across_);

  const Series along = sum_series(coefficient_[0], 0, xi, xi_0_, eta),
               across = sum_series(coefficient_[1], 1, xi, xi_0_, eta);
  const auto both = [&](double Series::*part) {
    return speed_along * along.*part + speed_across * cos_psi * across.*part;
  };
  const double sum = both(&Series::sum);
  const double slope_xi = 0.5 * std::sinh(xi) / root * sum + root * both(&Series::along_xi),
               slope_eta = 0.5 * std::sin(eta) / root * sum + root * both(&Series::along_eta);
  const double slope_psi = -root * speed_across * sin_psi * across.over_sine;  // over sin eta

  const Vec3d radial = cos_psi * across_ + sin_psi * third_,
              around = cos_psi * third_ - sin_psi * across_;
  const double turned =
      2.0 * (sin_half * sin_half - std::cos(eta) * sinh_half * sinh_half);  // 1 - cosh xi cos eta
  const double mixed = std::sinh(xi) * std::sin(eta);
  const Vec3d gradient = slope_xi * (turned * along_ - mixed * radial) -
                         slope_eta * (mixed * along_ + turned * radial) + slope_psi * d * around;
  return {root * sum, gradient / a};
}

double TwoSpheresFlow::potential(const Vec3d& x) const { return perturbation(x).phi; }

Vec3d TwoSpheresFlow::velocity(const Vec3d& x) const { return stream_ + perturbation(x).velocity; }

SurfaceState TwoSpheresFlow::on_surface(const Vec3d& x) const {
  const double side = dot(x - middle_, along_) >= 0.0 ? 1.0 : -1.0;
  const Vec3d centre = middle_ + side * half_distance_ * along_;
  const Vec3d normal = normalized(x - centre);
  const State state = perturbation(centre + radius_ * normal);
  const Vec3d u = stream_ + state.velocity;
  return {state.phi, u - dot(u, normal) * normal, pressure_coefficient(u, stream_)};
}

}  // namespace rankine::bem
