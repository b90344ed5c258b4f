#include "rankine/bem/panels/rigid_motion.hpp"

#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Calls `add(x, n dA)` at the points of a rule on a panel. On a quadratic patch n dA is also
/// quadratic.
template <class Add>
void for_points(const std::vector<TrianglePoint>& rule, const PanelShape<double>& shape,
                const Add& add) {
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule)
      add(triangle.point(p.a, p.b, p.c), p.weight * triangle.vector_area(p.a, p.b, p.c));
  }
}

/// The index with the largest value.
template <class Value>
std::size_t largest(std::size_t count, const Value& value) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (value(i) > value(best)) best = i;
  }
  return best;
}

}  // namespace

RigidTurn::RigidTurn(std::span<const Vec3d> before, std::span<const Vec3d> after) {
  const auto from_first = [&](std::size_t i) { return before[i] - before[0]; };
  const std::size_t b = largest(before.size(), [&](std::size_t i) { return norm(from_first(i)); });
  const std::size_t c = largest(
      before.size(), [&](std::size_t i) { return norm(cross(from_first(b), from_first(i))); });
  const auto set = [&](Vec3d* axes, std::span<const Vec3d> points) {
    axes[0] = normalized(points[b] - points[0]);
    axes[1] = normalized(cross(axes[0], points[c] - points[0]));
    axes[2] = cross(axes[0], axes[1]);
  };
  set(from_, before);
  set(to_, after);
}

std::vector<Vec3d> moments_of_area(const Panels& panels) {
  static const std::vector<TrianglePoint> quartic = triangle_rule(6);
  std::vector<Vec3d> moments(panels.size());
  parallel_for(panels.size(), [&](std::size_t i) {
    for_points(quartic, panels.shape[i],
               [&](const Vec3d& x, const Vec3d& area) { moments[i] += cross(x, area); });
  });
  return moments;
}

std::vector<Solid> solids(const Panels& panels, std::span<const std::int32_t> body,
                          std::size_t bodies) {
  static const std::vector<TrianglePoint> sextic = triangle_rule(12);
  std::vector<Solid> of_panel(panels.size()), found(bodies);
  const Vec3d origin = panels.symmetry.origin();  // the part of a body in a plane adds nothing
  parallel_for(panels.size(), [&](std::size_t i) {
    for_points(sextic, panels.shape[i], [&](const Vec3d& point, const Vec3d& area) {
      const Vec3d x = point - origin;
      of_panel[i].volume += dot(x, area) / 3.0;
      for (int axis = 0; axis < 3; ++axis)
        of_panel[i].moment[axis] += 0.5 * x[axis] * x[axis] * area[axis];
    });
  });
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Solid& solid = found[static_cast<std::size_t>(body[i])];
    solid.volume += of_panel[i].volume;
    solid.moment += of_panel[i].moment + of_panel[i].volume * origin;
  }
  return found;
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
