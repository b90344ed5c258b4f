// Integrals over the surface of values f at the collocation points of its panels:
//
//   int f dA ,  int f n dA ,  int (x - x0) x n f dA .
//
// On every panel f is the polynomial fitted to neighbouring panels (bem/panels/panel_patch.hpp),
// evaluated at the six points of the rule of degree 4 on each of its triangles. If the value at the
// collocation point were used as the mean, the error would be (1/48) l^2 times the surface
// Laplacian of f on triangles of side l, and more if the point is not the centroid of the patch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

struct SurfaceIntegral {
  double plain = 0.0;  ///< int f dA
  Vec3d normal{};      ///< int f n dA
  Vec3d moment{};      ///< int x x n f dA

  RANKINE_HD void add(double weight, const SurfaceIntegral& other) {
    plain += weight * other.plain;
    normal += weight * other.normal;
    moment += weight * other.moment;
  }
  /// int (x - x0) x n f dA
  Vec3d moment_about(const Vec3d& x0) const { return moment - cross(x0, normal); }
};

/// Integrals over one panel with `rule`, the points of a triangle rule. f has coordinates along t1
/// and t2 from `centre`, in units of `scale`. Host and device.
template <class Rule>
RANKINE_HD SurfaceIntegral integral_over(const PanelShape<double>& shape, const Rule& rule,
                                         const PlanePolynomial& f, const Vec3d& centre,
                                         double scale, const Vec3d& t1, const Vec3d& t2) {
  SurfaceIntegral sum;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule) {
      const Vec3d x = triangle.point(p.a, p.b, p.c), area = triangle.vector_area(p.a, p.b, p.c);
      const Vec3d r = (x - centre) / scale;
      const double weighted = p.weight * f(dot(r, t1), dot(r, t2));
      sum.add(weighted, {norm(area), area, cross(x, area)});
    }
  }
  return sum;
}
/// Number of points on each triangle.
inline constexpr int integral_points = 6;

/// Integrals over the panel of `patch`; f has the coordinates of `patch`.
SurfaceIntegral integral_over(const Panels& panels, std::size_t panel, const PlanePolynomial& f,
                              const PanelPatch& patch);

/// On panels whose mean differs from the value at the collocation point by more than rounding, adds
/// a constant to the function, so that its integral agrees with the mean.
void set_means(const Panels& panels, std::span<const double> means, std::span<const double> values,
               std::span<SurfaceIntegral> integrals);

SurfaceIntegral sum_of(std::span<const SurfaceIntegral> of_panels);

/// Integrals over each of `groups` groups; `group_of`: the group of every panel.
std::vector<SurfaceIntegral> sums_of_groups(std::span<const SurfaceIntegral> of_panels,
                                            std::span<const std::int32_t> group_of,
                                            std::size_t groups);

}  // namespace rankine::bem
