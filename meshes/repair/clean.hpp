// Repairs that do not change the shape, made on every mesh that is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Nodes at exactly the same place become the first of them; coordinates must be finite. Nodes keep
/// their order. A mesh whose edges all have two elements is not changed: its bodies touch there.
/// Returns how many were removed.
std::size_t merge_coincident_nodes(SurfaceMesh& mesh);

/// Quadrilaterals with two neighbouring corners in one node become triangles. Returns how many.
std::size_t collapse_quadrilaterals(SurfaceMesh& mesh);

/// Returns how many were removed.
std::size_t drop_unused_nodes(SurfaceMesh& mesh);

/// Removes the elements marked in `gone`; the others keep their order. Returns how many were
/// removed.
std::size_t drop_elements(SurfaceMesh& mesh, const std::vector<bool>& gone);

/// Removes panels without area from a mesh whose surface stays closed: ends of a short edge become
/// one node; a corner on the opposite edge also becomes a corner of the panel on the other side.
/// Returns how many were removed.
std::size_t remove_degenerate(SurfaceMesh& mesh);

bool has_corner_twice(const Element& element);

/// Every corner n becomes stands_for[n]. Quadrilaterals with neighbouring corners in one node
/// become triangles; panels with fewer than three corners are removed. Returns how many.
std::size_t renumber(SurfaceMesh& mesh, const std::vector<std::int32_t>& stands_for);

}  // namespace rankine::meshes
