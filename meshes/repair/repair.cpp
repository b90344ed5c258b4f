#include "rankine/meshes/repair/repair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/repair/fill.hpp"
#include "rankine/meshes/repair/stitch.hpp"

namespace rankine::meshes {
namespace {

/// A regular grid with cells at least as wide as the tolerance, so that nodes within the tolerance
/// are in adjacent cells.
class NodeGrid {
 public:
  NodeGrid(const SurfaceMesh& mesh, double tolerance)
      : mesh_(mesh),
        lower_(bounding_box(mesh).lower),
        tolerance_(tolerance),
        width_(std::max(tolerance, limits::no_size * bounding_box(mesh).diagonal())) {}

  /// The nearest added node within the tolerance; -1 if there is none.
  std::int32_t find(const Vec3d& x) const {
    std::int32_t nearest = -1;
    double least = tolerance_;
    const Cell centre = cell_of(x);
    for (std::int64_t i = -1; i <= 1; ++i) {
      for (std::int64_t j = -1; j <= 1; ++j) {
        for (std::int64_t k = -1; k <= 1; ++k) {
          const auto [begin, end] =
              nodes_.equal_range(Cell{centre[0] + i, centre[1] + j, centre[2] + k});
          for (auto at = begin; at != end; ++at) {
            const double distance = norm(mesh_.nodes[at->second] - x);
            const bool nearer = distance < least || (distance == least && nearest < 0) ||
                                (distance == least && at->second < nearest);
            if (!nearer) continue;
            nearest = at->second;
            least = distance;
          }
        }
      }
    }
    return nearest;
  }
  void add(std::int32_t node) { nodes_.emplace(cell_of(mesh_.nodes[node]), node); }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t hash = 0;
      for (const std::int64_t i : cell)
        hash = (hash ^ static_cast<std::uint64_t>(i)) * 0x9e3779b97f4a7c15ULL;
      return hash ^ (hash >> 32U);
    }
  };
  Cell cell_of(const Vec3d& x) const {
    Cell cell{};
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] =
          static_cast<std::int64_t>(std::floor((x[k] - lower_[k]) / width_));
    return cell;
  }

  const SurfaceMesh& mesh_;
  Vec3d lower_;
  double tolerance_, width_;
  std::unordered_multimap<Cell, std::int32_t, Hash> nodes_;
};

std::string merge_nodes(SurfaceMesh& mesh, double tolerance) {
  if (tolerance == 0.0) tolerance = limits::same_place * bounding_box(mesh).diagonal();
  std::size_t merged = 0, closed = 0;
  if (tolerance > 0.0 && std::isfinite(tolerance)) {
    NodeGrid grid(mesh, tolerance);
    std::vector<std::int32_t> stands_for(mesh.nodes.size());
    for (std::int32_t n = 0; n < std::ssize(mesh.nodes); ++n) {
      const std::int32_t found = grid.find(mesh.nodes[n]);
      stands_for[n] = found < 0 ? n : found;
      if (found < 0) grid.add(n);
      if (found >= 0) ++merged;
    }
    if (merged > 0) closed = renumber(mesh, stands_for);
  }
  std::string note = "repair: merged " + counted(merged, "node") + " within " +
                     show_number(tolerance) + " m of another";
  if (closed > 0) note += "; " + counted(closed, "panel") + " narrower than that went";
  return note;
}

/// Removes degenerate panels and keeps the surface closed.
class Degenerate {
 public:
  explicit Degenerate(SurfaceMesh& mesh) : mesh_(mesh) {}

  /// Removes them in several passes, because one repair may require another. Returns their number.
  std::size_t remove() {
    constexpr int most_passes = 100;
    std::size_t removed = 0;
    for (int pass = 0; pass < most_passes; ++pass) {
      const std::size_t before = removed;
      removed += drop_repeated();
      removed += close_short_edges();
      removed += insert_corners();
      if (removed == before) break;
    }
    return removed;
  }

 private:
  bool without_area(const Element& element) const {
    double longest = 0.0;
    const int corners = corner_count(element);
    for (int k = 0; k < corners; ++k)
      longest = std::max(longest, length(element[k], element[(k + 1) % corners]));
    return norm(vector_area(mesh_, element)) <= limits::no_size * longest * longest;
  }
  double length(std::int32_t a, std::int32_t b) const {
    return norm(mesh_.nodes[a] - mesh_.nodes[b]);
  }

