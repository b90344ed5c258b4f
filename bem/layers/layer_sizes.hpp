// Memory of panels, layers and solutions as a function of their sizes, in bytes, so that a solve can
// be judged before it begins. Each term is an array of bem/.
#pragma once

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::bem {

/// Corners, centroids and normals.
inline double shape_bytes(double panels) {
  return panels * (sizeof(PanelShape<double>) + 2.0 * sizeof(Vec3d));
}

/// What Panels holds: shapes, node numbers, areas and radii.
inline double panel_bytes(double panels) {
  return shape_bytes(panels) + panels * (sizeof(meshes::Element) + 2.0 * sizeof(double));
}

/// Points, normals and weights of `nodes` far-field nodes and `balls` of near targets per panel, in the
/// mean, numbers of the first and the middle radius.
inline double panel_node_bytes(double panels, double nodes, double balls) {
  return panels * (nodes * (2.0 * sizeof(Vec3d) + sizeof(double)) +
                   balls * (sizeof(Vec3d) + sizeof(double)) + 2.0 * sizeof(double) + 4.0);
}

/// The near-field matrices of `layers` layers in compressed rows, on any backend, with the nodes of the
/// middle distance that are there while they are assembled, and what goes with them, measured.
inline double near_field_bytes(double rows, double entries, int layers) {
  return entries * (layers * sizeof(double) + 4.0) + rows * (8.0 + 9.0 * sizeof(QuadratureNode));
}

/// The inverses of patches of at most `patch` panels each, in compressed rows.
inline double local_inverse_bytes(double rows, int patch) { return rows * (12.0 * patch + 8.0); }

/// Weights, strengths and sums of a boundary operator, with the solver's vectors beside them. `rhs`
/// right-hand sides; the adjoint double layer sums gradients.
inline double layer_vector_bytes(double panels, double nodes, int rhs, bool gradients) {
  const double real = sizeof(double);
  const double sums = real + (gradients ? 2.0 * sizeof(Vec3d) : 0.0), solver = 5.0 * real;
  const double weights = 4.0 * (real + 4.0) + 8.0;  // four with columns, offsets of the rows
  return panels * (weights * nodes + rhs * (real * nodes + sums + solver));
}

/// Potential, strength, pressure and velocity.
inline double solution_bytes(double panels) {
  return panels * (3.0 * sizeof(double) + sizeof(Vec3d));
}

/// Weights and strengths of the nodes of an evaluation off the surface.
inline double evaluation_vector_bytes(double panels, double nodes) {
  return 3.0 * sizeof(double) * panels * nodes;
}

/// What an evaluation at `points` off the surface holds besides on the host: near pairs and the
/// neighbourhoods of panels, measured.
inline double evaluation_bytes(double panels, double points) {
  return 300.0 * panels + 800.0 * points;
}

}  // namespace rankine::bem
