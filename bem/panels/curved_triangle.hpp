// Integrals of constant strengths over one curved triangle (bem/panels/panel_shape.hpp), from those
// over the flat triangle of its corners, with
//
//   n        normal of the flat triangle
//   h_k      n.d_k, height of the middle of edge k;  h = 4 sum h_k a b  that of the surface
//   z        height of x
//   Omega    solid angle of the flat triangle
//   S, G_t   its int 1/r dA and the part of int r/r^3 dA in its plane
//   T        int r_t r_t^T/r^3 dA = S 1 + sum_edges nu v^T ,  v = nu (nu.(x - a)) Q + t (ra - rb)
//
// dbl. The solid angle depends only on the boundary. It is the sum of the solid angles of the
// flat triangle and of the strips of height 4 t (1 - t) d between the chords a b and the curves. To
// first order a strip has
//
//   4 (d x (b - a)).(x - a) int_0^1 t (1 - t)/r^3 dt ,
//
// With u = L t - u0, the distance from the projection of x, these are integrals of 1, u, u^2 over
// r^3. Curves whose height exceeds a fifth of their distance (next to long panels) are divided into
// pieces: triangles between the chord and the chords of the pieces, and low strips above these.
// Neighbours have the strip of a common edge with opposite signs, so a closed surface has 4 pi up
// to rounding. For x between the flat and the curved triangle the jump of 4 pi is added.
//
// single. To first order the surface is at the height h above the plane. So the layer is evaluated
// at the height z - h(x), or z - mean h if x is not above the triangle, and multiplied by the mean
// of sqrt(1 + |grad h|^2).
//
// grad single. Its normal part follows from the solid angle: on the surface n_y = n - grad h(y),
// and grad h(y) = grad h(x) - H r_t, H the matrix of second derivatives of h, so that
//
//   n.int r/r^3 dA = dbl + grad h(x).G_t - H : T .
//
// The error is of second order in the slope of the patch, (size x curvature)^2.
#pragma once

#include <cmath>

#include "rankine/bem/panels/flat_triangle.hpp"
#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/select.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem::detail {

/// Height of a curved triangle above the flat one, and its derivatives.
template <class T>
struct PatchHeight {
  Vec3<T> corner0, normal;
  Vec3<T> edge[3];      ///< corner k to the next
  Vec3<T> gradient[3];  ///< of the barycentric coordinates
  T h[3];
  T twice_area;

  RANKINE_HD explicit PatchHeight(const TrianglePatch<T>& patch) : corner0(patch.corner[0]) {
    for (int k = 0; k < 3; ++k) edge[k] = patch.corner[(k + 1) % 3] - patch.corner[k];
    const Vec3<T> twice_area_normal = cross(edge[0], edge[1]);
    twice_area = norm(twice_area_normal);
    normal = twice_area_normal * (T(1) / twice_area);
    for (int k = 0; k < 3; ++k) {
      gradient[k] = cross(normal, edge[(k + 1) % 3]) * (T(1) / twice_area);
      h[k] = dot(normal, patch.bulge[k]);
    }
  }

  RANKINE_HD T mean() const { return (h[0] + h[1] + h[2]) * T(1.0 / 3.0); }

  /// h at the projection of x if that lies in the triangle, otherwise its mean.
  template <class Mask>
  RANKINE_HD T under(const Vec3<T>& x, Mask& over_triangle) const {
    const Vec3<T> from_corner = x - corner0;
    const T b = dot(gradient[1], from_corner), c = dot(gradient[2], from_corner), a = T(1) - b - c;
    over_triangle = a >= T(0) && b >= T(0) && c >= T(0);
    return select(over_triangle, T(4) * (h[0] * a * b + h[1] * b * c + h[2] * c * a), mean());
  }

  /// h at the projection of x, wherever that lies.
  RANKINE_HD T at(const Vec3<T>& x) const {
    const Vec3<T> from_corner = x - corner0;
    const T b = dot(gradient[1], from_corner), c = dot(gradient[2], from_corner), a = T(1) - b - c;
    return T(4) * (h[0] * a * b + h[1] * b * c + h[2] * c * a);
  }

  /// Mean of sqrt(1 + |grad h|^2).
  RANKINE_HD T stretch() const {
    T sum = T(0);
    for (int k = 0; k < 3; ++k) {  // grad h is linear: the mean over the edges is exact
      const T rise = h[(k + 1) % 3] + h[(k + 2) % 3] - h[k];
      sum += rise * rise * dot(edge[k], edge[k]);
    }
    return T(1) + sum * T(2.0 / 3.0) / (twice_area * twice_area);
  }

