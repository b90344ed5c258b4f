#include "rankine/meshes/checks/panel_quality.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

double degrees(double radians) { return radians * 180.0 / std::numbers::pi; }

double degrees_between(const Vec3d& a, const Vec3d& b) {
  return degrees(std::atan2(norm(cross(a, b)), dot(a, b)));
}

/// The angle between the two halves of a quadrilateral at the diagonal from a to c.
double angle_of_halves(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return degrees_between(cross(b - a, c - a), cross(c - a, d - a));
}

PanelQuality measure_shape(const SurfaceMesh& mesh, const Element& element) {
  PanelQuality quality;
  const int corners = corner_count(element);
  const auto corner = [&](int k) { return mesh.nodes[element[(k + corners) % corners]]; };
  double longest = 0.0;
  for (int k = 0; k < corners; ++k) {
    longest = std::max(longest, norm(corner(k + 1) - corner(k)));
    const double angle = degrees_between(corner(k + 1) - corner(k), corner(k - 1) - corner(k));
    quality.largest_angle = std::max(quality.largest_angle, angle);
  }
  const double area = norm(vector_area(mesh, element));
  quality.aspect = longest * longest / ((corners == 3 ? 2.0 : 1.0) * area);
  if (corners == 3) return quality;
  const double first = angle_of_halves(corner(0), corner(1), corner(2), corner(3));
  const double second = angle_of_halves(corner(1), corner(2), corner(3), corner(0));
  quality.warp = std::max(first, second);
  quality.folded = std::min(first, second) > degrees(std::acos(limits::opposed_cosine));
  return quality;
}

/// Union-find of panels connected across edges that are not folds; a set is a "side".
class Sides {
 public:
  explicit Sides(std::size_t panels) : parent_(panels), area_(panels, 0.0), around_(panels, 0.0) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t find(std::int32_t panel) {
    while (parent_[panel] != panel) panel = parent_[panel] = parent_[parent_[panel]];
    return panel;
  }
  void join(std::int32_t a, std::int32_t b) { parent_[find(a)] = find(b); }
  void add_area(std::int32_t panel, double area) { area_[find(panel)] += area; }
  /// Records that two sides meet at a fold.
  void meet(std::int32_t a, std::int32_t b) {
    const std::int32_t first = find(a), second = find(b);
    around_[first] = std::max(around_[first], area_[second]);
    around_[second] = std::max(around_[second], area_[first]);
  }
  bool is_small(std::int32_t panel) {
    const std::int32_t side = find(panel);
    return area_[side] < limits::folded_patch * around_[side];
  }

 private:
  std::vector<std::int32_t> parent_;
  std::vector<double> area_, around_;  ///< area of a side, and of its largest adjacent side, m^2
};

struct Face {
  Vec3d normal;
  double area;  ///< m^2
};

using Neighbours = std::pair<std::int32_t, std::int32_t>;

/// Calls visit(a, b) for the two panels of every edge.
template <class Visit>
void for_each_pair(const EdgeTable& edges, Visit visit) {
  edges.for_each_edge([&](std::int32_t, std::span<const HalfEdge> at) {
    if (at.size() == 2) visit(at[0].element, at[1].element);
  });
}

/// A panel is folded if it belongs to a small side whose borders are all `folds`.
void find_folded(std::span<const Face> faces, const EdgeTable& edges,
                 const std::vector<Neighbours>& folds, std::span<PanelQuality> quality) {
  if (folds.empty()) return;
  Sides sides(faces.size());
  for_each_pair(edges, [&](std::int32_t a, std::int32_t b) {
    if (dot(faces[a].normal, faces[b].normal) >= limits::opposed_cosine) sides.join(a, b);
  });
  for (std::size_t e = 0; e < faces.size(); ++e)
    sides.add_area(static_cast<std::int32_t>(e), faces[e].area);
  for (const auto& [a, b] : folds) sides.meet(a, b);
  for (std::size_t e = 0; e < faces.size(); ++e)
    quality[e].folded = quality[e].folded || sides.is_small(static_cast<std::int32_t>(e));
}

/// Calls visit(neighbour) for every neighbour of panel e across an edge.
template <class Visit>
void for_each_neighbour(const SurfaceMesh& mesh, const EdgeTable& edges, std::size_t e,
                        Visit visit) {
  const Element& element = mesh.elements[e];
  const int corners = corner_count(element);
  for (int k = 0; k < corners; ++k) {
    const std::span<const HalfEdge> at = edges.at(element[k], element[(k + 1) % corners]);
    if (at.size() != 2) continue;
    const bool first = at[0].element == static_cast<std::int32_t>(e);
    visit(at[first ? 1 : 0].element);
  }
}

}  // namespace

AlignedVector<PanelQuality> measure_quality(const SurfaceMesh& mesh, const EdgeTable& edges) {
  AlignedVector<PanelQuality> quality(mesh.elements.size());
  AlignedVector<Face> faces(mesh.elements.size());
  parallel_for(mesh.elements.size(), [&](std::size_t e) {
    const Vec3d area = vector_area(mesh, mesh.elements[e]);
    faces[e] = {normalized(area), norm(area)};
  });
  using Pairs = std::vector<Neighbours>;
  const Pairs folds = parallel_reduce(faces.size(), Pairs{}, [&](std::size_t e, Pairs& found) {
        const auto mine = static_cast<std::int32_t>(e);
        double ratio = 1.0, cosine = 1.0;
        for_each_neighbour(mesh, edges, e, [&](std::int32_t other) {
          const auto [less, more] = std::minmax(faces[e].area, faces[other].area);
          const double between = dot(faces[e].normal, faces[other].normal);
          ratio = std::max(ratio, more / less);
          cosine = std::min(cosine, between);
          if (between < limits::opposed_cosine && mine < other) found.emplace_back(mine, other);
        });
        quality[e] = measure_shape(mesh, mesh.elements[e]);
        quality[e].size_jump = std::sqrt(ratio);
        quality[e].turn = degrees(std::acos(std::max(cosine, -1.0)));
      });
  find_folded(faces, edges, folds, quality);
  return quality;
}

}  // namespace rankine::meshes
