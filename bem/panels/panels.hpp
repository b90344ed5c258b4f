// Panels: the elements of a boundary, each with one collocation point. Curved panels follow the
// smooth surface that bem/panels/curve_panels.hpp fits to the mesh; flat ones are the mesh
// elements.
//
// The collocation point of a triangle is its centroid, that of a curved triangle the point of the
// surface above it. A quadrilateral, warped or flat, is divided into two triangles along its
// shorter diagonal. Its point is the area centroid, moved onto the larger triangle and at least
// 1e-4 of its width away from the diagonal, so that one-sided limits are those at a plane. The
// normal is that of the vector area int n dA, on curved panels that of the surface at the point.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/mirrored.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

enum class PanelGeometry { curved, flat };

/// Statistics of curving the panels of a mesh.
struct CurveReport {
  std::size_t curved = 0;    ///< panels that are not flat
  std::size_t straight = 0;  ///< panels with an edge that is straight or has a reduced bulge
                             ///< because its fit is not reliable
};

/// An image of a panel, for fits on the surface near the part that is modelled.
struct HaloPanel {
  std::int32_t origin;    ///< the panel
  std::int32_t image;     ///< number of the image in meshes::Symmetry
  meshes::Element nodes;  ///< of the corners; nodes that are not in the mesh have higher numbers.
                          ///< A rotated image has them in the order of the panel
};

/// The panels that have a node of the mesh as a corner, in ascending order.
struct NodePanels {
  /// Nodes + 1: index of the first panel of each node.
  FetchedVector<std::int64_t> offsets;
  /// Panel numbers; numbers above the last panel are images, in the order of the halo.
  FetchedVector<std::int32_t> panels;
};

/// The two rings of panels around every panel (bem/panels/panel_ring.hpp).
struct PanelRings {
  std::vector<std::int64_t> offsets;   ///< panels + 1
  AlignedVector<std::int32_t> panels;  ///< numbers as in NodePanels
};

/// Structure of arrays, one entry per panel. Lengths in metres. A device may have made the arrays.
struct Panels {
  FetchedVector<PanelShape<double>> shape;
  FetchedVector<Vec3d> centroid;  ///< collocation points
  FetchedVector<Vec3d> normal;    ///< unit, out of the body, at the collocation points
  FetchedVector<double> area;
  FetchedVector<Vec3d> vector_area;      ///< int n dA, m^2
  FetchedVector<double> radius;          ///< largest distance from the centroid to a corner
  FetchedVector<meshes::Element> nodes;  ///< mesh nodes of the corners, in the order of `shape`
  std::vector<std::int32_t> patch;       ///< of the mesh, per panel
  std::size_t node_count = 0;            ///< nodes of the mesh
  /// The edge between two panels is sharp if their normals differ by more than this, in radians.
  double sharp_angle = meshes::default_sharp_angle;
  CurveReport curves;
  meshes::Symmetry symmetry;                   ///< the panels also represent their images
  std::vector<HaloPanel> halo;                 ///< those of meshes::with_halo()
  std::shared_ptr<const NodePanels> at_nodes;  ///< computed once, with the panels
  /// Nodes where panels may meet in sharp edges (bem/layers/edge_strengths.hpp); null: none sought.
  std::shared_ptr<const std::vector<std::int32_t>> edge_nodes;
  std::shared_ptr<const PanelRings> rings;  ///< null: searched again for every fit

  std::size_t size() const { return centroid.size(); }
};

/// Unit normals of the smooth surface that a mesh represents, by panel and corner. Single precision
/// is enough for bulges.
using CornerNormals = AlignedVector<std::array<Vec3<float>, 4>>;

/// Panels with fitted bulges (bem/panels/curve_panels.hpp), before the check of which panels may
/// keep them.
struct BentPanels {
  Panels panels;
  AlignedVector<std::uint8_t> flags;  ///< per panel, bits of BendFlags
  CornerNormals normals;              ///< of the fit; empty if no panel needs a check
  bool on_surface = false;  ///< points, normals and areas of curved panels are already those of the
                            ///< surface
};

/// Fits curved panels on a device, for elements without mid-nodes and the default sharp angle;
/// nodes in metres. Returns nothing if elements are faulty or must be fitted on the host.
using PanelFit = std::function<std::optional<BentPanels>(
    std::span<const Vec3d> nodes, std::span<const meshes::Element> elements, PanelGeometry kind)>;

/// Panels of a mesh, in its order. Throws MeshError for a node index out of range, a coordinate
/// that is not finite or a panel without area, each with its element number. With symmetry planes
/// the panels also represent their images, and equal the corresponding panels of the whole mesh;
/// the mesh must come from meshes::meet_planes(). Without `fit` the host fits the panels.
Panels make_panels(const meshes::SurfaceMesh& mesh, PanelGeometry kind = PanelGeometry::curved,
                   const meshes::Symmetry& symmetry = {}, const PanelFit& fit = {});

/// The panels of both, `behind` after the others. Panels of one are not neighbours of panels of the
/// other, even if their corners coincide. Both must have the same symmetry planes.
Panels joined(Panels panels, const Panels& behind);

/// The panels at every node, from `nodes` and `halo`.
std::shared_ptr<const NodePanels> panels_at_nodes(const Panels& panels);

/// Mirrors of the arrays that several operators and fits read.
std::vector<const Mirror*> mirrors(const Panels& panels);

/// Enclosed volume (1/3) int x.n dA up to the symmetry planes, positive if normals point outwards.
double enclosed_volume(const Panels& panels);

/// The same for each of `bodies` bodies; `body`: the body of every panel.
std::vector<double> enclosed_volumes(const Panels& panels, std::span<const std::int32_t> body,
                                     std::size_t bodies);

/// Sum of panel areas.
double total_area(const Panels& panels);

}  // namespace rankine::bem
