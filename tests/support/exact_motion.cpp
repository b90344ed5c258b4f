#include "tests/support/exact_motion.hpp"

#include "rankine/bem/flow/exact.hpp"

namespace rankine::bem {

EllipsoidAddedMass ellipsoid_added_mass(const Vec3d& semi_axes) {
  const Vec3d k = EllipsoidFlow(semi_axes, {}).added_mass();
  EllipsoidAddedMass result{k, {}};
  for (int axis = 0; axis < 3; ++axis) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    const double b = semi_axes[y] * semi_axes[y], c = semi_axes[z] * semi_axes[z];
    const double alpha_y = 2.0 * k[y] / (1.0 + k[y]), alpha_z = 2.0 * k[z] / (1.0 + k[z]);
    const double difference = b - c;
    if (difference == 0.0) continue;
    result.rotation[axis] = difference * difference * (alpha_z - alpha_y) /
                            (5.0 * (2.0 * difference + (b + c) * (alpha_y - alpha_z)));
  }
  return result;
}

}  // namespace rankine::bem
