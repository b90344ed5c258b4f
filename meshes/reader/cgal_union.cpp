// The boundary of the union of closed triangulated bodies, which may cross, touch or contain one
// another and themselves, with CGAL's exact arithmetic, its boxes and its triangulations (GPL 3 or
// later).
//
// Triangles are cut along their intersections with all others. The winding number w of a point is
// the sum of the solid angles of all triangles over 4 pi: the number of bodies that contain it. The
// union is where w > 0; a piece belongs to its boundary if that is so on one side alone. Where a
// surface is turned inside out, w < 0.
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Constrained_triangulation_plus_2.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Point = Kernel::Point_3;
using Segment = Kernel::Segment_3;
using Triangle = Kernel::Triangle_3;
using Triangulation =
    CGAL::Constrained_triangulation_plus_2<CGAL::Constrained_Delaunay_triangulation_2<
        Kernel, CGAL::Default, CGAL::Exact_intersections_tag>>;
using Corners = std::array<std::int32_t, 3>;

struct Piece {
  Corners corners;
  std::vector<std::int32_t> of;  ///< the triangles from which it is cut; several coincide
  std::int32_t jump = 0;         ///< of w against the normal: 1 for one triangle
};

/// Triangles with their intersections.
class Arrangement {
 public:
  explicit Arrangement(const SurfaceMesh& mesh) : cuts_(mesh.elements.size()) {
    std::vector<Point> nodes;
    for (const Vec3d& x : mesh.nodes) nodes.emplace_back(x.x, x.y, x.z);
    for (const Element& element : mesh.elements)
      triangles_.emplace_back(nodes[element[0]], nodes[element[1]], nodes[element[2]]);
    intersect();
  }

  const Point& point(std::int32_t number) const { return points_[number]; }
  std::size_t points() const { return points_.size(); }

