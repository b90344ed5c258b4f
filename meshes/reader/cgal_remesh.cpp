// Triangles of one size on a given surface, with CGAL's isotropic remeshing (GPL 3 or later).
//
// Where the surface is smooth, it is the given one lifted half way to the tangent planes at the
// corners x_i, with normals n_i, of a triangle (Phong tessellation [BA08]):
//
//   x = p + 1/2 sum_i b_i n_i n_i.(x_i - p)     p = sum_i b_i x_i
//
// This is exact if corners and normals are those of a quadratic surface.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/remesh.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {
namespace {

using Flat = CGAL::Simple_cartesian<double>;
using Place = Flat::Point_3;
using Halves = CGAL::Surface_mesh<Place>;
namespace processing = CGAL::Polygon_mesh_processing;

Place place(const Vec3d& x) { return {x.x, x.y, x.z}; }
Vec3d vector(const Place& x) { return {x.x(), x.y(), x.z()}; }

Vec3d normal_of(const std::array<Vec3d, 3>& x) { return cross(x[1] - x[0], x[2] - x[0]); }

double angle_between(const Vec3d& a, const Vec3d& b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

/// A part of the surface between sharp edges.
class SmoothPart {
 public:
  void add(const std::array<Vec3d, 3>& corners, const std::array<Halves::Vertex_index, 3>& nodes) {
    triangles_.emplace_back(place(corners[0]), place(corners[1]), place(corners[2]));
    nodes_.push_back(nodes);
    const Vec3d area = normal_of(corners);
    if (!(norm(area) > 0.0)) return;
    for (std::size_t k = 0; k < 3; ++k)
      normals_[nodes[k]] +=
          angle_between(corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]) *
          normalized(area);
  }

  /// Nodes with triangles that turn by more than half the sharp angle from the mean normal have no
  /// tangent plane. To be called after the last triangle.
  void end(double sharp_angle) {
    const std::map<Halves::Vertex_index, Vec3d> means = normals_;
    for (std::size_t t = 0; t < nodes_.size(); ++t) {
      for (const Halves::Vertex_index node : nodes_[t]) {
        const auto mean = means.find(node);
        if (mean != means.end() &&
            angle_between(normal_of(corners(t)), mean->second) > 0.5 * sharp_angle)
          normals_.erase(node);
      }
    }
    tree_ = std::make_unique<Tree>(triangles_.begin(), triangles_.end());
  }

  /// The point of the smooth surface above the point of the triangles that is closest to x.
  Vec3d point_near(const Vec3d& x) const {
    const auto [closest, triangle] = tree_->closest_point_and_primitive(place(x));
    const Vec3d p = vector(closest);
    const auto t = static_cast<std::size_t>(triangle - triangles_.begin());
    const std::array<Vec3d, 3> corner = corners(t);
    const Vec3d area = normal_of(corner);
    Vec3d lift;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto plane = normals_.find(nodes_[t][k]);
      if (plane == normals_.end() || !(norm(area) > 0.0)) continue;
      const double weight =
          dot(cross(corner[(k + 1) % 3] - p, corner[(k + 2) % 3] - p), area) / dot(area, area);
      const Vec3d n = normalized(plane->second);
      lift += weight * dot(n, corner[k] - p) * n;
    }
    return p + 0.5 * lift;
  }

 private:
  using Triangles = std::vector<Flat::Triangle_3>;
  using Tree = CGAL::AABB_tree<
      CGAL::AABB_traits<Flat, CGAL::AABB_triangle_primitive<Flat, Triangles::const_iterator>>>;

  std::array<Vec3d, 3> corners(std::size_t t) const {
    return {vector(triangles_[t][0]), vector(triangles_[t][1]), vector(triangles_[t][2])};
  }

  Triangles triangles_;
  std::vector<std::array<Halves::Vertex_index, 3>> nodes_;
  std::map<Halves::Vertex_index, Vec3d> normals_;  ///< weighted by angles
  std::unique_ptr<Tree> tree_;
};

