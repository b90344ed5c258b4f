// Exact integrals of constant source and doublet strengths over flat triangles and quadrilaterals.
//
//   single = int 1/r dA ,       r = x - y
//   dbl    = int n.r/r^3 dA ,   the solid angle, positive on the side n points to
//
// and their gradients with respect to x, without the factor 1/(4 pi). The edges a -> b, of length L
// and direction t, run counter-clockwise about n. With
//
//   Ra = x - a ,  ra = |Ra|                 and so for b and c
//   nu = t x n                              outward normal of an edge in the plane
//   z  = n.Ra                               height of x over the plane
//   Q  = ln((ra + rb + L)/(ra + rb - L))
//
// a triangle of area A has
//
//   single      =  sum_edges nu.(a - x) Q - z dbl                     [HS67 sec. 9; N86 eq. (2.16)]
//   grad single = -sum_edges nu Q - n dbl
//   dbl         =  2 atan2(2 A z, ra rb rc + (Ra.Rb) rc + (Rb.Rc) ra + (Rc.Ra) rb)   [OS83 eq. (8)]
//   grad dbl    = -sum_edges (Ra x Rb)(ra + rb) / (ra rb (ra rb + Ra.Rb))       [KP01 eq. (10.115)]
//
// A quadrilateral is two triangles that share one strength, so that surfaces stay watertight where
// it is warped. On the panel itself `dbl` is the principal value, 0; on an edge the gradients are
// singular and finite huge values come back. Compiled for host and device.
//
// [HS67] Hess & Smith, Prog. Aeronaut. Sci. 8 (1967).
// [N86]  Newman, J. Eng. Math. 20 (1986).
// [OS83] Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983).
// [KP01] Katz & Plotkin, Low-Speed Aerodynamics, 2nd ed. (2001).
#pragma once

#include "rankine/fmm/core/solid_angle.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Corners of one panel, counter-clockwise seen from the fluid.
/// A quadrilateral is split along corners 0-2.
template <class T>
struct PanelShape {
  Vec3<T> corner[4];
  int corners = 3;
};

template <class T>
struct PanelIntegrals {
  T single{}, dbl{};
  Vec3<T> grad_single{}, grad_dbl{};
};

namespace detail {

/// ra rb + Ra.Rb without cancellation; `cross2` = |Ra x Rb|^2. Kept above zero on the edge itself.
template <class T>
RANKINE_HD T edge_denominator(T ra, T rb, T ra_dot_rb, T cross2, T length2) {
  const T sum = ra_dot_rb >= T(0) ? ra * rb + ra_dot_rb : cross2 / (ra * rb - ra_dot_rb);
  return sum + T(1e-30) * length2;
}

/// The single layer (and its gradient) of one edge, solid angle excluded.
template <bool Gradient, class T>
RANKINE_HD void add_edge(const Vec3<T>& a_to_b, const Vec3<T>& a_to_x, T ra, T rb, T ra_dot_rb,
                         const Vec3<T>& normal, PanelIntegrals<T>& sum) {
  const T length2 = dot(a_to_b, a_to_b);
  if (!(length2 > T(0))) return;
  const T length = std::sqrt(length2);
  const Vec3<T> c = cross(a_to_b, a_to_x);
  const T denominator = edge_denominator(ra, rb, ra_dot_rb, dot(c, c), length2);
  const T perimeter = ra + rb + length;
  const T q = std::log1p(length * perimeter / denominator) / length;  // keeps digits far away
  // nu L = (b - a) x n, hence nu.(a - x) L = -((b - a) x n).(x - a) = n.((b - a) x (x - a)).
  sum.single += dot(normal, c) * q;
  if constexpr (Gradient) sum.grad_single -= cross(a_to_b, normal) * q;
}

/// A flat triangle seen from x: what the solid angle and the single layer share.
template <class T>
struct TriangleView {
  Vec3<T> normal;      ///< unit
  Vec3<T> ra, rb, rc;  ///< x minus the corners
  T ra_norm, rb_norm, rc_norm;
  T ab_dot, bc_dot, ca_dot;  ///< ra.rb, rb.rc, rc.ra
  T z;                       ///< height of x over the plane
  T angle;                   ///< solid angle, signed like z

