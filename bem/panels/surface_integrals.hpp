// Integrals over the surface of what is given at the collocation points of its panels:
//
//   int f dA ,  int f n dA ,  int (x - x0) x n f dA .
//
// On every panel f is the polynomial fitted to the panels around (bem/panels/panel_patch.hpp), at the
// six points of the rule of degree 4 on each of its triangles. The value at the point alone, taken for the
// mean, would leave (1/48) l^2 of the surface Laplacian of f on triangles of side l, and more where the
// point is not the centroid of the patch.
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

/// Over one panel by `rule`, points of a triangle rule, of f in coordinates along t1 and t2 from `centre`, in units of
/// `scale`. Host and device.
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
/// The points of each triangle.
inline constexpr int integral_points = 6;

/// Over one panel, of f in the coordinates of `patch`, which is at that panel.
SurfaceIntegral integral_over(const Panels& panels, std::size_t panel, const PlanePolynomial& f,
                              const PanelPatch& patch);

/// Over all of them. `values`: one per panel, of any unit.
SurfaceIntegral surface_integral(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values);

SurfaceIntegral sum_of(std::span<const SurfaceIntegral> of_panels);

/// Over each of `groups` groups, `group_of` that of every panel.
std::vector<SurfaceIntegral> sums_of_groups(std::span<const SurfaceIntegral> of_panels,
                                            std::span<const std::int32_t> group_of,
                                            std::size_t groups);

}  // namespace rankine::bem
