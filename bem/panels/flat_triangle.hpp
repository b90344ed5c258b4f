// Exact integrals over one flat triangle, by the formulas of bem/panels/panel_integrals.hpp. Host
// and device.
#pragma once

#include <cmath>

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/select.hpp"
#include "rankine/fmm/core/solid_angle.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {
namespace detail {

/// A point x relative to a triangle.
template <class T>
struct TriangleView {
  const Vec3<T>* corner;
  Vec3<T> r_v[3];  ///< x minus the corners
  T r[3];
  T dots[3];  ///< scalar products of r_v[k] and the next

  RANKINE_HD TriangleView(const Vec3<T>* corners, const Vec3<T>& x) : corner(corners) {
    for (int k = 0; k < 3; ++k) {
      r_v[k] = x - corner[k];
      r[k] = norm(r_v[k]);
    }
    for (int k = 0; k < 3; ++k) dots[k] = dot(r_v[k], r_v[(k + 1) % 3]);
  }
};

/// Adds the part from the solid angle and returns the unit normal. `own`: x lies in the triangle,
/// up to rounding. The solid angle is then zero, whatever the sign of the rounded height.
template <IntegralSet wanted, class T>
RANKINE_HD Vec3<T> add_solid_angle(const TriangleView<T>& v, bool own, PanelIntegrals<T>& sum) {
  const Vec3<T> twice_area_normal = cross(v.corner[1] - v.corner[0], v.corner[2] - v.corner[0]);
  const T twice_area = norm(twice_area_normal);
  using std::abs;
  const auto has_area = twice_area > T(0);
  if (!any(has_area)) return {};
  const Vec3<T> normal = twice_area_normal * select(has_area, T(1) / twice_area, T(0));
  const T in_plane = T(sizeof(T) == 4 ? 4e-6 : 1e-14);
  const T z = dot(normal, v.r_v[0]);
  const auto above = has_area && abs(z) > in_plane * (v.r[0] + v.r[1] + v.r[2]);
  if (!any(above)) return normal;  // principal value
  const T whole =
      triangle_solid_angle(twice_area * z, v.r[0], v.r[1], v.r[2], v.dots[0], v.dots[1], v.dots[2]);
  const T angle = select(own ? above && abs(whole) <= T(3.14159265358979324) : above, whole, T(0));
  if constexpr (wanted.dbl) sum.dbl += angle;
  if constexpr (wanted.single) sum.single -= z * angle;
  if constexpr (wanted.grad_single) sum.grad_single -= normal * angle;
  return normal;
}

/// Edge integrals, divided by the edge lengths: Q, and int dl/r^3.
template <class T>
struct EdgeIntegrals {
  T logarithm[3]{}, inverse_cube[3]{};
};

/// The edge from a to b relative to x: `r_v` = x - a, `r` and `next_r` the distances of its ends,
/// `ends` the scalar product of the vectors to them.
template <class T>
struct EdgeView {
  Vec3<T> c;  ///< Ra x Rb
  T length2, around, above, below, product;

  RANKINE_HD EdgeView(const Vec3<T>& a_to_b, const Vec3<T>& r_v, T r, T next_r, T ends)
      : c(cross(a_to_b, r_v)),
        length2(dot(a_to_b, a_to_b)),
        around(r + next_r),
        product(r * next_r) {
    // ra rb + Ra.Rb = below / above without cancellation, kept above zero on the edge itself.
    const auto ahead = ends >= T(0);
    above = select(ahead, T(1), product - ends);
    below = select(ahead, product + ends, dot(c, c)) + T(1e-30) * length2 * above;
  }
  /// Q = log1p of this, for an edge of length `length`.
  RANKINE_HD T ratio(T length) const { return length * (around + length) * above / below; }
  /// int dl/r^3 over the length.
  RANKINE_HD T inverse_cube() const {
    const T between = product * below;
    return select(between > T(0), around * above / between, T(0));
  }
};

/// Adds the parts from the edges: the single layer and its gradient without the solid angle, and
/// grad dbl as vortex filaments. The last edge may be the diagonal of a quadrilateral, which has no
/// filament. Returns the edge integrals; those that are not needed are zero.
template <IntegralSet wanted, class T>
RANKINE_HD EdgeIntegrals<T> add_edges(const TriangleView<T>& v, const Vec3<T>& normal,
                                      bool last_is_diagonal, PanelIntegrals<T>& sum) {
  using std::log1p;
  using std::sqrt;
  EdgeIntegrals<T> of_edges;
  T ratio[3], inverse_length[3], outward[3];
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const EdgeView<T> edge(v.corner[next] - v.corner[k], v.r_v[k], v.r[k], v.r[next], v.dots[k]);
    if constexpr (wanted.edge_logarithms()) {
      const T length = sqrt(edge.length2);
      const auto is_edge = edge.length2 > T(0);
      ratio[k] = select(is_edge, edge.ratio(length), T(0));
      inverse_length[k] = select(is_edge, T(1) / length, T(0));
      // nu L = (b - a) x n, hence nu.(a - x) L = -((b - a) x n).(x - a) = n.((b - a) x (x - a)).
      outward[k] = dot(normal, edge.c);
    }
    if constexpr (wanted.grad_dbl) {
      if (!(k == 2 && last_is_diagonal)) {
        of_edges.inverse_cube[k] = edge.inverse_cube();
        sum.grad_dbl -= edge.c * of_edges.inverse_cube[k];
      }
    }
  }
  if constexpr (wanted.edge_logarithms()) {
    for (int k = 0; k < 3; ++k) {
      const T q = of_edges.logarithm[k] = log1p(ratio[k]) * inverse_length[k];
      if constexpr (wanted.single) sum.single += outward[k] * q;
      if constexpr (wanted.grad_single) {
        sum.grad_single -= cross(v.corner[k == 2 ? 0 : k + 1] - v.corner[k], normal) * q;
      }
    }
  }
  return of_edges;
}

/// Adds one flat triangle. `own`: x is a point of the triangle; `half`: its last edge is a
/// diagonal.
template <IntegralSet wanted, class T>
RANKINE_HD void add_flat_triangle(const Vec3<T>* corner, const Vec3<T>& x, bool own, bool half,
                                  PanelIntegrals<T>& sum) {
  const TriangleView<T> view(corner, x);
  Vec3<T> normal{};
  if constexpr (wanted.solid_angle()) normal = add_solid_angle<wanted>(view, own, sum);
  if constexpr (wanted.edge_logarithms() || wanted.grad_dbl) {
    add_edges<wanted>(view, normal, half, sum);
  }
}

}  // namespace detail

}  // namespace rankine::bem