  /// The pieces of all triangles, those that coincide as one.
  std::vector<Piece> pieces() {
    std::vector<Piece> all;
    std::map<Corners, std::size_t> known;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (const Corners& corners : cut(t)) {
        const Corners key = sorted(corners);
        const auto [place, is_new] = known.emplace(key, all.size());
        if (is_new) all.push_back({corners, {}});
        Piece& piece = all[place->second];
        piece.jump += is_even(corners, piece.corners) ? 1 : -1;
        piece.of.push_back(static_cast<std::int32_t>(t));
      }
    }
    return all;
  }

 private:
  static Corners sorted(Corners corners) {
    std::sort(corners.begin(), corners.end());
    return corners;
  }
  /// Whether two triangles with the same corners have the same normal.
  static bool is_even(const Corners& a, const Corners& b) {
    const auto first = std::find(b.begin(), b.end(), a[0]) - b.begin();
    return b[static_cast<std::size_t>(first + 1) % 3] == a[1];
  }

  std::int32_t number(const Point& x) {
    const auto [place, is_new] = numbers_.emplace(x, static_cast<std::int32_t>(points_.size()));
    if (is_new) points_.push_back(x);
    return place->second;
  }

  void intersect() {
    using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, std::size_t>;
    std::vector<Box> boxes;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (!triangles_[t].is_degenerate()) boxes.emplace_back(triangles_[t].bbox(), t);
    }
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) {
      if (!meet_as_neighbours(a.info(), b.info())) intersect(a.info(), b.info());
    });
  }

  /// Whether triangles have nothing in common besides the edge or the corner that they share.
  bool meet_as_neighbours(std::size_t a, std::size_t b) const {
    std::array<int, 3> other_of_a{}, other_of_b{};
    int shared = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (triangles_[a][i] != triangles_[b][j]) continue;
        ++shared;
        other_of_a[i] = other_of_b[j] = 1;
      }
    }
    const Triangle &first = triangles_[a], &second = triangles_[b];
    const auto left = [](const std::array<int, 3>& is_shared) {
      return static_cast<int>(std::find(is_shared.begin(), is_shared.end(), 0) - is_shared.begin());
    };
    if (shared == 2) {
      return CGAL::orientation(first[0], first[1], first[2], second[left(other_of_b)]) !=
             CGAL::COPLANAR;
    }
    if (shared == 1) {
      const auto opposite = [](const Triangle& triangle, const std::array<int, 3>& is_shared) {
        const int k =
            static_cast<int>(std::find(is_shared.begin(), is_shared.end(), 1) - is_shared.begin());
        return Segment(triangle[k + 1], triangle[k + 2]);
      };
      return !CGAL::do_intersect(opposite(first, other_of_a), second) &&
             !CGAL::do_intersect(opposite(second, other_of_b), first);
    }
    return shared == 0 && !CGAL::do_intersect(first, second);
  }

  void intersect(std::size_t a, std::size_t b) {
    const auto common = CGAL::intersection(triangles_[a], triangles_[b]);
    if (!common) return;
    std::vector<Point> outline;
    if (const auto* point = boost::get<Point>(&*common)) outline = {*point};
    if (const auto* segment = boost::get<Segment>(&*common))
      outline = {segment->source(), segment->target()};
    if (const auto* triangle = boost::get<Triangle>(&*common))
      outline = {(*triangle)[0], (*triangle)[1], (*triangle)[2]};
    if (const auto* polygon = boost::get<std::vector<Point>>(&*common)) outline = *polygon;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const Segment side(outline[k], outline[(k + 1) % outline.size()]);
      cuts_[a].push_back(side);
      cuts_[b].push_back(side);
    }
  }

  /// The pieces of one triangle, triangulated in the coordinate plane that it is most parallel to.
  std::vector<Corners> cut(std::size_t t) {
    const Triangle& triangle = triangles_[t];
    if (triangle.is_degenerate()) return {};
    if (cuts_[t].empty()) return {{number(triangle[0]), number(triangle[1]), number(triangle[2])}};
    const Kernel::Plane_3 plane = triangle.supporting_plane();
    const std::array normal{plane.a(), plane.b(), plane.c()};
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (std::abs(CGAL::to_double(normal[k])) > std::abs(CGAL::to_double(normal[axis]))) axis = k;
    }
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const auto flat = [&](const Point& x) { return Kernel::Point_2(x[i], x[j]); };
    Triangulation pieces;
    for (int k = 0; k < 3; ++k) pieces.insert_constraint(flat(triangle[k]), flat(triangle[k + 1]));
    for (const Segment& side : cuts_[t]) {
      if (side.is_degenerate()) {
        pieces.insert(flat(side.source()));
      } else {
        pieces.insert_constraint(flat(side.source()), flat(side.target()));
      }
    }
    const auto number_of = [&](const Kernel::Point_2& x) {
      std::array<Kernel::FT, 3> full;
      full[i] = x[0];
      full[j] = x[1];
      full[axis] = -(normal[i] * x[0] + normal[j] * x[1] + plane.d()) / normal[axis];
      return number(Point(full[0], full[1], full[2]));
    };
    std::vector<Corners> result;
    for (const auto face : pieces.finite_face_handles()) {
      Corners& corners = result.emplace_back();
      for (int k = 0; k < 3; ++k) corners[k] = number_of(face->vertex(k)->point());
      if (normal[axis] < 0) std::swap(corners[1], corners[2]);
    }
    return result;
  }

  std::vector<Point> points_;
  std::map<Point, std::int32_t> numbers_;
  std::vector<Triangle> triangles_;
  std::vector<std::vector<Segment>> cuts_;
};

Vec3d rounded(const Point& x) {
  return {CGAL::to_double(x.x()), CGAL::to_double(x.y()), CGAL::to_double(x.z())};
}

/// The winding number at x of the triangles but `without` [Van Oosterom and Strackee 1983].
double winding_number(const SurfaceMesh& mesh, const Vec3d& x,
                      const std::vector<std::int32_t>& without) {
  double sum = 0.0;
  for (std::size_t t = 0; t < mesh.elements.size(); ++t) {
    if (std::find(without.begin(), without.end(), t) != without.end()) continue;
    const auto corner = [&](int k) { return mesh.nodes[mesh.elements[t][k]] - x; };
    const Vec3d a = corner(0), b = corner(1), c = corner(2);
    const double p = norm(a), q = norm(b), r = norm(c);
    sum +=
        std::atan2(dot(a, cross(b, c)), p * q * r + dot(a, b) * r + dot(b, c) * p + dot(c, a) * q);
  }
  return sum / (2.0 * std::numbers::pi);
}

/// Pieces by edge, in the order of their corners' numbers.
using Edge = std::pair<std::int32_t, std::int32_t>;
using PiecesAtEdges = std::map<Edge, std::vector<std::size_t>>;