  /// grad h at the projection of x.
  RANKINE_HD Vec3<T> slope(const Vec3<T>& x) const {
    const Vec3<T> from_corner = x - corner0;
    const T b = dot(gradient[1], from_corner), c = dot(gradient[2], from_corner);
    const T coordinate[3] = {T(1) - b - c, b, c};
    Vec3<T> sum{};
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      sum += (gradient[next] * coordinate[k] + gradient[k] * coordinate[next]) * (T(4) * h[k]);
    }
    return sum;
  }

  /// H v.
  RANKINE_HD Vec3<T> hessian_times(const Vec3<T>& v) const {
    Vec3<T> sum{};
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      sum += (gradient[k] * dot(gradient[next], v) + gradient[next] * dot(gradient[k], v)) *
             (T(4) * h[k]);
    }
    return sum;
  }

  /// u.H v.
  RANKINE_HD T second_derivative(const Vec3<T>& u, const Vec3<T>& v) const {
    T sum = T(0);
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      sum += T(4) * h[k] *
             (dot(gradient[k], u) * dot(gradient[next], v) +
              dot(gradient[next], u) * dot(gradient[k], v));
    }
    return sum;
  }

  RANKINE_HD T trace() const {
    T sum = T(0);
    for (int k = 0; k < 3; ++k) sum += T(8) * h[k] * dot(gradient[k], gradient[(k + 1) % 3]);
    return sum;
  }
};

/// H : T of the header.
template <class T>
RANKINE_HD T curvature_term(const PatchHeight<T>& height, const TriangleView<T>& view,
                            const EdgeIntegrals<T>& of_edges, T flat_single) {
  T sum = height.trace() * flat_single;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vec3<T> out = cross(height.edge[k], height.normal);  // L nu
    const Vec3<T> v = out * (dot(out, view.r_v[k]) * of_edges.logarithm[k]) +
                      height.edge[k] * (view.r[k] - view.r[next]);  // L v
    sum += height.second_derivative(out, v) / dot(height.edge[k], height.edge[k]);
  }
  return sum;
}

/// Solid angle of the strip between the chord `edge`, which starts at a, and its curve, to first
/// order in the bulge. `r_v` = x - a; `r` and `next_r`: distances of the ends; `logarithm` and
/// `inverse_cube`: EdgeIntegrals of the chord.
template <class T>
RANKINE_HD T low_strip_angle(const Vec3<T>& edge, const Vec3<T>& bulge, const Vec3<T>& r_v, T r,
                             T next_r, T logarithm, T inverse_cube) {
  const T length2 = dot(edge, edge);
  const T inverse_a = T(1) / r, inverse_b = T(1) / next_r;
  // All times L: u at the ends, from u0 L = (x - a).(b - a).
  const T u0 = dot(edge, r_v), u1 = length2 - u0;
  const T of_u2 = length2 * logarithm - (u1 * inverse_b + u0 * inverse_a);
  const T moment = (u1 - u0) * (inverse_a - inverse_b) + u0 * u1 * inverse_cube - of_u2;
  return T(4) * dot(cross(bulge, edge), r_v) * moment / (length2 * length2);
}

/// The same for a curve divided into `pieces`: the triangles between the chord and the chords of
/// the pieces, and the low strips above these.
template <class T>
RANKINE_HD T high_strip_angle(const Vec3<T>& edge, const Vec3<T>& bulge, const Vec3<T>& r_v,
                              int pieces) {
  using std::log1p;
  using std::sqrt;
  const T part = T(1.0 / pieces);
  const Vec3<T> low = bulge * (part * part);
  T sum = T(0);
  Vec3<T> from = r_v;  // x minus the start of a piece
  T from_r = norm(from);
  const T first_r = from_r;
  for (int k = 1; k <= pieces; ++k) {
    const T t = part * T(k);
    const Vec3<T> to = r_v - edge * t - bulge * (T(4) * t * (T(1) - t)), chord = from - to;
    const T to_r = norm(to);
    const EdgeView<T> view(chord, from, from_r, to_r, dot(from, to));
    const T length = sqrt(view.length2);
    sum += low_strip_angle(chord, low, from, from_r, to_r, log1p(view.ratio(length)) / length,
                           view.inverse_cube());
    if (k > 1) {
      sum += triangle_solid_angle(dot(cross(r_v - from, r_v - to), r_v), first_r, from_r, to_r,
                                  dot(r_v, from), dot(from, to), dot(to, r_v));
    }
    from = to;
    from_r = to_r;
  }
  return sum;
}

/// A curve whose height exceeds this fraction of its distance from x is divided in two, in four if
/// the height is four times that, and so on. This occurs next to panels that are much longer than
/// wide.
inline constexpr double greatest_rise_seen = 0.2;
inline constexpr int most_pieces_of_curve = 16;

