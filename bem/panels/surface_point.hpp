// Points of the smooth surface that is fitted to a panel (bem/panels/curve_panels.hpp), also for
// panels that are integrated as flat. place_over() and surface_over(): host and device.
#pragma once

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct SurfacePoint {
  Vec3d point, normal;
};

/// A position on a panel: its triangle and the coordinates in the triangle.
struct PanelPlace {
  TrianglePatch<double> triangle;
  double b = 0.0, c = 0.0;

  RANKINE_HD SurfacePoint point() const {
    return {triangle.point(1.0 - b - c, b, c), normalized(triangle.vector_area(1.0 - b - c, b, c))};
  }
};

/// The position above a point of the flat panel.
RANKINE_HD inline PanelPlace place_over(const PanelShape<double>& panel, const Vec3d& flat_point) {
  PanelPlace best;
  double deepest = -1e300;
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<double> t = surface_triangle(panel, half);
    const Vec3d u = t.corner[1] - t.corner[0], v = t.corner[2] - t.corner[0];
    const Vec3d flat = cross(u, v), r = flat_point - t.corner[0];
    const double b = dot(cross(r, v), flat) / dot(flat, flat),
                 c = dot(cross(u, r), flat) / dot(flat, flat), a = 1.0 - b - c;
    const double least_of_two = b < c ? b : c, depth = a < least_of_two ? a : least_of_two;
    if (depth > deepest) {
      deepest = depth;
      best = {t, b, c};
    }
  }
  return best;
}

/// The point of the surface above a point of the flat panel.
RANKINE_HD inline SurfacePoint surface_over(const PanelShape<double>& panel,
                                            const Vec3d& flat_point) {
  return place_over(panel, flat_point).point();
}

/// Normal of the surface at the collocation point of a panel, with normal `own`, that may be
/// integrated as flat.
RANKINE_HD inline Vec3d surface_normal(const PanelShape<double>& panel, const Vec3d& centroid,
                                       const Vec3d& own) {
  return panel.curved ? own : surface_over(panel, centroid).normal;
}

/// The point of the surface that is closest to x; `nearest` is the closest point of the flat panel.
/// `beyond`: the point may lie up to a third of the panel beyond its edges, if the surface
/// continues smoothly.
SurfacePoint closest_on_surface(const PanelShape<double>& panel, const Vec3d& nearest,
                                const Vec3d& x, bool beyond);

}  // namespace rankine::bem
