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
// A quadrilateral consists of two triangles with the same strength, so surfaces of warped
// quadrilaterals are watertight. On the panel itself `dbl` is the principal value, 0, and `grad
// dbl` the finite part. On an edge the gradients are singular; results are large but finite. Host
// and device.
//
// [HS67] Hess & Smith, Prog. Aeronaut. Sci. 8 (1967).
// [N86]  Newman, J. Eng. Math. 20 (1986).
// [OS83] Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983).
// [KP01] Katz & Plotkin, Low-Speed Aerodynamics, 2nd ed. (2001).
#pragma once

#include "rankine/bem/panels/curved_triangle.hpp"
#include "rankine/bem/panels/flat_triangle.hpp"
#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// The selected integrals of one panel at x. `own`: x is the panel's collocation point.
template <IntegralSet wanted, class T>
RANKINE_HD PanelIntegrals<T> integrate_panel(const PanelShape<T>& panel, const Vec3<T>& x,
                                             bool own = false) {
  PanelIntegrals<T> sum;
  const T side = own && panel.curved ? detail::own_side(panel, x) : T(0);
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<T> triangle = triangle_of(panel, half);
    if (panel.curved) {
      detail::add_curved_triangle<wanted>(triangle, x, side != T(0), side, panel.corners - 2, sum);
    } else {
      detail::add_flat_triangle<wanted>(triangle.corner, x, own, panel.corners == 4, sum);
    }
  }
  return sum;
}

/// Only the double layer: the solid angle of a panel at x.
template <class T>
RANKINE_HD T solid_angle(const PanelShape<T>& panel, const Vec3<T>& x, bool own = false) {
  return integrate_panel<IntegralSet{.dbl = true}>(panel, x, own).dbl;
}

}  // namespace rankine::bem
