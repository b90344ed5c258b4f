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

/// Which of the integrals are formed; the others stay zero.
struct IntegralSet {
  bool single = false, dbl = false, grad_single = false, grad_dbl = false;

  constexpr bool edge_logarithms() const { return single || grad_single; }
  constexpr bool solid_angle() const { return single || dbl || grad_single; }
};

inline constexpr IntegralSet potential_integrals{.single = true, .dbl = true};
inline constexpr IntegralSet all_integrals{true, true, true, true};

namespace detail {

/// x seen from a triangle.
template <class T>
struct TriangleView {
  const Vec3<T>* corner;
  Vec3<T> r_v[3];  ///< x minus the corners
  T r[3];
  T dots[3];  ///< of r_v[k] and the next

  RANKINE_HD TriangleView(const Vec3<T>* corners, const Vec3<T>& x) : corner(corners) {
    for (int k = 0; k < 3; ++k) {
      r_v[k] = x - corner[k];
      r[k] = norm(r_v[k]);
    }
    for (int k = 0; k < 3; ++k) dots[k] = dot(r_v[k], r_v[(k + 1) % 3]);
  }
};

/// Adds what comes from the solid angle and gives the unit normal. A triangle that contains x, one
/// of its own points up to rounding (`own`), has angle zero whatever the sign of the rounded height.
template <IntegralSet wanted, class T>
RANKINE_HD Vec3<T> add_solid_angle(const TriangleView<T>& v, bool own, PanelIntegrals<T>& sum) {
  const Vec3<T> twice_area_normal = cross(v.corner[1] - v.corner[0], v.corner[2] - v.corner[0]);
  const T twice_area = norm(twice_area_normal);
  if (!(twice_area > T(0))) return {};
  const Vec3<T> normal = twice_area_normal * (T(1) / twice_area);
  constexpr T in_plane = sizeof(T) == 4 ? T(4e-6) : T(1e-14);
  const T z = dot(normal, v.r_v[0]);
  if (std::abs(z) <= in_plane * (v.r[0] + v.r[1] + v.r[2])) return normal;  // principal value
  const T angle =
      triangle_solid_angle(twice_area * z, v.r[0], v.r[1], v.r[2], v.dots[0], v.dots[1], v.dots[2]);
  if (own && std::abs(angle) > T(3.14159265358979324)) return normal;
  if constexpr (wanted.dbl) sum.dbl += angle;
  if constexpr (wanted.single) sum.single -= z * angle;
  if constexpr (wanted.grad_single) sum.grad_single -= normal * angle;
  return normal;
}

/// Adds what comes from the edges: the single layer and its gradient without the solid angle, and
/// the vortex filaments that make grad dbl. The last edge may be the diagonal of a quadrilateral,
/// which has no filament.
template <IntegralSet wanted, class T>
RANKINE_HD void add_edges(const TriangleView<T>& v, const Vec3<T>& normal, bool last_is_diagonal,
                          PanelIntegrals<T>& sum) {
  T ratio[3], inverse_length[3], outward[3];
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const Vec3<T> a_to_b = v.corner[next] - v.corner[k];
    const Vec3<T> c = cross(a_to_b, v.r_v[k]);  // Ra x Rb
    const T length2 = dot(a_to_b, a_to_b);
    // ra rb + Ra.Rb = below / above without cancellation, kept above zero on the edge itself.
    const T product = v.r[k] * v.r[next];
    const bool ahead = v.dots[k] >= T(0);
    const T above = ahead ? T(1) : product - v.dots[k];
    const T below = (ahead ? product + v.dots[k] : dot(c, c)) + T(1e-30) * length2 * above;
    const T around = v.r[k] + v.r[next];
    if constexpr (wanted.edge_logarithms()) {
      const T length = std::sqrt(length2);
      const bool degenerate = !(length2 > T(0));
      ratio[k] = degenerate ? T(0) : length * (around + length) * above / below;
      inverse_length[k] = degenerate ? T(0) : T(1) / length;
      // nu L = (b - a) x n, hence nu.(a - x) L = -((b - a) x n).(x - a) = n.((b - a) x (x - a)).
      outward[k] = dot(normal, c);
    }
    if constexpr (wanted.grad_dbl) {
      if (product * below > T(0) && !(k == 2 && last_is_diagonal)) {
        sum.grad_dbl -= c * (around * above / (product * below));
      }
    }
  }
  if constexpr (wanted.edge_logarithms()) {
    for (int k = 0; k < 3; ++k) {
      const T q = std::log1p(ratio[k]) * inverse_length[k];  // Q/L
      if constexpr (wanted.single) sum.single += outward[k] * q;
      if constexpr (wanted.grad_single) {
        sum.grad_single -= cross(v.corner[k == 2 ? 0 : k + 1] - v.corner[k], normal) * q;
      }
    }
  }
}

}  // namespace detail

/// The wanted integrals of one panel at x. `own`: x is the panel's collocation point.
template <IntegralSet wanted, class T>
RANKINE_HD PanelIntegrals<T> integrate_panel(const PanelShape<T>& panel, const Vec3<T>& x,
                                             bool own = false) {
  PanelIntegrals<T> sum;
  // Corners 0 1 2, then 2 3 0: the last edge of both is the diagonal.
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const Vec3<T>* c = panel.corner;
    const int first = 2 * half;
    const Vec3<T> corner[3] = {c[first], c[first + 1], half == 0 ? c[2] : c[0]};
    const detail::TriangleView<T> view(corner, x);
    Vec3<T> normal{};
    if constexpr (wanted.solid_angle()) {
      normal = detail::add_solid_angle<wanted>(view, own, sum);
    }
    if constexpr (wanted.edge_logarithms() || wanted.grad_dbl) {
      detail::add_edges<wanted>(view, normal, panel.corners == 4, sum);
    }
  }
  return sum;
}

/// The double layer alone: the solid angle of a panel seen from x.
template <class T>
RANKINE_HD T solid_angle(const PanelShape<T>& panel, const Vec3<T>& x, bool own = false) {
  return integrate_panel<IntegralSet{.dbl = true}>(panel, x, own).dbl;
}

}  // namespace rankine::bem
