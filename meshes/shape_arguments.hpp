// What the built-in shapes have in common: checks of their arguments,
// the choice of a grid, the patch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rankine/meshes/shapes.hpp"

namespace rankine::meshes {

void require_panels(const std::string& shape, std::int64_t panels);
void require_length(const std::string& shape, const std::string& what, double value);

/// The largest cell edge with which `count` cells reach `wanted`; `count` falls as the edge grows.
double largest_edge(double longest, std::int64_t wanted,
                    const std::function<std::int64_t(double edge)>& count);

/// Adds a cell as one quadrilateral or as two triangles.
void add_cell(SurfaceMesh& mesh, const Element& corners, PanelKind kind);

/// Gives the mesh its name and its one patch.
SurfaceMesh finish_shape(SurfaceMesh mesh, const std::string& shape);

}  // namespace rankine::meshes
