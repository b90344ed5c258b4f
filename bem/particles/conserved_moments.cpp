#include "rankine/bem/particles/conserved_moments.hpp"

#include <cstddef>
#include <limits>

#include "rankine/bem/dense_matrix.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

void conserve_moments(const meshes::Symmetry& symmetry, std::span<const Vec3d> positions,
                      std::span<Vec3d> changes) {
  if (changes.empty()) return;
  const Vec3d origin = positions[0];  // differences have no rounding errors if all are close
  // Of term(x - origin, t) over all particles and images.
  const auto sum_of = [&](const auto& term) {
    return parallel_sum(changes.size(), [&](std::size_t i) {
      auto sum = term(positions[i] - origin, changes[i]);
      for (int image = 1; image < symmetry.images(); ++image)
        sum += term(symmetry.point(image, positions[i]) - origin,
                    (symmetry.turns(image) ? -1.0 : 1.0) * symmetry.vector(image, changes[i]));
      return sum;
    });
  };
  const double mass = sum_of([](const Vec3d&, const Vec3d& t) { return norm(t); });
  if (!(mass > 0.0)) return;
  const Vec3d velocity = sum_of([](const Vec3d&, const Vec3d& t) { return t; }) / mass;
  const Vec3d centre = sum_of([](const Vec3d& x, const Vec3d& t) { return norm(t) * x; }) / mass;
  const Vec3d momentum =
      sum_of([&](const Vec3d& x, const Vec3d& t) { return cross(x - centre, t); });
  DenseMatrix inertia(3, 3);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d unit{};
    unit[axis] = 1.0;
    const Vec3d column = sum_of([&](const Vec3d& x, const Vec3d& t) {
      return norm(t) * cross(x - centre, cross(unit, x - centre));
    });
    for (int row = 0; row < 3; ++row) inertia(row, axis) = column[row];
  }
  // Masses on a line do not determine the rotation about it.
  const DenseMatrix inverse = pseudo_inverse(inertia, std::numeric_limits<double>::epsilon());
  Vec3d rotation{};
  for (int axis = 0; axis < 3; ++axis)
    rotation += momentum[axis] * Vec3d{inverse(0, axis), inverse(1, axis), inverse(2, axis)};
  parallel_for(changes.size(), [&](std::size_t i) {
    changes[i] -= norm(changes[i]) * (velocity + cross(rotation, positions[i] - origin - centre));
  });
}

}  // namespace rankine::bem
