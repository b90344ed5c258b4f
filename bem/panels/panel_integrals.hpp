// Exact integrals of constant source and doublet strengths over flat triangles and quadrilaterals,
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
// it is warped. On the panel itself `dbl` is the principal value, 0, and `grad dbl` the finite part;
// on an edge the gradients are singular and finite huge values come back. Compiled for host and
// device.
//
// [HS67] Hess & Smith, Prog. Aeronaut. Sci. 8 (1967).
// [N86]  Newman, J. Eng. Math. 20 (1986).
// [OS83] Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983).
// [KP01] Katz & Plotkin, Low-Speed Aerodynamics, 2nd ed. (2001).
#pragma once

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

/// Which of the integrals are formed; the others stay zero.
struct IntegralSet {
  bool single = false, dbl = false, grad_single = false, grad_dbl = false;

  constexpr bool edge_logarithms() const { return single || grad_single; }
  constexpr bool solid_angle() const { return single || dbl || grad_single; }
};

inline constexpr IntegralSet potential_integrals{.single = true, .dbl = true};
inline constexpr IntegralSet all_integrals{true, true, true, true};

namespace detail {

/// x seen from an edge a -> b.
template <class T>
struct EdgeView {
  Vec3<T> a_to_b, ra_v;
  T ra, rb, ra_dot_rb;
  bool outer;  ///< on the boundary of the panel, not the diagonal of a quadrilateral
};

/// Adds what comes from one edge: the single layer and its gradient without the solid angle, and the
/// vortex filament that is its part of grad dbl.
template <IntegralSet wanted, class T>
RANKINE_HD void add_edge(const EdgeView<T>& edge, const Vec3<T>& normal, PanelIntegrals<T>& sum) {
  const T length2 = dot(edge.a_to_b, edge.a_to_b);
  if (!(length2 > T(0))) return;
  const Vec3<T> c = cross(edge.a_to_b, edge.ra_v);  // Ra x Rb
  // ra rb + Ra.Rb = below / above without cancellation, kept above zero on the edge itself.
  const T product = edge.ra * edge.rb;
  const bool ahead = edge.ra_dot_rb >= T(0);
  const T above = ahead ? T(1) : product - edge.ra_dot_rb;
  const T below = (ahead ? product + edge.ra_dot_rb : dot(c, c)) + T(1e-30) * length2 * above;
  const T around = edge.ra + edge.rb;
  if constexpr (wanted.edge_logarithms()) {
    const T length = std::sqrt(length2);
    const T q = std::log1p(length * (around + length) * above / below) / length;  // Q/L
    // nu L = (b - a) x n, hence nu.(a - x) L = -((b - a) x n).(x - a) = n.((b - a) x (x - a)).
    if constexpr (wanted.single) sum.single += dot(normal, c) * q;
    if constexpr (wanted.grad_single) sum.grad_single -= cross(edge.a_to_b, normal) * q;
  }
  if constexpr (wanted.grad_dbl) {
    if (edge.outer && product > T(0)) sum.grad_dbl -= c * (around * above / (product * below));
  }
}

/// Adds one flat triangle a b c; `outer_ab` and `outer_ca`: those edges bound the panel. A triangle
/// that contains x, one of its own points up to rounding (`own`), has angle zero whatever the sign
/// of the rounded height.
template <IntegralSet wanted, class T>
RANKINE_HD void add_triangle(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& x,
                             bool own, bool outer_ab, bool outer_ca, PanelIntegrals<T>& sum) {
  const Vec3<T> ra_v = x - a, rb_v = x - b, rc_v = x - c;
  const T ra = norm(ra_v), rb = norm(rb_v), rc = norm(rc_v);
  const T ab = dot(ra_v, rb_v), bc = dot(rb_v, rc_v), ca = dot(rc_v, ra_v);
  Vec3<T> normal{};
  if constexpr (wanted.solid_angle()) {
    const Vec3<T> twice_area_normal = cross(b - a, c - a);
    const T twice_area = norm(twice_area_normal);
    if (twice_area > T(0)) {
      normal = twice_area_normal * (T(1) / twice_area);
      constexpr T in_plane = sizeof(T) == 4 ? T(4e-6) : T(1e-14);
      const T z = dot(normal, ra_v);
      if (std::abs(z) > in_plane * (ra + rb + rc)) {  // else the principal value
        const T angle =
            T(2) * std::atan2(twice_area * z, ra * rb * rc + ab * rc + bc * ra + ca * rb);
        if (!(own && std::abs(angle) > T(3.14159265358979324))) {
          if constexpr (wanted.dbl) sum.dbl += angle;
          if constexpr (wanted.single) sum.single -= z * angle;
          if constexpr (wanted.grad_single) sum.grad_single -= normal * angle;
        }
      }
    }
  }
  if constexpr (wanted.edge_logarithms() || wanted.grad_dbl) {
    add_edge<wanted>(EdgeView<T>{b - a, ra_v, ra, rb, ab, outer_ab}, normal, sum);
    add_edge<wanted>(EdgeView<T>{c - b, rb_v, rb, rc, bc, true}, normal, sum);
    add_edge<wanted>(EdgeView<T>{a - c, rc_v, rc, ra, ca, outer_ca}, normal, sum);
  }
}

}  // namespace detail

/// The wanted integrals of one panel at x. `own`: x is the panel's collocation point.
template <IntegralSet wanted, class T>
RANKINE_HD PanelIntegrals<T> integrate_panel(const PanelShape<T>& panel, const Vec3<T>& x,
                                             bool own = false) {
  const Vec3<T>* c = panel.corner;
  const bool split = panel.corners == 4;
  PanelIntegrals<T> sum;
  detail::add_triangle<wanted>(c[0], c[1], c[2], x, own, true, !split, sum);
  if (split) detail::add_triangle<wanted>(c[0], c[2], c[3], x, own, false, true, sum);
  return sum;
}

/// The double layer alone: the solid angle of a panel seen from x.
template <class T>
RANKINE_HD T solid_angle(const PanelShape<T>& panel, const Vec3<T>& x, bool own = false) {
  return integrate_panel<IntegralSet{.dbl = true}>(panel, x, own).dbl;
}

}  // namespace rankine::bem
