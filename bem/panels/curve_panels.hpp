// Panels that follow the surface: quadratic patches (bem/panels/panel_shape.hpp) fitted to the mesh,
// about whose body nothing else is known unless its elements are of second order.
//
// A node gets a normal of every smooth side of the surface at it, from the height of the nodes around
// over their mean plane: a least-squares cubic over two rings of panels (bem/panels/plane_fit.hpp). The curve of an
// edge from p to q with normals m and n follows, up to fourth order,
//
//   d = (q - p).(n - m)/8 (m + n)/|m + n| ,
//
// the same for both of its panels. At a sharp edge each side asks for a height along its own normal;
// d is the shortest vector that gives both, so that the rim of a cylinder becomes round. Where few
// nodes are left the fit is quadratic, then the normal that of the panels. An edge stays straight
// where its bulge would be too great for a quadratic curve, and so do all edges of a panel that would be
// steep over its flat one, or whose point would move through another panel. A bulge is no higher than the
// narrower of its panels is wide: beyond, integrals over slivers seen from their neighbours diverge.
#pragma once

#include <cstddef>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// Gives flat panels the bulges of the surface through the nodes of their mesh. Where the elements have mid-nodes
/// (bem/panels/mid_node_bulges.hpp), the edges go through them.
BentPanels bend_panels(Panels flat, const meshes::SurfaceMesh& mesh);

/// Lowers bulges, or takes them back, where panels are too steep or their points would go through others.
void settle_bulges(BentPanels& bent, const meshes::SurfaceMesh& mesh);

/// Whether there is nothing to settle.
bool may_stay(const BentPanels& bent);

/// Of the first `counted` panels.
CurveReport report_curves(const BentPanels& bent, std::size_t counted);

/// Makes panels curved that have bulges: moves collocation points, normals, areas and radii to the
/// surface.
void curve_panels(Panels& panels);

}  // namespace rankine::bem