/// Solid angle of the strips between the chords and the curves. The strip of an edge depends only
/// on the edge, so the contributions of neighbours cancel.
template <class T>
RANKINE_HD T strip_angle(const TrianglePatch<T>& patch, const PatchHeight<T>& height,
                         const TriangleView<T>& view, const EdgeIntegrals<T>& of_edges) {
  T sum = T(0);
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vec3<T>& edge = height.edge[k];
    T angle = low_strip_angle(edge, patch.bulge[k], view.r_v[k], view.r[k], view.r[next],
                              of_edges.logarithm[k], of_edges.inverse_cube[k]);
    // The distance of the chord, squared.
    const T length2 = dot(edge, edge), u0 = dot(edge, view.r_v[k]);
    const T t = select(u0 > T(0), select(u0 < length2, u0 / length2, T(1)), T(0));
    const Vec3<T> off = view.r_v[k] - edge * t;
    T seen2 = T(greatest_rise_seen * greatest_rise_seen) * dot(off, off);
    const T rise2 = dot(patch.bulge[k], patch.bulge[k]);
    for (int pieces = 2; pieces <= most_pieces_of_curve && any(rise2 > seen2); pieces *= 2) {
      angle =
          select(rise2 > seen2, high_strip_angle(edge, patch.bulge[k], view.r_v[k], pieces), angle);
      seen2 *= T(16);
    }
    sum += angle;
  }
  return sum;
}

/// int 4 t (1 - t)/r dt over t from 0 to 1, for the line x_0 + e t. `r_v` = x - x_0; `beside2` is
/// added to the squared distance from the line. It is the integral of 4 (u0 u1 + (u1 - u0) u -
/// u^2)/(L^2 r), with u = L t - u0 the distance from the projection of x.
template <class T>
RANKINE_HD T parabolic_line(const Vec3<T>& edge, const Vec3<T>& r_v, T beside2) {
  using std::log1p;
  using std::sqrt;
  const T length2 = dot(edge, edge), length = sqrt(length2);
  const T u0 = dot(edge, r_v) / length, u1 = length - u0;
  const T off2 = dot(r_v, r_v) - u0 * u0;
  beside2 += select(off2 > T(0), off2, T(0));
  const T r0 = sqrt(u0 * u0 + beside2), r1 = sqrt(u1 * u1 + beside2);
  // r0 + r1 - L, which has cancellation if x is close to the line.
  const T beyond = select(u0 > T(0) && u1 > T(0), beside2 * (T(1) / (r0 + u0) + T(1) / (r1 + u1)),
                          r0 + r1 - length);
  const T sum = (u0 * u1 + T(0.5) * beside2) * log1p(T(2) * length / beyond) +
                (u1 - u0) * (r1 - r0) - T(0.5) * (u1 * r1 + u0 * r0);
  return T(4) * sum / (length2 * length);
}

/// int 1/r dA over the plane strip between a chord and its curve, `area` = n.(d x e); `r` is x
/// minus the centroid of the strip. A near strip is replaced by a line through the centroid, whose
/// distance from x is at least the mean distance w/(2 e) within a strip of width w. A far or narrow
/// strip is replaced by a point.
template <class T>
RANKINE_HD T strip_layer(const Vec3<T>& edge, const Vec3<T>& r, T area, T twice_area) {
  using std::abs;
  using std::sqrt;
  constexpr double narrow = 0.01, far = 3, close = 0.25, mean_rise = 0.8, seen_by_itself = 0.184;
  constexpr double least = 1e-6;  // relative to the length: strips without width have a zero layer
  const T length2 = dot(edge, edge), r2 = dot(r, r);
  const auto is_line = (abs(area) >= T(narrow) * twice_area && r2 <= T(far * far) * length2) ||
                       r2 <= T(close * close) * length2;
  const T of_point = T(2.0 / 3) * area / sqrt(r2);
  if (!any(is_line)) return of_point;
  const T width = T(seen_by_itself * mean_rise) * area;  // times L
  const T beside2 = width * width / length2 + T(least * least) * length2;
  return select(is_line, area * parabolic_line(edge, r + edge * T(0.5), beside2), of_point);
}

