// Common functions of the built-in shapes. A shape has one patch, "body"; closed shapes have
// outward normals. Each has the smallest number of panels of its family that is not below the
// requested number. Nodes are shared by index arithmetic, so surfaces are watertight by
// construction.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The panels made from the cells of a structured grid.
enum class PanelKind { triangles, quadrilaterals };

/// Throws InputError for a number of panels outside 1 … 10^9.
void require_panels(const std::string& shape, std::int64_t panels);
/// Throws InputError for a length that is not positive and finite, m.
void require_length(const std::string& shape, const std::string& what, double value);

/// The largest cell edge for which count(edge) reaches `wanted`; `count` decreases with the edge.
double largest_edge(double longest, std::int64_t wanted,
                    const std::function<std::int64_t(double edge)>& count);

/// Adds a cell as one quadrilateral or as two triangles.
void add_cell(SurfaceMesh& mesh, const Element& corners, PanelKind kind);

/// Sets the name and the single patch of the mesh.
SurfaceMesh finish_shape(SurfaceMesh mesh, const std::string& shape);

}  // namespace rankine::meshes