  std::size_t drop_repeated() {
    collapse_quadrilaterals(mesh_);
    std::vector<bool> gone(mesh_.elements.size());
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e)
      gone[e] = has_corner_twice(mesh_.elements[e]);
    return drop_elements(mesh_, gone);
  }

  /// Collapses the short edge of degenerate panels to a node.
  std::size_t close_short_edges() {
    std::vector<std::int32_t> stands_for(mesh_.nodes.size());
    std::iota(stands_for.begin(), stands_for.end(), 0);
    const auto root = [&](std::int32_t n) {
      while (stands_for[n] != n) n = stands_for[n];
      return n;
    };
    bool found = false;
    for (const Element& element : mesh_.elements) {
      if (!without_area(element)) continue;
      const int corners = corner_count(element);
      double longest = 0.0;
      for (int k = 0; k < corners; ++k)
        longest = std::max(longest, length(element[k], element[(k + 1) % corners]));
      for (int k = 0; k < corners; ++k) {
        const std::int32_t a = root(element[k]), b = root(element[(k + 1) % corners]);
        if (a == b || length(element[k], element[(k + 1) % corners]) > limits::same_place * longest)
          continue;
        stands_for[std::max(a, b)] = std::min(a, b);
        found = true;
      }
    }
    if (!found) return 0;
    for (std::int32_t n = 0; n < std::ssize(stands_for); ++n) stands_for[n] = root(n);
    return renumber(mesh_, stands_for);
  }

  /// A degenerate triangle without a short edge has a corner on its longest edge: splits the panel
  /// on the other side of that edge there.
  std::size_t insert_corners() {
    std::vector<std::size_t> flat;
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
      if (corner_count(mesh_.elements[e]) == 3 && without_area(mesh_.elements[e]))
        flat.push_back(e);
    }
    if (flat.empty()) return 0;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> sides;
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
      for (int k = 0; k < corner_count(mesh_.elements[e]); ++k)
        sides[key(mesh_.elements[e], k)].push_back(e);
    }
    std::vector<bool> gone(mesh_.elements.size(), false), changed(mesh_.elements.size(), false);
    for (const std::size_t e : flat) {
      if (changed[e]) continue;
      const Element triangle = mesh_.elements[e];
      const int edge = longest_edge(triangle);
      const std::vector<std::size_t>& both = sides[key(triangle, edge)];
      if (both.size() != 2) continue;
      const std::size_t other = both[0] == e ? both[1] : both[0];
      if (changed[other] || other == e || !split(other, triangle, edge)) continue;
      gone[e] = changed[e] = changed[other] = true;
    }
    gone.resize(mesh_.elements.size(), false);
    return drop_elements(mesh_, gone);
  }

  static std::uint64_t key(const Element& element, int k) {
    const std::int32_t a = element[k], b = element[(k + 1) % corner_count(element)];
    return (static_cast<std::uint64_t>(std::min(a, b)) << 32U) |
           static_cast<std::uint64_t>(std::max(a, b));
  }

  int longest_edge(const Element& triangle) const {
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
      if (length(triangle[k], triangle[(k + 1) % 3]) >
          length(triangle[longest], triangle[(longest + 1) % 3]))
        longest = k;
    }
    return longest;
  }

  /// Inserts the corner of the triangle into the common edge of element e, which becomes triangles
  /// around that corner; the first replaces the element.
  bool split(std::size_t e, const Element& triangle, int edge) {
    const Element element = mesh_.elements[e];
    const std::int32_t corner = triangle[(edge + 2) % 3];
    const int corners = corner_count(element);
    if (std::find(element.begin(), element.begin() + corners, corner) != element.begin() + corners)
      return false;
    int common = 0;
    while (key(element, common) != key(triangle, edge)) ++common;
    const MidNodes middle = mesh_.mid_nodes.empty() ? MidNodes{} : mesh_.mid_nodes[e];
    for (int k = 1; k < corners; ++k) {
      const Element piece{corner, element[(common + k) % corners],
                          element[(common + k + 1) % corners], -1};
      const std::size_t place = k == 1 ? e : mesh_.elements.size();
      if (place > e) append_copy(mesh_, e);
      mesh_.elements[place] = piece;
      if (mesh_.mid_nodes.empty()) continue;
      mesh_.mid_nodes[place] = straight_mid_nodes(mesh_, piece);
      mesh_.mid_nodes[place][1] = middle[(common + k) % corners];
    }
    return true;
  }

  SurfaceMesh& mesh_;
};