class Remesher {
 public:
  /// `fixed`: per node, whether it stays.
  Remesher(const SurfaceMesh& mesh, const std::vector<std::uint8_t>& fixed, double sharp_angle)
      : sharp_angle_(sharp_angle) {
    for (const Vec3d& x : mesh.nodes) halves_.add_vertex(place(x));
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) is_fixed_[node(n)] = fixed.at(n) != 0;
    for (std::size_t t = 0; t < mesh.elements.size(); ++t) {
      const Element& corner = mesh.elements[t];
      const auto face = halves_.add_face(node(corner[0]), node(corner[1]), node(corner[2]));
      if (face == Halves::null_face()) {
        throw MeshError("cannot remesh " + mesh.source +
                        ": normals of neighbours disagree, or two panels have the same corners; "
                        "add \"duplicates\" and \"orient\" to mesh.repair");
      }
      patch_[face] = mesh.patch[t];
    }
  }

  void remesh(double size) {
    const double least = limits::touching * size;
    find_edges();
    find_bends();
    remove_narrow(least);
    find_edges();
    for (const auto v : halves_.vertices()) is_fixed_[v] = is_fixed_[v] || is_bend_[v];
    std::map<std::size_t, std::int32_t> patch_of;
    const std::map<std::size_t, SmoothPart> parts = find_parts(patch_of);
    const auto project = [&](Halves::Vertex_index v) {
      const SmoothPart& part = parts.at(part_[halves_.face(halves_.halfedge(v))]);
      return place(part.point_near(at(v)));
    };
    processing::isotropic_remeshing(halves_.faces(), size, halves_,
                                    processing::parameters::edge_is_constrained_map(is_edge_)
                                        .vertex_is_constrained_map(is_fixed_)
                                        .face_patch_map(part_)
                                        .number_of_iterations(iterations)
                                        .projection_functor(project));
    halves_.collect_garbage();
    for (const auto face : halves_.faces()) patch_[face] = patch_of.at(part_[face]);
    remove_narrow(least);
  }

  SurfaceMesh result(const std::vector<std::string>& patch_names) const {
    SurfaceMesh made;
    made.patch_names = patch_names;
    for (const auto v : halves_.vertices()) made.nodes.push_back(at(v));
    for (const auto face : halves_.faces()) {
      Element& element = made.elements.emplace_back(Element{-1, -1, -1, -1});
      for (int k = 0; k < 3; ++k) element[k] = static_cast<std::int32_t>(corners(face)[k].idx());
      made.patch.push_back(patch_[face]);
    }
    return made;
  }

 private:
  /// Twice as many change edges and errors of solves by less than 2 %.
  static constexpr unsigned int iterations = 5;

  static Halves::Vertex_index node(std::size_t n) {
    return Halves::Vertex_index(static_cast<std::uint32_t>(n));
  }
  static Halves::Vertex_index node(std::int32_t n) { return node(static_cast<std::size_t>(n)); }

  Vec3d at(Halves::Vertex_index v) const { return vector(halves_.point(v)); }
  double length(Halves::Halfedge_index half) const {
    return norm(at(halves_.target(half)) - at(halves_.source(half)));
  }
  std::array<Halves::Vertex_index, 3> corners(Halves::Face_index face) const {
    const auto half = halves_.halfedge(face);
    return {halves_.source(half), halves_.target(half), halves_.target(halves_.next(half))};
  }
  std::array<Vec3d, 3> places(Halves::Face_index face) const {
    const auto [a, b, c] = corners(face);
    return {at(a), at(b), at(c)};
  }

  /// Removes triangles narrower than `least`: a corner of three triangles is removed, short edges
  /// are collapsed, and edges that nearly pass through the opposite corner are divided there. Rims
  /// stay.
  void remove_narrow(double least) {
    constexpr int most_passes = 10;  // one change may allow another
    for (int pass = 0; pass < most_passes; ++pass) {
      std::size_t changes = 0;
      // Indices of removed elements are used again, so that ranges do not stay valid.
      const std::vector edges(halves_.edges().begin(), halves_.edges().end());
      for (const auto edge : edges) {
        if (!halves_.is_removed(edge) && length(halves_.halfedge(edge)) < least)
          changes += collapse(halves_.halfedge(edge)) ? 1 : 0;
      }
      const std::vector faces(halves_.faces().begin(), halves_.faces().end());
      for (const auto face : faces) {
        if (!halves_.is_removed(face)) changes += remove_narrow(face, least) ? 1 : 0;
      }
      halves_.collect_garbage();
      if (changes == 0) return;
    }
  }

  /// Moves the source of an edge, or if that may not move its target, to the other end.
  bool collapse(Halves::Halfedge_index half) {
    const auto stays = [&](Halves::Vertex_index v) {
      return is_fixed_[v] || halves_.is_border(v, true);
    };
    if (stays(halves_.source(half))) half = halves_.opposite(half);
    const auto edge = halves_.edge(half);
    if (stays(halves_.source(half)) || !CGAL::Euler::does_satisfy_link_condition(edge, halves_))
      return false;
    const Place kept = halves_.point(halves_.target(half));
    const bool fixed = is_fixed_[halves_.target(half)];
    const bool bend = is_bend_[halves_.source(half)] || is_bend_[halves_.target(half)];
    const auto v = CGAL::Euler::collapse_edge(edge, halves_);
    halves_.point(v) = kept;
    is_fixed_[v] = fixed;
    is_bend_[v] = bend;
    return true;
  }

  /// Makes the three triangles around the target of an edge one.
  bool remove_centre(Halves::Halfedge_index half) {
    const auto centre = halves_.target(half);
    if (halves_.degree(centre) != 3 || is_fixed_[centre] || halves_.is_border(centre, true))
      return false;
    for (const auto v : halves_.vertices_around_target(half)) {
      if (halves_.degree(v) == 3) return false;
    }
    CGAL::Euler::remove_center_vertex(half, halves_);
    return true;
  }

  bool remove_narrow(Halves::Face_index face, double least) {
    auto half = halves_.halfedge(face);
    for (int k = 0; k < 2; ++k) {
      const auto next = halves_.next(halves_.halfedge(face));
      const auto other = k == 0 ? next : halves_.next(next);
      if (length(other) > length(half)) half = other;
    }
    const double longest = length(half);
    if (!(norm(normal_of(places(face))) < least * longest)) return false;
    for (const auto corner : halves_.halfedges_around_face(half)) {
      if (remove_centre(corner)) return true;
    }
    const auto corner = halves_.target(halves_.next(half)),
               opposite = halves_.target(halves_.next(halves_.opposite(half)));
    if (halves_.is_border(halves_.edge(half)) ||
        halves_.halfedge(corner, opposite) != Halves::null_halfedge())
      return false;
    const Vec3d a = at(halves_.source(half)), b = at(halves_.target(half));
    const double share = dot(at(corner) - a, b - a) / (longest * longest);
    const auto first = CGAL::Euler::split_edge(half, halves_);
    const auto middle = halves_.target(first);
    const auto back = halves_.opposite(first);
    halves_.point(middle) = place(a + share * (b - a));
    for (const auto& [from, to] : {std::pair{first, halves_.next(halves_.next(first))},
                                   std::pair{halves_.prev(back), halves_.next(back)}}) {
      const std::int32_t patch = patch_[halves_.face(from)];
      const auto cut = CGAL::Euler::split_face(from, to, halves_);
      patch_[halves_.face(cut)] = patch_[halves_.face(halves_.opposite(cut))] = patch;
    }
    const auto towards = halves_.halfedge(middle, corner);
    return towards != Halves::null_halfedge() && collapse(towards);
  }

  /// Edges that stay: rims, borders of patches, and sharp edges.
  void find_edges() {
    for (const auto edge : halves_.edges()) {
      const auto half = halves_.halfedge(edge);
      const auto a = halves_.face(half), b = halves_.face(halves_.opposite(half));
      is_edge_[edge] = halves_.is_border(edge) || patch_[a] != patch_[b] ||
                       angle_between(normal_of(places(a)), normal_of(places(b))) > sharp_angle_;
    }
  }

  /// Nodes at which two edges that stay meet at a sharp angle.
  void find_bends() {
    for (const auto v : halves_.vertices()) {
      std::vector<Vec3d> out;
      for (const auto half : halves_.halfedges_around_target(halves_.halfedge(v))) {
        if (is_edge_[halves_.edge(half)]) out.push_back(at(halves_.source(half)) - at(v));
      }
      is_bend_[v] = out.size() == 2 && angle_between(out[0], -1.0 * out[1]) > sharp_angle_;
    }
  }

  std::map<std::size_t, SmoothPart> find_parts(std::map<std::size_t, std::int32_t>& patch_of) {
    processing::connected_components(halves_, part_,
                                     processing::parameters::edge_is_constrained_map(is_edge_));
    std::map<std::size_t, SmoothPart> parts;
    for (const auto face : halves_.faces()) {
      parts[part_[face]].add(places(face), corners(face));
      patch_of[part_[face]] = patch_[face];
    }
    for (auto& each : parts) each.second.end(sharp_angle_);
    return parts;
  }

  template <class Key, class Value>
  using Map = Halves::Property_map<Key, Value>;

  Halves halves_;
  double sharp_angle_;
  Map<Halves::Face_index, std::int32_t> patch_ =
      halves_.add_property_map<Halves::Face_index, std::int32_t>("f:patch", 0).first;
  Map<Halves::Face_index, std::size_t> part_ =
      halves_.add_property_map<Halves::Face_index, std::size_t>("f:part", 0).first;
  Map<Halves::Vertex_index, bool> is_fixed_ =
      halves_.add_property_map<Halves::Vertex_index, bool>("v:fixed", false).first;
  Map<Halves::Vertex_index, bool> is_bend_ =
      halves_.add_property_map<Halves::Vertex_index, bool>("v:bend", false).first;
  Map<Halves::Edge_index, bool> is_edge_ =
      halves_.add_property_map<Halves::Edge_index, bool>("e:kept", false).first;
};

}  // namespace

std::vector<char> remesh_triangles(ByteReader& request) {
  request.text();  // the file name, which is also in the mesh
  const auto size = request.value<double>(), sharp_angle = request.value<double>();
  const auto fixed = request.all<std::uint8_t>();
  const SurfaceMesh mesh = take_surface_mesh(request);
  Remesher remesher(mesh, fixed, sharp_angle);
  remesher.remesh(size);
  return to_bytes(remesher.result(mesh.patch_names));
}

}  // namespace rankine::meshes
