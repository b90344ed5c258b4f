#include "rankine/bem/fields/wall_state.hpp"

#include <cassert>
#include <utility>

namespace rankine::bem {
namespace {

/// The derivative J d of grad phi from its derivatives g_1, g_2 along the tangents a_1, a_2 of
/// a wall.
Vec3d along(const Vec3d& direction, const Vec3d& n, const std::array<Vec3d, 2>& a,
            const std::array<Vec3d, 2>& g) {
  const double aa = dot(a[0], a[0]), ab = dot(a[0], a[1]), bb = dot(a[1], a[1]),
               determinant = aa * bb - ab * ab;
  const std::array<Vec3d, 2> dual{(bb * a[0] - ab * a[1]) / determinant,
                                  (aa * a[1] - ab * a[0]) / determinant};
  const Vec3d normal_part = dot(g[0], n) * dual[0] + dot(g[1], n) * dual[1] -
                            (dot(g[0], dual[0]) + dot(g[1], dual[1])) * n;
  return dot(direction, n) * normal_part + dot(direction, dual[0]) * g[0] +
         dot(direction, dual[1]) * g[1];
}

}  // namespace

WallState wall_state(const Panels& panels, std::span<const double> potential,
                     std::span<const Vec3d> perturbation, std::int32_t panel,
                     const SurfacePoint& surface, const Vec3d& direction, PanelPatch& patch) {
  patch.move_to(panel);
  const Vec3d r = (surface.point - panels.centroid[panel]) / patch.scale();
  const double xi = dot(r, patch.t1()), eta = dot(r, patch.t2());
  const PanelNeighbourhood& around = patch.neighbourhood();
  WallState wall;
  const auto fits = patch.fits<4>([&](std::int32_t j) {
    const Vec3d u = around.value(perturbation, j);
    return std::array{u.x, u.y, u.z, around.value(potential, j)};
  });
  wall.state.phi = fits[3](xi, eta);
  std::array<Vec3d, 2> g;
  for (int axis = 0; axis < 3; ++axis) {
    const PlanePolynomial& fit = fits[static_cast<std::size_t>(axis)];
    wall.state.gradient[axis] = fit(xi, eta);
    const PlanePolynomial::Slopes slopes = fit.slopes(xi, eta);
    g[0][axis] = slopes.x / patch.scale();
    g[1][axis] = slopes.y / patch.scale();
  }
  // Steps in the plane of the fit, projected along its normal onto the surface.
  const double upright = dot(patch.normal(), surface.normal);
  constexpr double least_upright = 0.5;  // a steeper wall is not a graph over the plane
  wall.knows_slope = upright > least_upright;
  if (!wall.knows_slope) return wall;
  const auto lifted = [&](const Vec3d& t) {
    return t - (dot(t, surface.normal) / upright) * patch.normal();
  };
  wall.slope = along(direction, surface.normal, {lifted(patch.t1()), lifted(patch.t2())}, g);
  return wall;
}

template <class Value, std::size_t Most>
void WayPolynomial::Newton<Value, Most>::add(double node, int known,
                                             const std::array<Value, 3>& derivatives) {
  for (int k = 0; k < known; ++k) {
    assert(count_ < Most);
    node_[count_] = node;
    Value difference = derivatives[0];
    double factorial = 1.0;
    for (std::size_t length = 1; length <= count_; ++length) {
      const Value without_newest = std::exchange(last_[length - 1], difference);
      factorial *= static_cast<double>(length);
      difference = length <= static_cast<std::size_t>(k)
                       ? derivatives[length] / factorial
                       : (difference - without_newest) / (node - node_[count_ - length]);
    }
    last_[count_] = first_[count_] = difference;
    ++count_;
  }
}

template <class Value, std::size_t Most>
Value WayPolynomial::Newton<Value, Most>::operator()(double s) const {
  Value value{};
  for (std::size_t k = count_; k-- > 0;) value = first_[k] + (s - node_[k]) * value;
  return value;
}

void WayPolynomial::add_wall(double distance, const WallState& wall) {
  add_wall(distance, wall, wall.knows_slope ? 2 : 1);
}

void WayPolynomial::add_wall(double distance, const PotentialState& wall) {
  add_wall(distance, {wall, {}}, 1);
}

void WayPolynomial::add_wall(double distance, const WallState& wall, int gradients) {
  // d/ds and d^2/ds^2 of f(t) at s = t/(1 + k t).
  const double stretch = 1.0 + curvature_ * distance, first = stretch * stretch;
  const double slope = dot(wall.state.gradient, direction_), bend = dot(wall.slope, direction_);
  const double second = first * stretch * (2.0 * curvature_ * slope + stretch * bend);
  phi_.add(stretched(distance), gradients + 1, {wall.state.phi, first * slope, second});
  gradient_.add(stretched(distance), gradients, {wall.state.gradient, first * wall.slope, Vec3d{}});
}

void WayPolynomial::add(double distance, const PotentialState& state) {
  phi_.add(stretched(distance), 1, {state.phi, 0.0, 0.0});
  gradient_.add(stretched(distance), 1, {state.gradient, Vec3d{}, Vec3d{}});
}

PotentialState WayPolynomial::at(double distance) const {
  const double s = stretched(distance);
  return {phi_(s), gradient_(s)};
}

}  // namespace rankine::bem
