#include "rankine/meshes/checks/panel_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/checks/near_boxes.hpp"
#include "rankine/meshes/checks/triangle_pair.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

struct Panel {
  Vec3d centre, normal;
  double size;
};

AlignedVector<Panel> measure(const SurfaceMesh& mesh) {
  AlignedVector<Panel> panels(mesh.elements.size());
  parallel_for(panels.size(), [&](std::size_t e) {
    const Element& element = mesh.elements[e];
    const int corners = corner_count(element);
    double longest = 0.0;
    for (int k = 0; k < corners; ++k)
      longest =
          std::max(longest, norm(mesh.nodes[element[(k + 1) % corners]] - mesh.nodes[element[k]]));
    const Vec3d area = vector_area(mesh, element);
    const double factor = corners == 3 ? 4.0 / std::sqrt(3.0) : 1.0;
    panels[e] = {corner_mean(mesh, element), normalized(area), factor * norm(area) / longest};
  });
  return panels;
}

struct Triangles {
  std::array<Triangle, 2> triangle;
  int count;
};

/// The triangles of a panel; a quadrilateral is cut along its shorter diagonal.
Triangles triangles_of(const SurfaceMesh& mesh, std::size_t e) {
  const Element& element = mesh.elements[e];
  const Vec3d &a = mesh.nodes[element[0]], &b = mesh.nodes[element[1]], &c = mesh.nodes[element[2]];
  if (corner_count(element) == 3) return {{Triangle{a, b, c}}, 1};
  const Vec3d& d = mesh.nodes[element[3]];
  if (norm(c - a) <= norm(d - b)) return {{Triangle{a, b, c}, Triangle{a, c, d}}, 2};
  return {{Triangle{a, b, d}, Triangle{b, c, d}}, 2};
}

/// The second largest extent of a box.
double breadth(const BoundingBox& box) {
  const Vec3d extent = box.upper - box.lower;
  return std::max(std::min(extent.x, extent.y), std::min(std::max(extent.x, extent.y), extent.z));
}

/// Adds bounding boxes that cover a triangle. Halves the triangle across its longest edge while the
/// box is much broader than the triangle, as for long triangles oblique to the axes.
template <class Add>
void cut(const Triangle& triangle, int halvings, Add&& add) {
  int longest = 0;
  std::array<double, 3> length{};
  for (int k = 0; k < 3; ++k) {
    length[k] = norm(triangle[(k + 1) % 3] - triangle[k]);
    if (length[k] > length[longest]) longest = k;
  }
  constexpr double most_breadth = 24.0;  // relative to the width of the triangle
  BoundingBox box;
  for (const Vec3d& corner : triangle) box.add(corner);
  const double twice_area = norm(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]));
  if (halvings == 0 || breadth(box) * length[longest] <= most_breadth * twice_area) {
    add(box);
    return;
  }
  const Vec3d &from = triangle[longest], &to = triangle[(longest + 1) % 3];
  const Vec3d &top = triangle[(longest + 2) % 3], middle = 0.5 * (from + to);
  cut({from, middle, top}, halvings - 1, add);
  cut({middle, to, top}, halvings - 1, add);
}

