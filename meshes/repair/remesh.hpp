// Replaces all panels of a mesh: by well-shaped triangles of equal size on the same surface, or by
// one closed surface around them. rankine-reader does this with CGAL (reader/cgal_remesh.cpp,
// reader/cgal_wrap.cpp).
#pragma once

#include <string>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Sharp edges (choose_sharp_angle with `sharp_angle`), borders of patches and rims stay where they
/// are; new nodes on them divide them. Elsewhere nodes lie on the smooth surface through the old
/// nodes. `size`: edge of the triangles, m; 0: that of as many equal triangles as the mesh has.
/// `seconds`: limit of processor time. Bodies with edges of more than two panels stay as they are.
/// Elements lose their faces and mid-edge points. Returns a note. Throws MeshError for a mesh whose
/// panels do not agree on their normals, or with named curves; InputError if rankine-reader was
/// built without CGAL.
std::string remesh(SurfaceMesh& mesh, double size, double sharp_angle, double seconds);

/// The closed surface is outside of the panels, at a distance of limits::wrap_offset sizes, and
/// closes holes and clefts narrower than a size. Panels may be open, cross one another, and have
/// any orientation. Triangles get the patch of the panel next to them. `size`, `seconds`, notes and
/// errors as above.
std::string wrap(SurfaceMesh& mesh, double size, double seconds);

}  // namespace rankine::meshes
