// Two unit vectors that make a right-handed frame with a unit normal.
#pragma once

#include <cmath>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct Tangents {
  Vec3d t1, t2;

  RANKINE_HD explicit Tangents(const Vec3d& normal) {
    const Vec3d apart = fabs(normal.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    t1 = normalized(cross(apart, normal));
    t2 = cross(normal, t1);
  }
};

}  // namespace rankine::bem
