#include "bem/quadrature.hpp"

#include <cassert>
#include <cmath>

namespace rankine::bem {
namespace {

using Line = std::vector<std::array<double, 2>>;

void add_orbit3(std::vector<TrianglePoint>& rule, double b, double weight) {
  const double a = 1.0 - 2.0 * b;
  rule.push_back({a, b, b, weight});
  rule.push_back({b, a, b, weight});
  rule.push_back({b, b, a, weight});
}

/// Gauss-Legendre on [0, 1], weights summing to 1.
Line gauss_legendre(int points) {
  const double half = 0.5;
  if (points == 2)
    return {{half - half / std::sqrt(3.0), half}, {half + half / std::sqrt(3.0), half}};
  assert(points == 3);
  return {{half - half * std::sqrt(0.6), 5.0 / 18},
          {half, 8.0 / 18},
          {half + half * std::sqrt(0.6), 5.0 / 18}};
}

/// Gauss-Jacobi on [0, 1] for the weight 2 (1 - s), weights summing to 1.
Line gauss_jacobi(int points) {
  const double root = std::sqrt(6.0);
  if (points == 2) {
    return {{(4.0 - root) / 10.0, 0.5 + root / 18.0}, {(4.0 + root) / 10.0, 0.5 - root / 18.0}};
  }
  assert(points == 3);
  return {{0.08858795951270395, 0.4018638274779192},
          {0.4094668644407347, 0.4584822127191725},
          {0.7876594617608471, 0.1396539598029082}};
}

/// The product rule collapsed onto the triangle: degree 2m - 2 in two variables at least [Stroud
/// 1971].
std::vector<TrianglePoint> collapsed_rule(int m) {
  std::vector<TrianglePoint> rule;
  for (const auto& [s, ws] : gauss_jacobi(m)) {
    for (const auto& [t, wt] : gauss_legendre(m)) {
      rule.push_back({s, (1.0 - s) * (1.0 - t), (1.0 - s) * t, ws * wt});
    }
  }
  return rule;
}

/// Puts a node of a quadrilateral onto the nearer of its two triangles, along the panel's mean
/// normal.
Vec3d onto_triangles(const PanelShape<double>& q, const Vec3d& point) {
  const Vec3d& a = q.corner[0];
  const Vec3d diagonal = q.corner[2] - a;
  const Vec3d mean_normal = cross(diagonal, q.corner[3] - q.corner[1]);
  const bool beside_corner1 = dot(cross(diagonal, point - a), mean_normal) < 0.0;
  const Vec3d normal =
      beside_corner1 ? cross(q.corner[1] - a, diagonal) : cross(diagonal, q.corner[3] - a);
  return point - mean_normal * (dot(normal, point - a) / dot(normal, mean_normal));
}

}  // namespace

std::vector<TrianglePoint> triangle_rule(int points) {
  std::vector<TrianglePoint> rule;
  switch (points) {
    case 1:
      rule.push_back({1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0});
      break;
    case 3:
      add_orbit3(rule, 1.0 / 6, 1.0 / 3);
      break;
    case 6:
      add_orbit3(rule, 0.44594849091596489, 0.22338158967801147);
      add_orbit3(rule, 0.09157621350977073, 0.10995174365532187);
      break;
    case 7: {
      const double root = std::sqrt(15.0);
      rule.push_back({1.0 / 3, 1.0 / 3, 1.0 / 3, 9.0 / 40});
      add_orbit3(rule, (6.0 - root) / 21.0, (155.0 - root) / 1200.0);
      add_orbit3(rule, (6.0 + root) / 21.0, (155.0 + root) / 1200.0);
      break;
    }
    default:
      assert(false && "no such triangle rule");
  }
  return rule;
}

FarQuadrature::FarQuadrature(FarRule rule, bool has_quadrilaterals) {
  if (rule == FarRule::centroid) {
    nodes_ = 1;
    return;
  }
  const int m = rule == FarRule::quadratic ? 2 : 3;
  gauss_ = gauss_legendre(m);
  triangle_ = has_quadrilaterals ? collapsed_rule(m) : triangle_rule(m == 2 ? 3 : 6);
  nodes_ = static_cast<int>(triangle_.size());
}

void FarQuadrature::place(const PanelShape<double>& panel, const Vec3d& collocation, double area,
                          FarNode* out) const {
  if (nodes_ == 1) {
    out[0] = {collocation, area};
  } else if (panel.corners == 4) {
    place_on_quadrilateral(panel, area, out);
  } else {
    for (const TrianglePoint& p : triangle_) {
      *out++ = {p.a * panel.corner[0] + p.b * panel.corner[1] + p.c * panel.corner[2],
                p.weight * area};
    }
  }
}

void FarQuadrature::place_on_quadrilateral(const PanelShape<double>& q, double area,
                                           FarNode* out) const {
  double sum = 0.0;
  int count = 0;
  for (const auto& [v, wv] : gauss_) {
    for (const auto& [u, wu] : gauss_) {
      const Vec3d low = (1 - u) * q.corner[0] + u * q.corner[1];
      const Vec3d high = (1 - u) * q.corner[3] + u * q.corner[2];
      const Vec3d along_u = (1 - v) * (q.corner[1] - q.corner[0]) + v * (q.corner[2] - q.corner[3]);
      const double weight = wu * wv * norm(cross(along_u, high - low));
      out[count++] = {onto_triangles(q, (1 - v) * low + v * high), weight};
      sum += weight;
    }
  }
  for (int k = 0; k < count; ++k) out[k].weight *= area / sum;
}

}  // namespace rankine::bem
