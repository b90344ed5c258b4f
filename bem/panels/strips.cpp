#include "rankine/bem/panels/strips.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rankine::bem {
namespace {

/// An edge longer than this multiple of the triangle's height is not the end of a strip.
constexpr double longest_end = 2.5;

struct GaussPoint {
  double place, weight;  ///< for the interval (0, 1)
};

/// Gauss-Legendre points.
std::array<GaussPoint, StripRule::most_points> gauss_points(int count) {
  switch (count) {
    case 1:
      return {{{0.5, 1.0}}};
    case 2:
      return {{{0.21132486540518712, 0.5}, {0.78867513459481288, 0.5}}};
    case 3:
      return {{{0.11270166537925831, 5.0 / 18}, {0.5, 8.0 / 18}, {0.88729833462074169, 5.0 / 18}}};
    default:
      assert(count == 4);
      return {{{0.069431844202973713, 0.17392742256872693},
               {0.33000947820757187, 0.32607257743127307},
               {0.66999052179242813, 0.32607257743127307},
               {0.93056815579702629, 0.17392742256872693}}};
  }
}

Vec3d point_of(const TrianglePatch<double>& triangle, const Vec3d& at) {
  return triangle.point(at.x, at.y, at.z);
}

Vec3d corner_of(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

Wedge wedge_of(const TrianglePatch<double>& triangle, const Vec3d& tip, const Vec3d& left,
               const Vec3d& right) {
  const auto flat = [&](const Vec3d& at) {
    return triangle.corner[0] * at.x + triangle.corner[1] * at.y + triangle.corner[2] * at.z;
  };
  return {tip, left, right, norm(flat(tip) - flat(0.5 * (left + right))),
          norm(flat(right) - flat(left))};
}

Vec3d place(const Wedge& wedge, double u, double v) {
  return (1.0 - u) * wedge.tip + u * ((1.0 - v) * wedge.left + v * wedge.right);
}

}  // namespace

Wedges wedges_of(const TrianglePatch<double>& triangle) {
  double edge2[3];  // squared length of the edge opposite corner k
  for (int k = 0; k < 3; ++k) {
    const Vec3d edge = triangle.corner[(k + 2) % 3] - triangle.corner[(k + 1) % 3];
    edge2[k] = dot(edge, edge);
  }
  const int top = static_cast<int>(std::max_element(edge2, edge2 + 3) - edge2);
  const int tip = static_cast<int>(std::min_element(edge2, edge2 + 3) - edge2);
  const Vec3d a = triangle.corner[top], b = triangle.corner[(top + 1) % 3],
              c = triangle.corner[(top + 2) % 3];
  const double height = norm(cross(c - b, a - b)) / std::sqrt(edge2[top]);
  Wedges wedges;
  if (std::sqrt(edge2[tip]) <= longest_end * height) {
    wedges.wedge[0] =
        wedge_of(triangle, corner_of(tip), corner_of((tip + 1) % 3), corner_of((tip + 2) % 3));
    wedges.count = 1;
    return wedges;
  }
  const double t = dot(a - b, c - b) / edge2[top];
  const Vec3d at_a = corner_of(top), at_b = corner_of((top + 1) % 3),
              at_c = corner_of((top + 2) % 3);
  const Vec3d projection = (1.0 - t) * at_b + t * at_c;
  wedges.wedge = {wedge_of(triangle, at_b, projection, at_a),
                  wedge_of(triangle, at_c, at_a, projection)};
  wedges.count = 2;
  return wedges;
}

StripBall strip_ball(const TrianglePatch<double>& triangle, const Wedge& wedge,
                     const Strip& strip) {
  StripBall ball{point_of(triangle, place(wedge, 0.5 * (strip.from + strip.to), 0.5)), 0.0};
  for (const double u : {strip.from, strip.to}) {
    for (const double v : {0.0, 1.0}) {
      ball.radius =
          std::max(ball.radius, norm(point_of(triangle, place(wedge, u, v)) - ball.centre));
    }
  }
  return ball;
}

QuadratureNode* place_on_strip(const TrianglePatch<double>& triangle, const Wedge& wedge,
                               const Strip& strip, const StripRule& rule, QuadratureNode* out) {
  const double share = std::abs(dot(wedge.tip, cross(wedge.left, wedge.right)));
  const auto along = gauss_points(rule.along), across = gauss_points(rule.across);
  const double length = strip.to - strip.from;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.along); ++i) {
    const double u = strip.from + length * along[i].place;
    const double slice = 2.0 * u * length * share * along[i].weight;
    for (std::size_t j = 0; j < static_cast<std::size_t>(rule.across); ++j) {
      const Vec3d at = place(wedge, u, across[j].place);
      const Vec3d vector_area = triangle.vector_area(at.x, at.y, at.z);
      const double area = norm(vector_area);
      *out++ = {point_of(triangle, at), area > 0.0 ? vector_area / area : Vec3d{},
                slice * across[j].weight * area};
    }
  }
  return out;
}

}  // namespace rankine::bem
