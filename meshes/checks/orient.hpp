// Turns panels so that normals point out of the body, into the fluid.
//
// Neighbours agree if they run along their common edge in opposite directions. Agreement is spread
// across the edges of a body; then its signed volume decides which side is outside. Symmetry planes
// close the bodies that end there. A body inside an odd number of others is the wall of a cavity:
// the solid surrounds it, and its normals point inwards, unless bodies inside others are media of
// their own. Thin surfaces (SurfaceMesh::thin) have no outside: their panels agree with the first
// of each.
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

enum class Orient {
  check,    ///< refuse panels whose normals point into the solid
  outward,  ///< reverse them
  keep      ///< leave them
};

/// What a body within an odd number of others is.
enum class Nested {
  cavities,  ///< the wall of a cavity
  bodies     ///< a body like the others, with its own outside
};

struct Orientation {
  MeshReport report;               ///< of the mesh as it is now
  std::size_t turned_panels = 0;   ///< turned round, or kept although they point into the solid
  std::size_t cavities = 0;        ///< bodies taken as the wall of a cavity
  std::vector<std::string> notes;  ///< what was turned or kept, and cavities, for the log
};

/// Throws MeshError for a mesh that is not sound (defects.hpp), one that has no outside (a Möbius
/// strip closed to a Klein bottle), and under `check` for panels that point into the solid.
Orientation orient(SurfaceMesh& mesh, Orient mode, const Symmetry& symmetry = {},
                   Nested nested = Nested::cavities);

/// Turns every panel round: normals of a mesh whose inside is to be the fluid.
inline void turn_inside_out(SurfaceMesh& mesh) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) reverse_element(mesh, e);
}

}  // namespace rankine::meshes
