// Fractions of a quantity at points around a place, none negative, with given moments up to second
// order: sum f_j = 1, sum f_j r_j = m, sum f_j r_j r_j^T = S [SD96]. Of all such fractions those with
// the smallest
//
//   sum f_j^2 / w_j ,     w_j = (1 - r_j^2)^2 for |r_j| < 1, else 0 ,
//
// where r is in units of the radius of the neighbourhood. They are unique, and continuous in the
// positions of the points, also of those that enter and leave the neighbourhood. The dual problem has
// ten unknowns for any number of points:
//
//   f_j = w_j max(0, l.p(r_j)) ,     l maximises  l.b - 1/2 sum w_j max(0, l.p(r_j))^2 ,
//
// with the ten monomials p up to second order and their moments b. It is concave and piecewise
// quadratic: Newton's method with an exact line search ends after a few steps. Without a solution it
// is unbounded.
#pragma once

#include <array>
#include <span>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Moments, or multipliers of them: 1, x, y, z, xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 10>;

inline Moments monomials(const Vec3d& r) {
  return {1.0, r.x, r.y, r.z, r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.x * r.z, r.y * r.z};
}

/// l.p(r).
inline double dot(const Moments& l, const Moments& p) {
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += l[k] * p[k];
  return sum;
}

/// w.
inline double neighbour_weight(const Vec3d& r) {
  const double within = 1.0 - dot(r, r);
  return within > 0.0 ? within * within : 0.0;
}

/// f of a point at r.
inline double fraction(const Moments& multipliers, const Vec3d& r) {
  const double share = dot(multipliers, monomials(r));
  return share > 0.0 ? neighbour_weight(r) * share : 0.0;
}

/// Finds the multipliers for points at `r`, in units of the radius. Moments are met to 1e-12. False
/// if there are no such fractions.
bool find_fractions(std::span<const Vec3d> r, const Moments& moments, Moments& multipliers);

}  // namespace rankine::bem