/// Adds the in-plane area of the strips to the single layers. This is a second-order term except at
/// rims of plane faces. Strips are lines for the potential and points for the gradient; the
/// gradients of their solid angles are integrated with Gauss points.
template <IntegralSet wanted, class T>
RANKINE_HD void add_strips(const TrianglePatch<T>& patch, const PatchHeight<T>& height,
                           const Vec3<T>& x, PanelIntegrals<T>& sum) {
  constexpr double places[3] = {0.5, 0.11270166537925831, 0.88729833462074169};
  constexpr double weights[3] = {4.0 / 9, 2.5 / 9, 2.5 / 9};
  constexpr IntegralSet of_sources{.grad_single = wanted.grad_single};
  constexpr IntegralSet of_dipoles{.grad_dbl = wanted.grad_dbl};
  for (int k = 0; k < 3; ++k) {
    const Vec3<T>& bulge = patch.bulge[k];
    const Vec3<T> area = cross(bulge, height.edge[k]), to_corner = x - patch.corner[k];
    if constexpr (wanted.edge_logarithms()) {
      const Vec3<T> r = to_corner - height.edge[k] * T(0.5) - bulge * T(0.4);
      const T in_plane = dot(area, height.normal);
      if constexpr (wanted.single)
        sum.single += strip_layer(height.edge[k], r, in_plane, height.twice_area);
      add_point<of_sources>(r, height.normal, T(2.0 / 3) * in_plane, sum);
    }
    if constexpr (wanted.grad_dbl) {
      for (int i = 0; i < 3; ++i) {
        const T t = T(places[i]), rise = T(4) * t * (T(1) - t);
        const Vec3<T> r = to_corner - height.edge[k] * t - bulge * (T(0.5) * rise);
        add_point<of_dipoles>(r, area, T(weights[i]) * rise, sum);
      }
    }
  }
}

/// The side of the flat triangles on which the collocation point of a curved panel lies: 1 above
/// its triangle, -1 below.
template <class T>
RANKINE_HD T own_side(const PanelShape<T>& panel, const Vec3<T>& x) {
  T side = T(1);
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const PatchHeight<T> height(triangle_of(panel, half));
    bool over_triangle = false;
    height.under(x, over_triangle);
    if (half == 0 || over_triangle)
      side = std::copysign(T(1), dot(height.normal, x - height.corner0));
    if (over_triangle) break;
  }
  return side;
}

/// Adds a curved triangle. `own`: x is the collocation point of the panel; the double layer is then
/// the principal value, `side` must be own_side() and `halves` the number of triangles of the
/// panel.
template <IntegralSet wanted, class T>
RANKINE_HD void add_curved_triangle(const TrianglePatch<T>& patch, const Vec3<T>& x, bool own,
                                    T side, int halves, PanelIntegrals<T>& sum) {
  using std::abs;
  using std::copysign;
  const T pi = T(3.14159265358979324);
  const PatchHeight<T> height(patch);
  const TriangleView<T> view(patch.corner, x);
  const T z = dot(height.normal, view.r_v[0]);
  T flat_angle = triangle_solid_angle(height.twice_area * z, view.r[0], view.r[1], view.r[2],
                                      view.dots[0], view.dots[1], view.dots[2]);
  decltype(z > T(0)) over_triangle{};
  const T surface = height.under(x, over_triangle);
  if (own) {
    flat_angle -= side * (T(2) * pi / T(halves));
  } else {
    const auto behind = over_triangle && z * surface > T(0) && abs(z) < abs(surface);
    flat_angle -= select(behind, copysign(T(4) * pi, z), T(0));
  }

  // From the edges alone: single without -z Omega, and grad single in the plane.
  constexpr IntegralSet edge_terms{
      .single = true, .grad_single = wanted.grad_single, .grad_dbl = true};
  PanelIntegrals<T> flat, strips;
  const EdgeIntegrals<T> of_edges = add_edges<edge_terms>(view, height.normal, false, flat);
  const T angle = flat_angle + strip_angle(patch, height, view, of_edges);
  if constexpr (wanted.edge_logarithms() || wanted.grad_dbl)
    add_strips<wanted>(patch, height, x, strips);

  if constexpr (wanted.dbl) sum.dbl += angle;
  if constexpr (wanted.grad_dbl) sum.grad_dbl += flat.grad_dbl + strips.grad_dbl;
  if constexpr (wanted.single) {
    const T seen_from = own ? T(0) : z - surface;
    sum.single += height.stretch() * (flat.single - seen_from * flat_angle) + strips.single;
  }
  if constexpr (wanted.grad_single) {
    // -G_t. At the collocation point its normal part cancels with the slope, except for the rounded
    // crease of a quadrilateral next to that point.
    const Vec3<T> in_plane = own ? Vec3<T>{} : flat.grad_single + strips.grad_single;
    const T seen_from = own ? T(0) : select(over_triangle, z - surface, z);
    const T flat_single = flat.single - seen_from * flat_angle;
    const T normal_part = angle - dot(height.slope(x), in_plane) -
                          curvature_term(height, view, of_edges, flat_single);
    sum.grad_single += in_plane - height.normal * normal_part;
  }
}

}  // namespace rankine::bem::detail
