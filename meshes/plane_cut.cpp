#include "rankine/meshes/plane_cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

/// A segment across a triangle between its two cut edges.
struct Piece {
  std::size_t from, to, element;
};

class Pieces {
 public:
  /// `height`: signed distance of every node from the plane. `zero_is_above`: zero counts as above.
  Pieces(const SurfaceMesh& mesh, const std::vector<double>& height, bool zero_is_above)
      : height_(height), zero_is_above_(zero_is_above) {
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const Element& element = mesh.elements[e];
      for (int half = 0; half + 2 < corner_count(element); ++half)
        add({element[0], element[half + 1], element[half + 2]}, e);
    }
  }

  std::vector<CutLine> lines() const {
    std::vector<std::vector<std::size_t>> begins(points_.size());
    std::vector<int> ends(points_.size(), 0);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      begins[pieces_[k].from].push_back(k);
      ++ends[pieces_[k].to];
    }
    std::vector<CutLine> lines;
    const auto walk_from = [&](std::size_t point) {
      CutLine line;
      std::size_t at = point, element = 0;
      while (!begins[at].empty()) {
        const Piece& piece = pieces_[begins[at].back()];
        begins[at].pop_back();
        element = piece.element;
        line.points.push_back(points_[at]);
        line.points.back().element = element;
        at = piece.to;
        if (at == point) break;
      }
      line.points.push_back(points_[at]);
      line.points.back().element = element;
      line.closed = at == point;
      lines.push_back(std::move(line));
    };
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (ends[k] == 0) walk_from(k);
    }
    for (std::size_t k = 0; k < points_.size(); ++k) {
      while (!begins[k].empty()) walk_from(k);
    }
    return lines;
  }

 private:
  bool above(std::int32_t node) const {
    return height_[node] > 0.0 || (height_[node] == 0.0 && zero_is_above_);
  }

  void add(const std::array<std::int32_t, 3>& corner, std::size_t element) {
    std::size_t up = 0, down = 0;
    bool cut = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = corner[k], b = corner[(k + 1) % 3];
      if (above(a) == above(b)) continue;
      cut = true;
      (above(b) ? up : down) = point_on(std::min(a, b), std::max(a, b));
    }
    if (cut) pieces_.push_back({down, up, element});
  }

  std::size_t point_on(std::int32_t a, std::int32_t b) {
    const std::uint64_t key = static_cast<std::uint64_t>(a) << 32U | static_cast<std::uint32_t>(b);
    const auto [place, is_new] = known_.try_emplace(key, points_.size());
    if (is_new) points_.push_back({a, b, height_[a] / (height_[a] - height_[b]), 0});
    return place->second;
  }

  const std::vector<double>& height_;
  bool zero_is_above_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
  std::vector<CutPoint> points_;
  std::vector<Piece> pieces_;
};

/// Merges coincident points, keeping the panel on which the line continues. Returns the length, m.
double tidy(const SurfaceMesh& mesh, double near, CutLine& line) {
  double length = 0.0;
  std::vector<CutPoint> kept;
  for (const CutPoint& point : line.points) {
    const double step =
        kept.empty() ? 0.0 : norm(position(mesh, point) - position(mesh, kept.back()));
    if (!kept.empty() && step <= near) {
      kept.back().element = point.element;
      continue;
    }
    length += step;
    kept.push_back(point);
  }
  line.points = std::move(kept);
  return length;
}

}  // namespace

PlaneCut cut_by_plane(const SurfaceMesh& mesh, const Vec3d& origin, const Vec3d& normal) {
  const Vec3d up = normalized(normal);
  const double near = limits::no_size * bounding_box(mesh).diagonal();
  std::vector<double> height(mesh.nodes.size());
  PlaneCut cut;
  cut.distance = mesh.nodes.empty() ? 0.0 : std::abs(dot(mesh.nodes[0] - origin, up));
  for (std::size_t n = 0; n < height.size(); ++n) {
    height[n] = dot(mesh.nodes[n] - origin, up);
    if (std::abs(height[n]) <= near) height[n] = 0.0;
    cut.distance = std::min(cut.distance, std::abs(height[n]));
  }
  std::vector<std::pair<double, CutLine>> found;
  for (const bool zero_is_above : {true, false}) {
    if (!found.empty()) break;
    for (CutLine& line : Pieces(mesh, height, zero_is_above).lines()) {
      const double length = tidy(mesh, near, line);
      if (line.points.size() > 1) found.emplace_back(length, std::move(line));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [length, line] : found) cut.lines.push_back(std::move(line));
  return cut;
}

}  // namespace rankine::meshes
