#include "fmm/translation.hpp"

#include <cmath>

#include "fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

double log_factorial(int n) { return std::lgamma(n + 1.0); }

/// log K(n, m).
double log_norm(int n, int m) { return 0.5 * (log_factorial(n - m) + log_factorial(n + m)); }

double coaxial_entry(Shift shift, int n, int n2, int m, double length) {
  switch (shift) {
    case Shift::multipole_to_local: {
      const double value =
          std::exp(log_factorial(n + n2) - log_norm(n, m) - log_norm(n2, m) - (n + n2 + 1) * std::log(length));
      return (n + m) % 2 == 0 ? value : -value;
    }
    case Shift::multipole_to_multipole:
      if (n2 > n) return 0.0;
      return std::exp(log_norm(n, m) - log_norm(n2, m) - log_factorial(n - n2) + (n - n2) * std::log(length)) *
             std::ldexp(1.0, -n2);
    case Shift::local_to_local: return 0.5 * coaxial_entry(Shift::multipole_to_multipole, n2, n, m, length);
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
        shifted[coefficient_index(a + i, m)] += matrix[i * size + j] * c[coefficient_index(a + j, m)];
      }
    }
  }
  c = rotate_y(t, true, shifted);
  rotate_z(t, -1.0, c);
  return c;
}

}  // namespace

Translation make_translation(Shift shift, const Vec3d& t, int order) {
  const double length = norm(t);
  const double rho = std::hypot(t.x, t.y);
  const double phi = rho > 0.0 ? std::atan2(t.y, t.x) : 0.0;
  Translation result{order, {}, {}, RotationY(order, t.z / length, rho / length), {}};
  for (int m = 0; m < order; ++m) {
    result.cos_phi.push_back(std::cos(m * phi));
    result.sin_phi.push_back(std::sin(m * phi));
  }
  result.coaxial.reserve(Translation::coaxial_size(order));
  for (int m = 0; m < order; ++m) {
    for (int n = m; n < order; ++n) {
      for (int n2 = m; n2 < order; ++n2) result.coaxial.push_back(coaxial_entry(shift, n, n2, m, length));
    }
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
    for (int row = 0; row < size; ++row) matrix[static_cast<std::size_t>(row) * size + column] = image[row];
  }
  return matrix;
}

}  // namespace rankine::fmm
