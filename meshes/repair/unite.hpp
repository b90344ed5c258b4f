// Unites closed bodies that overlap or touch one another or themselves. The result is the boundary
// of the union of their volumes, with panels cut along intersections (reader/cgal_union.cpp).
// rankine-reader does the geometry in exact arithmetic if it was built with CGAL.
#pragma once

#include <string>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Panels that are not cut stay unchanged, with quadrilaterals and mid-edge points; pieces of
/// others are triangles with their patch and face. Bodies that neither cross nor touch anything
/// stay. Returns a note. `seconds`: limit of processor time per group of bodies. Throws MeshError
/// for bodies that are not closed, or whose union is open; InputError if rankine-reader was built
/// without CGAL.
std::string unite_bodies(SurfaceMesh& mesh, double seconds);

}  // namespace rankine::meshes
