// Added mass of an ellipsoid for translation along and rotation about its axes.
//
//   k_x  = alpha_x / (2 - alpha_x)                                    times rho V   [L32 sec. 114]
//   k'_x = (b^2 - c^2)^2 (alpha_z - alpha_y)
//          / (5 (2 (b^2 - c^2) + (b^2 + c^2) (alpha_y - alpha_z)))    times rho V   [L32 sec. 115]
//
// y and z cyclic; alpha as in bem/flow/exact.hpp.
#pragma once

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct EllipsoidAddedMass {
  Vec3d translation;  ///< over rho V
  Vec3d rotation;     ///< over rho V, m^2
};

/// Throws InputError for semi-axes that are not positive.
EllipsoidAddedMass ellipsoid_added_mass(const Vec3d& semi_axes);

}  // namespace rankine::bem
