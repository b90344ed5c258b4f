#include "rankine/bem/panels/surface_point.hpp"

#include <algorithm>

namespace rankine::bem {
namespace {

/// Limits barycentric coordinates to at least -beyond.
void keep_near(double& b, double& c, double beyond) {
  b = std::max(b, -beyond);
  c = std::max(c, -beyond);
  const double excess = b + c - (1.0 + beyond);
  if (excess > 0.0) {
    const double from_b = std::clamp(0.5 * excess, excess - (c + beyond), b + beyond);
    b -= from_b;
    c -= excess - from_b;
  }
}

}  // namespace

SurfacePoint closest_on_surface(const PanelShape<double>& panel, const Vec3d& nearest,
                                const Vec3d& x, bool beyond) {
  PanelPlace place = place_over(panel, nearest);
  const TrianglePatch<double>& t = place.triangle;
  constexpr int steps = 8;  // of Gauss-Newton, each of which gains at least two digits
  for (int step = 0; step < steps; ++step) {
    const double a = 1.0 - place.b - place.c, b = place.b, c = place.c;
    const Vec3d r = x - t.point(a, b, c);
    const Vec3d u = t.along_b(a, b, c), v = t.along_c(a, b, c);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ru = dot(r, u), rv = dot(r, v);
    const double determinant = uu * vv - uv * uv;
    if (!(determinant > 0.0)) break;
    place.b += (vv * ru - uv * rv) / determinant;
    place.c += (uu * rv - uv * ru) / determinant;
    keep_near(place.b, place.c, beyond ? 1.0 / 3 : 0.0);
  }
  return place.point();
}

}  // namespace rankine::bem
