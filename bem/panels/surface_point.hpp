// Points of the surface that is fitted to a panel (bem/panels/curve_panels.hpp), whether the panel is
// integrated as curved or as flat.
#pragma once

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct SurfacePoint {
  Vec3d point, normal;
};

/// The surface over a point of the flat panel.
SurfacePoint surface_over(const PanelShape<double>& panel, const Vec3d& flat_point);

/// The point of the surface closest to x, of which `foot` is the closest on the flat panel. `beyond`:
/// it may lie up to a third of the panel beyond its edges, where the surface goes on smoothly.
SurfacePoint closest_on_surface(const PanelShape<double>& panel, const Vec3d& foot, const Vec3d& x,
                                bool beyond);

}  // namespace rankine::bem
