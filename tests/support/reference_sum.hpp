// Reference sums, one pair at a time in double precision.
#pragma once

#include <cmath>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::testing {

struct Field {
  std::vector<double> potential, gradient;  ///< targets; targets x 3
};

/// Charges q and dipole moments d (x, y, z per source), either possibly empty.
inline Field direct_sum(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
                        const std::vector<double>& q, const std::vector<double>& d) {
  Field field{std::vector<double>(targets.size()), std::vector<double>(3 * targets.size())};
  parallel_for(targets.size(), [&](std::size_t i) {
    double potential = 0.0;
    Vec3d gradient;
    for (std::size_t j = 0; j < sources.size(); ++j) {
      const Vec3d r = targets[i] - sources[j];
      const double r2 = dot(r, r);
      if (r2 == 0.0) continue;
      const double u = 1.0 / std::sqrt(r2), u3 = u * u * u;
      if (!q.empty()) {
        potential += q[j] * u;
        gradient -= r * (q[j] * u3);
      }
      if (!d.empty()) {
        const Vec3d moment{d[3 * j], d[3 * j + 1], d[3 * j + 2]};
        const double projection = dot(moment, r) * u3;
        potential += projection;
        gradient += moment * u3 - r * (3.0 * projection * u * u);
      }
    }
    field.potential[i] = potential;
    for (int axis = 0; axis < 3; ++axis) field.gradient[3 * i + axis] = gradient[axis];
  });
  return field;
}

}  // namespace rankine::testing
