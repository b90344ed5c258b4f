// One closed surface around triangles of any kind, with CGAL's alpha wrapping (GPL 3 or later).
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/alpha_wrap_3.h>

#include <array>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {
namespace {

using WrapKernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Wrapped = CGAL::Surface_mesh<WrapKernel::Point_3>;

WrapKernel::Point_3 wrap_point(const Vec3d& x) { return {x.x, x.y, x.z}; }

/// The patches of the triangles of a mesh, by place.
class NearestPatch {
 public:
  explicit NearestPatch(const SurfaceMesh& mesh) : patch_(mesh.patch) {
    for (const Element& element : mesh.elements) {
      triangles_.emplace_back(wrap_point(mesh.nodes[element[0]]),
                              wrap_point(mesh.nodes[element[1]]),
                              wrap_point(mesh.nodes[element[2]]));
    }
    tree_.insert(triangles_.begin(), triangles_.end());
  }
  std::int32_t at(const Vec3d& x) const {
    const auto nearest = tree_.closest_point_and_primitive(wrap_point(x)).second;
    return patch_[static_cast<std::size_t>(nearest - triangles_.begin())];
  }

 private:
  using Triangles = std::vector<WrapKernel::Triangle_3>;
  using Primitive = CGAL::AABB_triangle_primitive<WrapKernel, Triangles::const_iterator>;

  std::vector<std::int32_t> patch_;
  Triangles triangles_;
  CGAL::AABB_tree<CGAL::AABB_traits<WrapKernel, Primitive>> tree_;
};

}  // namespace

std::vector<char> wrap_triangles(ByteReader& request) {
  request.text();  // the file name, which is also in the mesh
  const auto size = request.value<double>(), offset = request.value<double>();
  const SurfaceMesh mesh = take_surface_mesh(request);
  std::vector<WrapKernel::Point_3> points;
  std::vector<std::array<std::size_t, 3>> triangles;
  for (const Vec3d& x : mesh.nodes) points.push_back(wrap_point(x));
  for (const auto& [a, b, c, none] : mesh.elements)
    triangles.push_back(
        {static_cast<std::size_t>(a), static_cast<std::size_t>(b), static_cast<std::size_t>(c)});
  Wrapped wrapped;
  CGAL::alpha_wrap_3(points, triangles, size, offset, wrapped);
  SurfaceMesh made;
  made.patch_names = mesh.patch_names;
  for (const auto v : wrapped.vertices()) {
    const auto& x = wrapped.point(v);
    made.nodes.push_back({x.x(), x.y(), x.z()});
  }
  const NearestPatch patches(mesh);
  for (const auto face : wrapped.faces()) {
    Element& element = made.elements.emplace_back(Element{-1, -1, -1, -1});
    auto corner = element.begin();
    for (const auto v : wrapped.vertices_around_face(wrapped.halfedge(face)))
      *corner++ = static_cast<std::int32_t>(v.idx());
    made.patch.push_back(patches.at(corner_mean(made, element)));
  }
  return to_bytes(made);
}

}  // namespace rankine::meshes
