// Harmonic polynomials: potentials within bodies that are known everywhere.
#pragma once

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::testing {

/// A harmonic polynomial of each degree from 1 to 4.
inline double polynomial(int degree, const Vec3d& p) {
  const double x = p.x, y = p.y, z = p.z;
  switch (degree) {
    case 1:
      return 0.3 * x - 0.5 * y + 0.8 * z;
    case 2:
      return x * x - y * y + 0.5 * y * z;
    case 3:
      return x * x * x - 3.0 * x * y * y + 0.4 * x * y * z;
    default:
      return x * x * x * x - 6.0 * x * x * y * y + y * y * y * y +
             0.2 * z * (x * x * x - 3.0 * x * y * y);
  }
}

/// Its gradient.
inline Vec3d gradient(int degree, const Vec3d& p) {
  const double x = p.x, y = p.y, z = p.z;
  switch (degree) {
    case 1:
      return {0.3, -0.5, 0.8};
    case 2:
      return {2.0 * x, -2.0 * y + 0.5 * z, 0.5 * y};
    case 3:
      return {3.0 * x * x - 3.0 * y * y + 0.4 * y * z, -6.0 * x * y + 0.4 * x * z, 0.4 * x * y};
    default:
      return {4.0 * x * x * x - 12.0 * x * y * y + 0.6 * z * (x * x - y * y),
              -12.0 * x * x * y + 4.0 * y * y * y - 1.2 * x * y * z,
              0.2 * (x * x * x - 3.0 * x * y * y)};
  }
}

}  // namespace rankine::testing
