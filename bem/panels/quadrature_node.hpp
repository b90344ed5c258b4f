// A node of a quadrature rule on a surface.
#pragma once

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct QuadratureNode {
  Vec3d point, normal;  ///< m; unit
  double weight;        ///< m^2
};

}  // namespace rankine::bem
