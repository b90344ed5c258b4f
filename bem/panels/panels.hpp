// Panels: the flat constant-strength elements of a boundary, each with one collocation point.
//
// The collocation point of a triangle is its centroid. A quadrilateral, warped or flat, is two
// triangles along its shorter diagonal; its point is the area centroid put onto the larger of them,
// a hair (1e-4 of its width) off the diagonal, so that every limit at the surface is the plain
// half-space one. Its normal is that of the vector area int n dA.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::bem {

/// Structure of arrays, one entry per panel. Lengths in metres.
struct Panels {
  std::vector<PanelShape<double>> shape;
  std::vector<Vec3d> centroid;  ///< collocation points
  std::vector<Vec3d> normal;    ///< unit, out of the body
  std::vector<double> area;
  std::vector<double> radius;          ///< largest distance from the centroid to a corner
  std::vector<meshes::Element> nodes;  ///< mesh nodes of the corners, in the order of `shape`
  std::vector<std::int32_t> patch;     ///< of the mesh, per panel
  std::size_t node_count = 0;          ///< nodes of the mesh

  std::size_t size() const { return centroid.size(); }
};

/// Panels of a mesh, in its order. Throws MeshError for a node index out of range, a coordinate
/// that is not finite or a panel without area, each with its element number.
Panels make_panels(const meshes::SurfaceMesh& mesh);

/// Size of a panel from its radius: the side of the equilateral triangle with that circumradius.
inline double panel_size(double radius) { return std::sqrt(3.0) * radius; }

/// Enclosed volume (1/3) sum x.n dA, positive when normals point out.
double enclosed_volume(const Panels& panels);

/// Sum of panel areas.
double total_area(const Panels& panels);

}  // namespace rankine::bem