AlignedVector<NearBoxes::Piece> cut_into_pieces(const SurfaceMesh& mesh,
                                                std::span<const Panel> panels) {
  const auto for_each_box = [&](std::size_t e, auto&& add) {
    constexpr int most_halvings = 6;
    const Triangles parts = triangles_of(mesh, e);
    for (int k = 0; k < parts.count; ++k) cut(parts.triangle[k], most_halvings, add);
  };
  std::vector<std::size_t> first(panels.size() + 1, 0);
  parallel_for(panels.size(), [&](std::size_t e) {
    for_each_box(e, [&](const BoundingBox&) { ++first[e + 1]; });
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  AlignedVector<NearBoxes::Piece> pieces(first.back());
  parallel_for(panels.size(), [&](std::size_t e) {
    std::size_t at = first[e];
    for_each_box(e, [&](const BoundingBox& box) {
      pieces[at++] = {box, limits::facing * panels[e].size, static_cast<std::int32_t>(e)};
    });
  });
  return pieces;
}

/// Whether two panels have a corner at the same place.
bool share_a_corner(const SurfaceMesh& mesh, const Element& a, const Element& b) {
  const auto any_pair = [&](auto same) {
    for (int k = 0; k < corner_count(a); ++k) {
      for (int l = 0; l < corner_count(b); ++l) {
        if (same(a[k], b[l])) return true;
      }
    }
    return false;
  };
  return any_pair([](std::int32_t n, std::int32_t m) { return n == m; }) ||
         any_pair([&](std::int32_t n, std::int32_t m) { return mesh.nodes[n] == mesh.nodes[m]; });
}

class PairSearch {
 public:
  PairSearch(const SurfaceMesh& mesh, const Bodies& bodies)
      : mesh_(mesh), bodies_(bodies), panels_(measure(mesh)) {}

  /// The finding for panel a due to panel b, if any.
  std::optional<PairFinding> compare(std::int32_t a, std::int32_t b, bool boxes_overlap) const {
    const bool one_body = bodies_.of_element[a] == bodies_.of_element[b];
    const bool opposed = dot(panels_[a].normal, panels_[b].normal) <= limits::opposed_cosine;
    if (one_body && !boxes_overlap && !opposed) return std::nullopt;
    const bool shared = share_a_corner(mesh_, mesh_.elements[a], mesh_.elements[b]);
    if (shared) return one_body ? std::nullopt : lie_on_each_other(a, b);
    const Panel &mine = panels_[a], &theirs = panels_[b];
    const double size = std::min(mine.size, theirs.size);
    const double depth = limits::least_depth * size;
    if (boxes_overlap && pass_through(a, b, depth, one_body ? 0.0 : depth))
      return PairFinding{one_body ? PairKind::surface_cross : PairKind::bodies_cross, a, b};
    if (!one_body) {
      const double away = distance_of(a, b);
      if (away <= limits::touching * size)
        return PairFinding{PairKind::bodies_touch, a, b, away / size};
    }
    if (!opposed) return std::nullopt;
    const Vec3d offset = from_centre(a, b);
    const double away = norm(offset), along = dot(offset, mine.normal);
    if (away > limits::facing * mine.size || std::abs(along) < limits::facing_cosine * away)
      return std::nullopt;
    return PairFinding{along > 0.0 ? PairKind::gap : PairKind::thin_wall, a, b, away / mine.size};
  }

  AlignedVector<NearBoxes::Piece> pieces() const { return cut_into_pieces(mesh_, panels_); }

  /// Common properties of the panels of some pieces.
  struct Side {
    Vec3d normal;       ///< mean normal, unit length
    std::int32_t body;  ///< negative for several bodies, or if the normals differ much
  };
  Side side_of(std::span<const NearBoxes::Piece> pieces) const {
    Side side{{}, bodies_.of_element[pieces.front().owner]};
    for (const NearBoxes::Piece& piece : pieces) side.normal += panels_[piece.owner].normal;
    side.normal = normalized(side.normal);
    for (const NearBoxes::Piece& piece : pieces) {
      if (bodies_.of_element[piece.owner] != side.body ||
          !(dot(panels_[piece.owner].normal, side.normal) >= cosine_of_thirty))
        side.body = -1;
    }
    return side;
  }
  /// Whether panels of two sides can belong to two bodies or face each other. Panels cannot face
  /// each other if their normals are less than 120 degrees apart: normals within 30 degrees of two
  /// means that are less than 60 degrees apart.
  static bool may_face(const Side& a, const Side& b) {
    return a.body < 0 || a.body != b.body || !(dot(a.normal, b.normal) >= cosine_of_sixty);
  }

 private:
  static constexpr double cosine_of_thirty = 0.8660254037844387, cosine_of_sixty = 0.5;
  static_assert(limits::opposed_cosine <= -cosine_of_sixty);

  /// Finds touching bodies. They may meet at a node or along a common edge, but not in a panel.
  std::optional<PairFinding> lie_on_each_other(std::int32_t a, std::int32_t b) const {
    const double size = std::min(panels_[a].size, panels_[b].size);
    const double away = norm(from_centre(a, b));
    if (away > limits::touching * size) return std::nullopt;
    return PairFinding{PairKind::bodies_touch, a, b, away / size};
  }

  /// Vector from the centre of a to the closest point of b.
  Vec3d from_centre(std::int32_t a, std::int32_t b) const {
    const Vec3d& centre = panels_[a].centre;
    const Triangles parts = triangles_of(mesh_, b);
    Vec3d offset = nearest_point(parts.triangle[0], centre) - centre;
    if (parts.count == 1) return offset;
    const Vec3d other = nearest_point(parts.triangle[1], centre) - centre;
    return norm(other) < norm(offset) ? other : offset;
  }

  template <class Visit>
  void for_triangles(std::int32_t a, std::int32_t b, Visit&& visit) const {
    const Triangles mine = triangles_of(mesh_, a), theirs = triangles_of(mesh_, b);
    for (int k = 0; k < mine.count; ++k) {
      for (int l = 0; l < theirs.count; ++l) visit(mine.triangle[k], theirs.triangle[l]);
    }
  }

  /// Edges of one body may pass through edges, since parts with regular meshes may cross only
  /// there.
  bool pass_through(std::int32_t a, std::int32_t b, double depth, double from_rim) const {
    bool found = false;
    for_triangles(a, b, [&](const Triangle& mine, const Triangle& theirs) {
      found = found || cross_deeply(mine, theirs, depth, from_rim);
    });
    return found;
  }

  double distance_of(std::int32_t a, std::int32_t b) const {
    double least = BoundingBox::far;
    for_triangles(a, b, [&](const Triangle& mine, const Triangle& theirs) {
      least = std::min(least, distance(mine, theirs));
    });
    return least;
  }

  const SurfaceMesh& mesh_;
  const Bodies& bodies_;
  AlignedVector<Panel> panels_;
};

bool before(const PairFinding& a, const PairFinding& b) {
  return std::tie(a.kind, a.panel, a.value, a.other) < std::tie(b.kind, b.panel, b.value, b.other);
}

bool same_panel(const PairFinding& a, const PairFinding& b) {
  return a.kind == b.kind && a.panel == b.panel;
}

}  // namespace

std::vector<PairFinding> find_pairs(const SurfaceMesh& mesh, const Bodies& bodies) {
  const PairSearch search(mesh, bodies);
  const NearBoxes boxes(search.pieces());
  std::vector<PairSearch::Side> sides(boxes.leaf_count());
  parallel_for(sides.size(),
               [&](std::size_t leaf) { sides[leaf] = search.side_of(boxes.leaf(leaf)); });
  std::vector<std::vector<PairFinding>> found(boxes.leaf_count());
  constexpr std::size_t leaves_at_once = 64;
  parallel_chunks(found.size(), leaves_at_once, [&](std::size_t leaf) {
    std::vector<PairFinding>& here = found[leaf];
    const auto reaches = [&](std::size_t other) {
      return PairSearch::may_face(sides[leaf], sides[other]);
    };
    const auto add = [&](const PairFinding& pair) {
      const auto known = std::ranges::find_if(
          here, [&](const PairFinding& each) { return same_panel(each, pair); });
      if (known == here.end()) {
        here.push_back(pair);
      } else if (before(pair, *known)) {
        *known = pair;
      }
    };
    boxes.visit_near(leaf, reaches,
                     [&](const NearBoxes::Piece& mine, const NearBoxes::Piece& theirs, bool once) {
                       if (mine.owner == theirs.owner) return;
                       const bool overlaps = overlap(mine.box, theirs.box);
                       const auto pair = search.compare(mine.owner, theirs.owner, overlaps);
                       if (!pair) return;
                       add(*pair);
                       if (!once) return;
                       if (const auto other = search.compare(theirs.owner, mine.owner, overlaps))
                         add(*other);
                     });
  });
  std::vector<PairFinding> all;
  for (const auto& here : found) all.insert(all.end(), here.begin(), here.end());
  std::sort(all.begin(), all.end(), before);
  all.erase(std::unique(all.begin(), all.end(), same_panel), all.end());
  return all;
}

std::vector<PairFinding> find_gaps_to_images(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  std::vector<PairFinding> found;
  if (symmetry.empty()) return found;
  const AlignedVector<Panel> panels = measure(mesh);
  for (std::size_t e = 0; e < panels.size(); ++e) {
    double least = limits::facing;
    for (const SymmetryPlane& plane : symmetry.planes()) {
      const double side = corner_mean(mesh, mesh.elements[e])[plane.axis] - plane.place;
      if (panels[e].normal[plane.axis] * (side > 0.0 ? -1.0 : 1.0) < limits::facing_cosine)
        continue;
      double distance = std::abs(side);
      for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
        distance =
            std::min(distance, std::abs(mesh.nodes[mesh.elements[e][k]][plane.axis] - plane.place));
      if (distance > 0.0) least = std::min(least, 2.0 * distance / panels[e].size);
    }
    const auto panel = static_cast<std::int32_t>(e);
    if (least < limits::facing) found.push_back({PairKind::gap, panel, panel, least});
  }
  return found;
}

}  // namespace rankine::meshes
