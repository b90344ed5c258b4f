// Panels: the elements of a boundary, each with one collocation point. Curved panels follow the surface
// that bem/panels/curve_panels.hpp fits to the mesh; flat ones are the mesh itself.
//
// The collocation point of a triangle is its centroid, that of a curved one the point over it. A
// quadrilateral, warped or flat, is two triangles along its shorter diagonal; its point is the area
// centroid put onto the larger of them, a hair (1e-4 of its width) off the diagonal, so that every
// limit at the surface is the plain half-space one. Its normal is that of the vector area int n dA,
// on curved panels that of the surface at the point.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

enum class PanelGeometry { curved, flat };

/// Normals of panels that differ by more than this, in radians, have a sharp edge between them.
inline constexpr double sharp_edge_angle = 0.7853981633974483;

/// What became of the panels of a mesh where they were to be curved.
struct CurveReport {
  std::size_t curved = 0;    ///< panels that are not flat
  std::size_t straight = 0;  ///< panels with an edge left straight or lowered because its fit is
                             ///< not to be trusted
};

/// The image of a panel next to a symmetry plane: what fits on the surface see beyond its rim.
struct HaloPanel {
  std::int32_t origin;    ///< the panel
  std::int32_t image;     ///< of meshes::Symmetry
  meshes::Element nodes;  ///< of the corners; those that are not the mesh's come after its own
};

/// The panels that have a node of the mesh as a corner, in ascending order.
struct NodePanels {
  /// Where those of each node begin; one more than there are nodes.
  std::vector<std::int64_t> offsets;
  /// Beyond the last panel: images, in the order of the halo.
  AlignedVector<std::int32_t> panels;
};

/// Structure of arrays, one entry per panel. Lengths in metres.
struct Panels {
  AlignedVector<PanelShape<double>> shape;
  AlignedVector<Vec3d> centroid;  ///< collocation points
  AlignedVector<Vec3d> normal;    ///< unit, out of the body, at the collocation points
  AlignedVector<double> area;
  AlignedVector<Vec3d> vector_area;      ///< int n dA, m^2
  AlignedVector<double> radius;          ///< largest distance from the centroid to a corner
  AlignedVector<meshes::Element> nodes;  ///< mesh nodes of the corners, in the order of `shape`
  std::vector<std::int32_t> patch;       ///< of the mesh, per panel
  std::size_t node_count = 0;            ///< nodes of the mesh
  CurveReport curves;
  meshes::Symmetry symmetry;                   ///< images for which the panels stand, too
  std::vector<HaloPanel> halo;                 ///< of what lies next to the planes
  std::shared_ptr<const NodePanels> at_nodes;  ///< found once, when the panels are made

  std::size_t size() const { return centroid.size(); }
};

/// Unit normals of the smooth surface that a mesh stands for, by panel and corner; bulges need no more
/// digits.
using CornerNormals = AlignedVector<std::array<Vec3<float>, 4>>;

/// Panels with the bulges that their mesh asks for (bem/panels/curve_panels.hpp), before it is known whether all of
/// them may have these.
struct BentPanels {
  Panels panels;
  AlignedVector<std::uint8_t> marks;  ///< per panel, of BendMarks
  CornerNormals normals;    ///< by which they were bent; none where all panels may stay as they are
  bool on_surface = false;  ///< curved panels have their points, normals and areas on the surface
};

/// What a device makes of elements without mid-nodes, between nodes in metres; nothing where they are at fault, or the
/// host's to fit.
using PanelFit = std::function<std::optional<BentPanels>(
    std::span<const Vec3d> nodes, std::span<const meshes::Element> elements, PanelGeometry kind)>;

/// Panels of a mesh, in its order. Throws MeshError for a node index out of range, a coordinate
/// that is not finite or a panel without area, each with its element number. With symmetry planes the
/// panels stand for their images, too, and are what the whole mesh would have there; the mesh must be
/// as meshes::meet_planes() leaves it. `fit`: the host's where none is given.
Panels make_panels(const meshes::SurfaceMesh& mesh, PanelGeometry kind = PanelGeometry::curved,
                   const meshes::Symmetry& symmetry = {}, const PanelFit& fit = {});

/// Those that tell which panels there are, where, and which meet: what fits around panels read.
std::vector<HostArray> host_arrays(const Panels& panels);

/// Enclosed volume (1/3) int x.n dA, positive when normals point out; up to the symmetry planes.
double enclosed_volume(const Panels& panels);

/// The same of every of `bodies` bodies, `body` that of each panel.
std::vector<double> enclosed_volumes(const Panels& panels, std::span<const std::int32_t> body,
                                     std::size_t bodies);

/// Sum of panel areas.
double total_area(const Panels& panels);

}  // namespace rankine::bem