  /// A triangle that contains x, one of its own points up to rounding (`own`), has angle zero
  /// whatever the sign of the rounded height.
  RANKINE_HD TriangleView(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& x,
                          bool own)
      : ra(x - a),
        rb(x - b),
        rc(x - c),
        ra_norm(norm(ra)),
        rb_norm(norm(rb)),
        rc_norm(norm(rc)),
        ab_dot(dot(ra, rb)),
        bc_dot(dot(rb, rc)),
        ca_dot(dot(rc, ra)),
        z(0),
        angle(0) {
    const Vec3<T> twice_area_normal = cross(b - a, c - a);
    const T twice_area = norm(twice_area_normal);
    if (!(twice_area > T(0))) return;
    normal = twice_area_normal / twice_area;
    constexpr T in_plane = sizeof(T) == 4 ? T(4e-6) : T(1e-14);
    const T height = dot(normal, ra);
    if (std::abs(height) <= in_plane * (ra_norm + rb_norm + rc_norm)) return;  // principal value
    const T seen = triangle_solid_angle(twice_area * height, ra_norm, rb_norm, rc_norm, ab_dot,
                                        bc_dot, ca_dot);
    if (own && std::abs(seen) > T(3.14159265358979324)) return;
    z = height;
    angle = seen;
  }
};

/// Adds one flat triangle. Doublet gradients are left to the boundary of the whole panel.
template <bool Gradient, class T>
RANKINE_HD void add_triangle(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& x,
                             bool own, PanelIntegrals<T>& sum) {
  const TriangleView<T> v(a, b, c, x, own);
  add_edge<Gradient>(b - a, v.ra, v.ra_norm, v.rb_norm, v.ab_dot, v.normal, sum);
  add_edge<Gradient>(c - b, v.rb, v.rb_norm, v.rc_norm, v.bc_dot, v.normal, sum);
  add_edge<Gradient>(a - c, v.rc, v.rc_norm, v.ra_norm, v.ca_dot, v.normal, sum);
  sum.dbl += v.angle;
  sum.single -= v.z * v.angle;
  if constexpr (Gradient) sum.grad_single -= v.normal * v.angle;
}

/// The vortex filament along a panel edge: its part of grad dbl.
template <class T>
RANKINE_HD Vec3<T> filament(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& x) {
  const Vec3<T> a_to_b = b - a, ra_v = x - a, rb_v = x - b;
  const T ra = norm(ra_v), rb = norm(rb_v);
  const Vec3<T> c = cross(a_to_b, ra_v);
  const T length2 = dot(a_to_b, a_to_b);
  const T denominator = edge_denominator(ra, rb, dot(ra_v, rb_v), dot(c, c), length2);
  const T product = ra * rb * denominator;
  return product > T(0) ? c * (-(ra + rb) / product) : Vec3<T>{};
}

}  // namespace detail

/// Integrals of one panel at x. Without `Gradient` the gradients stay zero.
/// `own`: x is the panel's collocation point.
template <bool Gradient, class T>
RANKINE_HD PanelIntegrals<T> integrate_panel(const PanelShape<T>& panel, const Vec3<T>& x,
                                             bool own = false) {
  PanelIntegrals<T> sum;
  detail::add_triangle<Gradient>(panel.corner[0], panel.corner[1], panel.corner[2], x, own, sum);
  if (panel.corners == 4) {
    detail::add_triangle<Gradient>(panel.corner[0], panel.corner[2], panel.corner[3], x, own, sum);
  }
  if constexpr (Gradient) {
    for (int k = 0; k < panel.corners; ++k) {
      sum.grad_dbl +=
          detail::filament(panel.corner[k], panel.corner[k + 1 == panel.corners ? 0 : k + 1], x);
    }
  }
  return sum;
}

/// The double layer alone: the solid angle of a panel seen from x.
template <class T>
RANKINE_HD T solid_angle(const PanelShape<T>& panel, const Vec3<T>& x, bool own = false) {
  const Vec3<T>* c = panel.corner;
  T angle = detail::TriangleView<T>(c[0], c[1], c[2], x, own).angle;
  if (panel.corners == 4) angle += detail::TriangleView<T>(c[0], c[2], c[3], x, own).angle;
  return angle;
}

}  // namespace rankine::bem
