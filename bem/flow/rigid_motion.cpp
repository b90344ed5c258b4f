#include "rankine/bem/flow/rigid_motion.hpp"

#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

std::vector<Vec3d> moments_of_area(const Panels& panels) {
  static const std::vector<TrianglePoint> rule =
      triangle_rule(6);  // exact: the integrand is quartic
  std::vector<Vec3d> moments(panels.size());
  parallel_for(panels.size(), [&](std::size_t i) {
    const PanelShape<double>& shape = panels.shape[i];
    for (int half = 0; half + 2 < shape.corners; ++half) {
      const TrianglePatch<double> triangle = triangle_of(shape, half);
      for (const TrianglePoint& p : rule) {
        moments[i] +=
            p.weight * cross(triangle.point(p.a, p.b, p.c), triangle.vector_area(p.a, p.b, p.c));
      }
    }
  });
  return moments;
}

std::optional<Vec3d> common_motion(const Panels& panels, std::span<const double> normal_velocity) {
  // Least squares: A V = b with A = sum dA n n^T, by its rows.
  Vec3d row[3], right;
  double total = 0.0;
  for (std::size_t i = 0; i < normal_velocity.size(); ++i) {
    const double area = panels.area[i], w = normal_velocity[i];
    const Vec3d n = panels.vector_area[i] / area;
    for (int axis = 0; axis < 3; ++axis) row[axis] += (area * n[axis]) * n;
    right += (area * w) * n;
    total += area * w * w;
  }
  const double determinant = dot(row[0], cross(row[1], row[2]));
  if (!(total > 0.0) || determinant == 0.0) return std::nullopt;
  const Vec3d motion = (right.x * cross(row[1], row[2]) + right.y * cross(row[2], row[0]) +
                        right.z * cross(row[0], row[1])) /
                       determinant;
  double left = 0.0;
  for (std::size_t i = 0; i < normal_velocity.size(); ++i) {
    const double difference =
        normal_velocity[i] - dot(motion, panels.vector_area[i]) / panels.area[i];
    left += panels.area[i] * difference * difference;
  }
  // Normals at the points of curved panels differ slightly from the means over the panels.
  if (left > 1e-4 * total) return std::nullopt;
  return motion;
}

}  // namespace rankine::bem