std::size_t remove_duplicates(SurfaceMesh& mesh) {
  std::vector<std::pair<Element, std::size_t>> order;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    Element corners = mesh.elements[e];
    std::sort(corners.begin(), corners.end());
    order.emplace_back(corners, e);
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> gone(mesh.elements.size(), false);
  for (std::size_t k = 1; k < order.size(); ++k)
    gone[order[k].second] = order[k].first == order[k - 1].first;
  const std::size_t removed = drop_elements(mesh, gone);
  drop_unused_nodes(mesh);
  return removed;
}

std::string stitch_rims(SurfaceMesh& mesh) {
  const Stitches made = stitch(mesh);
  std::string note = "repair: stitched " +
                     counted(made.open_before - made.open_after, "open edge") +
                     " where parts meet with different panels, by " +
                     counted(made.inserted, "corner") + " of the other part";
  if (made.merged > 0) note += " and " + counted(made.merged, "node") + " merged with one of it";
  return note;
}

std::string close_holes(SurfaceMesh& mesh) {
  const FilledHoles filled = fill_holes(mesh);
  std::string note = "repair: filled " + counted(filled.holes, "hole") + " by " +
                     counted(filled.panels, "panel") + ", " + show_number(filled.area) + " m^2";
  if (filled.left > 0)
    note += "; " + counted(filled.left, "rim") + " neither flat nor small: open as before";
  return note;
}

/// Reverses the minority of panels in every body. Returns their number.
std::size_t make_neighbours_agree(SurfaceMesh& mesh) {
  const Bodies bodies = find_bodies(mesh, EdgeTable(mesh));
  std::vector<std::size_t> panels(bodies.count), opposed(bodies.count);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    ++panels[bodies.of_element[e]];
    if (bodies.opposed[e]) ++opposed[bodies.of_element[e]];
  }
  std::size_t turned = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::int32_t body = bodies.of_element[e];
    const bool first_is_right = 2 * opposed[body] <= panels[body];
    if (bodies.opposed[e] != first_is_right) continue;
    reverse_element(mesh, e);
    ++turned;
  }
  return turned;
}

std::string turn_panels(SurfaceMesh& mesh) {
  const bool sound = defects(mesh, check_mesh(mesh)).empty();
  const std::size_t turned =
      sound ? orient(mesh, Orient::outward).turned_panels : make_neighbours_agree(mesh);
  return "repair: turned round " + counted(turned, "panel") +
         (sound ? "" : "; the surface is not closed, so that neighbours agree and no more");
}

}  // namespace

std::size_t remove_degenerate(SurfaceMesh& mesh) {
  const std::size_t removed = Degenerate(mesh).remove();
  drop_unused_nodes(mesh);
  return removed;
}

std::vector<std::string> repair(SurfaceMesh& mesh, const Repairs& repairs) {
  std::vector<std::string> notes;
  if (repairs.merge) notes.push_back(merge_nodes(mesh, repairs.merge_tolerance));
  if (repairs.degenerate)
    notes.push_back("repair: removed " + counted(remove_degenerate(mesh), "panel") +
                    " without area");
  std::size_t duplicates = repairs.duplicates ? remove_duplicates(mesh) : 0;
  if (mesh.elements.empty()) {
    throw MeshError(mesh.source +
                    ": the repair leaves no panel; is merge_tolerance, in metres, "
                    "larger than the body?");
  }
  if (repairs.stitch) notes.push_back(stitch_rims(mesh));
  if (repairs.duplicates) {  // stitching may give two panels the same corners
    if (repairs.stitch) duplicates += remove_duplicates(mesh);
    notes.push_back("repair: removed " + counted(duplicates, "panel") +
                    " with the corners of an earlier one");
  }
  if (repairs.fill) notes.push_back(close_holes(mesh));
  if (repairs.orient) notes.push_back(turn_panels(mesh));
  mesh.warnings.insert(mesh.warnings.end(), notes.begin(), notes.end());
  return notes;
}

}  // namespace rankine::meshes
