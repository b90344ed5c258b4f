// Joins closed bodies of panels that overlap or touch into one: the boundary of the union of what
// they enclose, where they are cut along their intersections [CGAL, Polygon Mesh Processing,
// corefinement]. rankine-reader does the geometry, with exact numbers, if it was built with CGAL.
#pragma once

#include <string>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Panels that are not cut stay as they are, quadrilaterals and mid-nodes too; pieces of others are
/// triangles with their patch and face. Bodies that neither cross nor touch another stay.
/// Returns a note. `seconds`: processor time for each group of bodies. Throws MeshError for bodies
/// that are not closed or cross themselves, and for a union that is no surface, as of bodies that
/// meet along an edge alone; InputError if rankine-reader was built without CGAL.
std::string unite_bodies(SurfaceMesh& mesh, double seconds);

}  // namespace rankine::meshes
