// Orients panels so that normals point out of the body, into the fluid.
//
// Neighbours agree if they traverse their common edge in opposite directions. Agreement propagates
// across the edges of a body; then the sign of its volume determines the outside. Symmetry planes
// close the bodies that end there. A body inside an odd number of others is the wall of a cavity:
// solid surrounds it, and its normals point inwards, unless nested bodies are separate media. Thin
// surfaces (SurfaceMesh::thin) have no outside: their panels are made to agree with the first panel
// of each.
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

enum class Orient {
  check,    ///< throw for panels whose normals point into the solid
  outward,  ///< reverse such panels
  keep      ///< leave them unchanged
};

/// The meaning of a body inside an odd number of others.
enum class Nested {
  cavities,  ///< the wall of a cavity
  bodies     ///< a body with an outside like any other
};

struct Orientation {
  MeshReport report;               ///< of the oriented mesh
  std::size_t turned_panels = 0;   ///< reversed, or kept although they point into the solid
  std::size_t cavities = 0;        ///< bodies that are walls of cavities
  std::vector<std::string> notes;  ///< reversed or kept panels and cavities, for the log
};

/// Throws MeshError for a mesh that is not sound (defects.hpp), for one without an outside (a Klein
/// bottle), and with `check` for panels whose normals point into the solid.
Orientation orient(SurfaceMesh& mesh, Orient mode, const Symmetry& symmetry = {},
                   Nested nested = Nested::cavities);

/// Reverses every panel, for a fluid inside the mesh.
inline void turn_inside_out(SurfaceMesh& mesh) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) reverse_element(mesh, e);
}

}  // namespace rankine::meshes