PiecesAtEdges at_edges(const std::vector<Piece>& pieces) {
  PiecesAtEdges result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      result[std::minmax(pieces[i].corners[k], pieces[i].corners[(k + 1) % 3])].push_back(i);
  }
  return result;
}

/// Whether a piece has an edge in this direction.
bool is_along(const Piece& piece, const Edge& edge) {
  const auto at = std::find(piece.corners.begin(), piece.corners.end(), edge.first);
  return piece.corners[static_cast<std::size_t>(at - piece.corners.begin() + 1) % 3] == edge.second;
}

/// The first piece of the patch of every piece. Patches end at edges that do not have two pieces;
/// w does not change on either side of a patch.
std::vector<std::size_t> patches_of(const std::vector<Piece>& pieces) {
  std::vector<std::size_t> root(pieces.size());
  std::iota(root.begin(), root.end(), 0);
  const auto first = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& [edge, here] : at_edges(pieces)) {
    if (here.size() != 2 || pieces[here[0]].jump != pieces[here[1]].jump ||
        is_along(pieces[here[0]], edge) == is_along(pieces[here[1]], edge))
      continue;
    const auto [to, from] = std::minmax({first(here[0]), first(here[1])});
    root[from] = to;
  }
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = first(i);
  return root;
}

/// 1: w > 0 only on the inner side of a piece; -1: only on the outer side; 0: on both sides or on
/// neither.
int side_of_union(const SurfaceMesh& mesh, const Piece& piece, const Vec3d& centre) {
  const double between = winding_number(mesh, centre, piece.of);
  const bool outside = std::lround(between - 0.5 * piece.jump) > 0,
             inside = std::lround(between + 0.5 * piece.jump) > 0;
  return (inside ? 1 : 0) - (outside ? 1 : 0);
}

/// The pieces on the boundary of the union, with normals out of it.
std::vector<Piece> boundary_of(const SurfaceMesh& mesh, const Arrangement& arrangement,
                               std::vector<Piece> pieces) {
  const std::vector<std::size_t> patch = patches_of(pieces);
  const auto corner = [&](const Piece& piece, int k) {
    return rounded(arrangement.point(piece.corners[static_cast<std::size_t>(k)]));
  };
  std::map<std::size_t, std::pair<double, std::size_t>> largest;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Vec3d a = corner(pieces[i], 0);
    const double area = norm(cross(corner(pieces[i], 1) - a, corner(pieces[i], 2) - a));
    auto& most = largest[patch[i]];
    if (area >= most.first) most = {area, i};
  }
  std::map<std::size_t, int> side;
  for (const auto& [which, most] : largest) {
    const Piece& piece = pieces[most.second];
    side[which] =
        side_of_union(mesh, piece, (corner(piece, 0) + corner(piece, 1) + corner(piece, 2)) / 3.0);
  }
  std::vector<Piece> kept;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (side[patch[i]] == 0) continue;
    kept.push_back(std::move(pieces[i]));
    if (side[patch[i]] < 0) std::swap(kept.back().corners[1], kept.back().corners[2]);
  }
  return kept;
}

}  // namespace

std::vector<char> unite_triangles(ByteReader& request) {
  request.text();  // the file name, which is also in the mesh
  const SurfaceMesh mesh = take_surface_mesh(request);
  Arrangement arrangement(mesh);
  std::vector<Piece> pieces = arrangement.pieces();
  const std::vector<Piece> kept = boundary_of(mesh, arrangement, std::move(pieces));
  for (const auto& [edge, here] : at_edges(kept)) {
    if (here.size() % 2 == 0) continue;
    const Vec3d x = rounded(arrangement.point(edge.first));
    throw MeshError(text_of("cannot unite the bodies of ", mesh.source, ": the union is open near ",
                            x,
                            " m; mesh the bodies again there, so that they do not nearly touch, or "
                            "wrap all panels in one closed surface (repair = [\"wrap\", "
                            "\"remesh\"])"));
  }
  SurfaceMesh joined;
  for (std::size_t n = 0; n < arrangement.points(); ++n)
    joined.nodes.push_back(rounded(arrangement.point(static_cast<std::int32_t>(n))));
  for (const Piece& piece : kept) {
    joined.elements.push_back({piece.corners[0], piece.corners[1], piece.corners[2], -1});
    joined.face.push_back(mesh.face[static_cast<std::size_t>(piece.of.front())]);
  }
  return to_bytes(joined);
}

}  // namespace rankine::meshes
