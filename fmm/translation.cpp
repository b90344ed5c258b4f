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

/// Turns the coefficients by -phi about z, or by +phi where `sign` is -1.
void rotate_z(const Translation& t, double sign, std::vector<double>& c) {
  for (int n = 0; n < t.order; ++n) {
    for (int m = 1; m <= n; ++m) {
      double& a = c[coefficient_index(n, m)];
      double& b = c[coefficient_index(n, -m)];
      const double cosine = t.cos_phi[m], sine = sign * t.sin_phi[m];
      const double turned = cosine * a + sine * b;
      b = cosine * b - sine * a;
      a = turned;
    }
  }
}

/// Applies D (or its transpose) of the rotation about y.
std::vector<double> rotate_y(const Translation& t, bool transpose, const std::vector<double>& c) {
  std::vector<double> result(c.size());
  for (int n = 0; n < t.order; ++n) {
    for (int m = 0; m <= n; ++m) {
      for (int m2 = 0; m2 <= n; ++m2) {
        const double d = transpose ? t.rotation.cosine(n, m2, m) : t.rotation.cosine(n, m, m2);
        result[coefficient_index(n, m)] += d * c[coefficient_index(n, m2)];
        if (m == 0 || m2 == 0) continue;
        const double e = transpose ? t.rotation.sine(n, m2, m) : t.rotation.sine(n, m, m2);
        result[coefficient_index(n, -m)] += e * c[coefficient_index(n, -m2)];
      }
    }
  }
  return result;
}

std::vector<double> apply(const Translation& t, std::vector<double> c) {
  rotate_z(t, 1.0, c);
  c = rotate_y(t, false, c);
  std::vector<double> shifted(c.size());
  for (int m = -(t.order - 1); m < t.order; ++m) {
    const int a = std::abs(m), size = t.order - a;
    const double* matrix = t.coaxial.data() + Translation::coaxial_at(t.order, a);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        shifted[coefficient_index(a + i, m)] +=
            matrix[i * size + j] * c[coefficient_index(a + j, m)];
      }
    }
  }
  c = rotate_y(t, true, shifted);
  rotate_z(t, -1.0, c);
  return c;
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

std::vector<double> dense_matrix(const Translation& translation) {
  const int size = coefficient_count(translation.order);
  std::vector<double> matrix(static_cast<std::size_t>(size) * size);
  for (int column = 0; column < size; ++column) {
    std::vector<double> unit(size);
    unit[column] = 1.0;
    const std::vector<double> image = apply(translation, std::move(unit));
    for (int row = 0; row < size; ++row)
      matrix[static_cast<std::size_t>(row) * size + column] = image[row];
  }
  return matrix;
}

}  // namespace rankine::fmm
