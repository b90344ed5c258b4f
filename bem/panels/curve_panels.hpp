// Panels that follow the surface: quadratic patches (bem/panels/panel_shape.hpp). They are fitted
// to the nodes of the mesh, or go through the mid-nodes of second-order elements.
//
// A node has one normal for every smooth side of the surface. It is the normal of a least-squares
// cubic through the heights of the nodes of two rings of panels above their mean plane
// (bem/panels/plane_fit.hpp). The bulge of an edge from p to q with normals m and n is, up to
// fourth order,
//
//   d = (q - p).(n - m)/8 (m + n)/|m + n| ,
//
// the same for both of its panels. At a sharp edge each side gives a height along its own normal,
// and d is the shortest vector with both heights; so the rim of a cylinder becomes round. With few
// nodes the fit is quadratic; with even fewer the normal is that of the panels. An edge stays
// straight if its bulge is too large for a quadratic curve. All edges of a panel stay straight if
// the panel would be steep relative to its flat shape or if its collocation point would cross
// another panel. A bulge is limited to the width of the narrower of its two panels, since otherwise
// integrals over slivers at neighbouring points would diverge.
#pragma once

#include <cstddef>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// The arrays of panels on the host, for the results of measure_panel() or on_surface().
struct MeasuredArrays {
  explicit MeasuredArrays(Panels& panels)
      : centroid(panels.centroid.changed()),
        normal(panels.normal.changed()),
        vector_area(panels.vector_area.changed()),
        area(panels.area.changed()),
        radius(panels.radius.changed()) {}

  template <class Measured>
  void set(std::size_t i, const Measured& panel) const {
    centroid[i] = panel.centroid;
    normal[i] = panel.normal;
    vector_area[i] = panel.vector_area;
    area[i] = panel.area;
    radius[i] = panel.radius;
  }

  AlignedVector<Vec3d>&centroid, &normal, &vector_area;
  AlignedVector<double>&area, &radius;
};

/// Adds to flat panels the bulges of the smooth surface through the nodes of their mesh. Edges of
/// elements with mid-nodes go through these.
BentPanels bend_panels(Panels flat, const meshes::SurfaceMesh& mesh);

/// Reduces or removes bulges of panels that are too steep or whose collocation points would cross
/// other panels.
void settle_bulges(BentPanels& bent, const meshes::SurfaceMesh& mesh);

/// Whether no bulges need to be reduced.
bool may_stay(const BentPanels& bent);

/// Counts over the first `counted` panels.
CurveReport report_curves(const BentPanels& bent, std::size_t counted);

/// Makes all panels with bulges curved: sets collocation points, normals, areas and radii to those
/// of the curved surface.
void curve_panels(Panels& panels);

}  // namespace rankine::bem
