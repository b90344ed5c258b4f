// The union of closed triangulated bodies by corefinement with exact coordinates, from CGAL's
// package Polygon Mesh Processing (GPL 3 or later).
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/orient_polygon_soup.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polygon_mesh_processing/repair.h>
#include <CGAL/Surface_mesh.h>

#include <array>
#include <exception>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Polyhedron = CGAL::Surface_mesh<Kernel::Point_3>;
using FaceIndex = Polyhedron::Face_index;
using VertexIndex = Polyhedron::Vertex_index;
namespace pmp = CGAL::Polygon_mesh_processing;

/// The original panel of each face.
using Panels = Polyhedron::Property_map<FaceIndex, std::int32_t>;
Panels panels_of(Polyhedron& body) {
  return body.add_property_map<FaceIndex, std::int32_t>("f:panel", 0).first;
}

/// Assigns the panel of a face to all its pieces.
struct Inheritance : pmp::Corefinement::Default_visitor<Polyhedron> {
  std::int32_t panel = 0;

  void before_subface_creations(FaceIndex face, Polyhedron& body) { panel = panels_of(body)[face]; }
  void after_subface_created(FaceIndex face, Polyhedron& body) { panels_of(body)[face] = panel; }
  void after_face_copy(FaceIndex from, const Polyhedron& source, FaceIndex to, Polyhedron& target) {
    panels_of(target)[to] = panels_of(const_cast<Polyhedron&>(source))[from];
  }
};

/// A body as a polyhedron. A node where parts of the surface meet without a common edge becomes one
/// vertex per part.
Polyhedron body_of(const SurfaceMesh& mesh, std::int32_t which) {
  std::vector<Kernel::Point_3> points;
  std::vector<std::array<std::size_t, 3>> triangles;
  std::vector<std::int32_t> panel_of;
  for (const Vec3d& x : mesh.nodes) points.emplace_back(x.x, x.y, x.z);
  for (std::size_t t = 0; t < mesh.elements.size(); ++t) {
    if (mesh.patch[t] != which) continue;
    std::array<std::size_t, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = static_cast<std::size_t>(mesh.elements[t][k]);
    triangles.push_back(corners);
    panel_of.push_back(mesh.face[t]);
  }
  pmp::orient_polygon_soup(points, triangles);
  Polyhedron body;
  pmp::polygon_soup_to_polygon_mesh(points, triangles, body);
  pmp::remove_isolated_vertices(body);
  body.collect_garbage();
  Panels panels = panels_of(body);
  for (const FaceIndex face : body.faces()) panels[face] = panel_of[static_cast<std::size_t>(face)];
  return body;
}

void unite(Polyhedron& all, Polyhedron& body, const SurfaceMesh& mesh, const std::string& name) {
  Inheritance inheritance;
  bool done = false;
  std::string reason = "the union is no surface: it meets others along an edge or at a point alone";
  try {
    done = pmp::corefine_and_compute_union(
        all, body, all, CGAL::parameters::visitor(inheritance).throw_on_self_intersection(true));
  } catch (const pmp::Corefinement::Self_intersection_exception&) {
    reason = "a body crosses itself where another meets it";
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (!done)
    throw MeshError(
        "cannot unite " + name + " of " + mesh.source + " with the others: " + reason +
        "; let bodies overlap or keep them apart, and mend those that cross themselves");
}

}  // namespace

std::vector<char> unite_triangles(ByteReader& request) {
  request.text();  // the file name, which is also in the mesh
  const SurfaceMesh mesh = take_surface_mesh(request);
  Polyhedron all = body_of(mesh, 0);
  for (std::int32_t which = 1; which < std::ssize(mesh.patch_names); ++which) {
    Polyhedron body = body_of(mesh, which);
    unite(all, body, mesh, mesh.patch_names[static_cast<std::size_t>(which)]);
  }
  all.collect_garbage();
  const Panels panels = panels_of(all);
  SurfaceMesh joined;
  for (const VertexIndex vertex : all.vertices()) {
    const Kernel::Point_3& x = all.point(vertex);
    joined.nodes.push_back(
        {CGAL::to_double(x.x()), CGAL::to_double(x.y()), CGAL::to_double(x.z())});
  }
  for (const FaceIndex face : all.faces()) {
    Element element{-1, -1, -1, -1};
    int k = 0;
    for (const VertexIndex vertex : all.vertices_around_face(all.halfedge(face)))
      element[static_cast<std::size_t>(k++)] = static_cast<std::int32_t>(vertex);
    joined.elements.push_back(element);
    joined.face.push_back(panels[face]);
  }
  return to_bytes(joined);
}

}  // namespace rankine::meshes
