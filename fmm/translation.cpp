#include "rankine/fmm/translation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

/// log n! for n up to 2 max_order.
double log_factorial(int n) {
  static const std::vector<double> table = [] {
    std::vector<double> values;
    for (int i = 0; i <= 2 * max_order; ++i) values.push_back(std::lgamma(i + 1.0));
    return values;
  }();
  return table[n];
}

/// log K(n, m).
double log_norm(int n, int m) { return 0.5 * (log_factorial(n - m) + log_factorial(n + m)); }

double coaxial_entry(Shift shift, int n, int n2, int m, double length) {
  switch (shift) {
    case Shift::multipole_to_local: {
      const double value = std::exp(log_factorial(n + n2) - log_norm(n, m) - log_norm(n2, m) -
                                    (n + n2 + 1) * std::log(length));
      return (n + m) % 2 == 0 ? value : -value;
    }
    case Shift::multipole_to_multipole:
      if (n2 > n) return 0.0;
      return std::exp(log_norm(n, m) - log_norm(n2, m) - log_factorial(n - n2) +
                      (n - n2) * std::log(length)) *
             std::ldexp(1.0, -n2);
    case Shift::local_to_local:
      return 0.5 * coaxial_entry(Shift::multipole_to_multipole, n2, n, m, length);
  }
  return 0.0;
}

std::vector<double> coaxial_matrices(Shift shift, double length, int order) {
  std::vector<double> matrices;
  matrices.reserve(Translation::coaxial_size(order));
  for (int m = 0; m < order; ++m) {
    for (int n = m; n < order; ++n) {
      for (int n2 = m; n2 < order; ++n2) matrices.push_back(coaxial_entry(shift, n, n2, m, length));
    }
  }
  return matrices;
}

Translation assemble(const Vec3d& t, int order, RotationY rotation, std::vector<double> coaxial) {
  const double phi = std::hypot(t.x, t.y) > 0.0 ? std::atan2(t.y, t.x) : 0.0;
  Translation result{order, {}, {}, std::move(rotation), std::move(coaxial)};
  for (int m = 0; m < order; ++m) {
    result.cos_phi.push_back(std::cos(m * phi));
    result.sin_phi.push_back(std::sin(m * phi));
  }
  return result;
}

}  // namespace

Translation make_translation(Shift shift, const Vec3d& t, int order) {
  const double length = norm(t), rho = std::hypot(t.x, t.y);
  return assemble(t, order, RotationY(order, t.z / length, rho / length),
                  coaxial_matrices(shift, length, order));
}

std::vector<Translation> make_m2l_translations(std::span<const std::int8_t> orders) {
  // Many offsets share a polar angle, and more a length: the rotations and shifts are made once.
  const int order = *std::max_element(orders.begin(), orders.end());
  using Slope = std::pair<int, int>;  // z and x^2 + y^2
  std::map<Slope, RotationY> rotations;
  std::map<std::pair<int, int>, std::vector<double>> shifts;  // by length^2 and order
  const auto slope = [](const Vec3d& t) {
    return Slope(static_cast<int>(t.z), static_cast<int>(t.x * t.x + t.y * t.y));
  };
  const auto length2 = [](const Vec3d& t) { return static_cast<int>(dot(t, t)); };
  std::vector<Translation> result(offset_count);
  for (int i = 0; i < offset_count; ++i) {
    if (!offset_is_far(i)) continue;
    const Vec3d t = offset_vector(i);
    const double length = norm(t);
    auto rotation = rotations.find(slope(t));
    if (rotation == rotations.end()) {
      const double rho = std::hypot(t.x, t.y);
      rotation = rotations.emplace(slope(t), RotationY(order, t.z / length, rho / length)).first;
    }
    auto& shift = shifts[{length2(t), orders[i]}];
    if (shift.empty()) shift = coaxial_matrices(Shift::multipole_to_local, length, orders[i]);
    result[i] = assemble(t, orders[i], rotation->second.truncated(orders[i]), shift);
  }
  return result;
}

}  // namespace rankine::fmm
