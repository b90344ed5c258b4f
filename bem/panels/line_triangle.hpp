// The intersection of a line with the flat triangle through the corners of a patch.
#pragma once

#include <algorithm>
#include <optional>

#include "rankine/bem/panels/panel_shape.hpp"

namespace rankine::bem {

struct LineHit {
  double t = 0.0;           ///< position along the line, in units of its vector
  double inside = 0.0;      ///< the smallest barycentric coordinate there; negative outside the
                            ///< triangle
  bool from_front = false;  ///< the line comes from the side that the normal points to
};

/// The intersection `from + t direction` of the line with the plane of the triangle; none if they
/// are parallel.
inline std::optional<LineHit> meet(const Vec3d& from, const Vec3d& direction,
                                   const TrianglePatch<double>& triangle) {
  const Vec3d u = triangle.corner[1] - triangle.corner[0],
              v = triangle.corner[2] - triangle.corner[0], normal = cross(u, v);
  const double along = dot(direction, normal);
  if (along == 0.0) return std::nullopt;
  const double t = dot(triangle.corner[0] - from, normal) / along;
  const Vec3d r = from + t * direction - triangle.corner[0];
  const double n2 = dot(normal, normal), b = dot(cross(r, v), normal) / n2,
               c = dot(cross(u, r), normal) / n2;
  return LineHit{t, std::min({b, c, 1.0 - b - c}), along < 0.0};
}

}  // namespace rankine::bem
