// First moments of the kernels of single and double layers over one panel about a point c,
//
//   single = int (y - c)/r dA ,   dbl = int (y - c) n.r/r^3 dA ,   r = x - y
//
// without the factor 1/(4 pi). With x_0 the projection of x on the plane of a triangle, p = y -
// x_0, and the edges of bem/panels/panel_integrals.hpp, a flat triangle has
//
//   int p/r dA  =  sum_edges nu int r dl ,   int p z/r^3 dA  =  -z sum_edges nu Q ,
//
// since the gradients of r and 1/r in the plane are p/r and -p/r^3. On a curved triangle, to first
// order in its slope, z is the height of x above the surface and n.r = z + p.H p/2, with H the
// second derivatives of the surface's height. From the gradients of p/r and p_i p_j/r
//
//   int p.H p/r^3 dA    =  tr H int 1/r dA - sum_edges int p.H nu/r dl
//   int p (p.H p)/r^3 dA  =  (H + tr H) int p/r dA - sum_edges int p (p.H nu)/r dl .
//
// On an edge p = d nu + u t. There the integrals of 1, u, u^2 over r are
//
//   Q ,   rb - ra ,   (ub rb - ua ra - (ra^2 - ua^2) Q)/2 .
//
// The error is of second order in the slope of the patch. Host and device.
#pragma once

#include "rankine/bem/panels/curved_triangle.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

template <class T>
struct PanelMomentsOf {
  Vec3<T> single{}, dbl{};  ///< m^2 and m
};
using PanelMoments = PanelMomentsOf<double>;

namespace detail {

/// Adds the moments of a triangle about `about`. `own`: x lies on it.
template <class T>
RANKINE_HD void add_triangle_moments(const TrianglePatch<T>& patch, const Vec3<T>& x, Mask<T> own,
                                     const Vec3<T>& about, PanelMomentsOf<T>& sum) {
  const PatchHeight<T> height(patch);
  const Vec3<T>& n = height.normal;
  const T from_plane = dot(n, x - height.corner0);
  const T z = select(own, T(0), from_plane - height.at(x));
  const Vec3<T> projection = x - n * from_plane;
  const TriangleView<T> view(patch.corner, projection + n * z);
  const T angle = select(own, T(0),
                         triangle_solid_angle(height.twice_area * z, view.r[0], view.r[1],
                                              view.r[2], view.dots[0], view.dots[1], view.dots[2]));
  PanelIntegrals<T> flat;
  const EdgeIntegrals<T> of_edges = add_edges<IntegralSet{.single = true}>(view, n, false, flat);
  const T layer = flat.single - z * angle;  // int 1/r dA
  const T trace = height.trace();
  T bent = trace * layer;  // int p.H p/r^3 dA
  Vec3<T> single{}, dbl{};
  for (int k = 0; k < 3; ++k) {
    const T length = norm(height.edge[k]);
    const Vec3<T> t = height.edge[k] * select(length > T(0), T(1) / length, T(0)), nu = cross(t, n);
    const T q = length * of_edges.logarithm[k], ra = view.r[k], rb = view.r[(k + 1) % 3];
    const T d = -dot(nu, view.r_v[k]), ua = -dot(t, view.r_v[k]), ub = ua + length;
    const T of_ends = T(0.5) * (ub * rb - ua * ra), of_line = T(0.5) * (ra * ra - ua * ua) * q;
    const T across = d * height.second_derivative(nu, nu), along = height.second_derivative(t, nu),
            of_u = rb - ra, of_u2 = of_ends - of_line, on_edge = across * q + along * of_u;
    single += nu * (of_ends + of_line);
    dbl -= nu * (z * q + T(0.5) * d * on_edge) + t * (T(0.5) * (across * of_u + along * of_u2));
    bent -= on_edge;
  }
  dbl += (height.hessian_times(single) + single * trace) * T(0.5);
  sum.single += single + (projection - about) * layer;
  sum.dbl += dbl + (projection - about) * (angle + T(0.5) * bent);
}

}  // namespace detail

/// The moments of a panel at x about `about`. `own`: x is the panel's collocation point.
RANKINE_HD inline PanelMoments panel_moments(const PanelShape<double>& panel, const Vec3d& x,
                                             bool own, const Vec3d& about) {
  PanelMoments sum;
  for (int half = 0; half + 2 < panel.corners; ++half)
    detail::add_triangle_moments(triangle_of(panel, half), x, own, about, sum);
  return sum;
}

/// Adds the moments of a quadrature node with the weight w, m^2.
RANKINE_HD inline void add_node_moment(const Vec3d& x, const Vec3d& node, const Vec3d& normal,
                                       double w, const Vec3d& about, PanelMoments& sum) {
  PanelIntegrals<double> at;
  add_point<IntegralSet{.single = true, .dbl = true}>(x - node, normal, w, at);
  sum.single += at.single * (node - about);
  sum.dbl += at.dbl * (node - about);
}

}  // namespace rankine::bem
