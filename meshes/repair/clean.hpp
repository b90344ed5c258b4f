// Elementary repairs that preserve the shape. Merging and collapsing are applied to every mesh
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Merges nodes at exactly the same position into the first of them; coordinates must be finite.
/// Nodes keep their order. A mesh in which every edge has two elements stays unchanged: there the
/// bodies touch. Returns the number of nodes removed.
std::size_t merge_coincident_nodes(SurfaceMesh& mesh);

/// Turns quadrilaterals with two adjacent corners at one node into triangles. Returns their number.
std::size_t collapse_quadrilaterals(SurfaceMesh& mesh);

/// Removes nodes of no element. Returns their number.
std::size_t drop_unused_nodes(SurfaceMesh& mesh);

/// Removes the elements marked in `gone`; the others keep their order. Returns their number.
std::size_t drop_elements(SurfaceMesh& mesh, const std::vector<bool>& gone);

/// Removes degenerate panels (without area) and keeps the surface closed: the ends of a short edge
/// are merged; a corner on the opposite edge is inserted into the panel on the other side. Returns
/// the number removed.
std::size_t remove_degenerate(SurfaceMesh& mesh);

/// The triangles of a panel; a quadrilateral is cut along its shorter diagonal.
std::vector<Element> triangles_of(const SurfaceMesh& mesh, const Element& panel);

bool has_corner_twice(const Element& element);

/// Replaces every corner n by stands_for[n]. Quadrilaterals with adjacent corners at one node
/// become triangles; panels with fewer than three corners are removed. Returns the number removed.
std::size_t renumber(SurfaceMesh& mesh, const std::vector<std::int32_t>& stands_for);

}  // namespace rankine::meshes
