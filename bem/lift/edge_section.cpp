#include "rankine/bem/lift/edge_section.hpp"

#include <algorithm>
#include <limits>

namespace rankine::bem {

std::vector<SectionPanel> section_side(const PanelNeighbourhood& around, const EdgeSegment& edge,
                                       const Vec3d& middle, bool upper) {
  const Panels& panels = around.panels();
  const Vec3d along = corner_at(panels, edge.upper, edge.second) -
                      corner_at(panels, edge.upper, edge.first),
              start = upper ? middle : middle + edge.base;
  const auto depth = [&](std::int32_t j) { return -dot(around.centroid(j) - start, edge.outward); };
  // Mean depth of the points where the plane crosses the edges of a panel; below all others if it
  // does not. Of wings with taper it increases from strip to strip, unlike that of centroids.
  const auto crossing = [&](std::int32_t panel) {
    const PanelShape<double>& shape = panels.shape[static_cast<std::size_t>(panel)];
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < shape.corners; ++k) {
      const Vec3d a = shape.corner[k] - start, b = shape.corner[(k + 1) % shape.corners] - start;
      const double from = dot(a, along), to = dot(b, along);
      if (from == to || from * to > 0.0) continue;
      sum -= dot(a + from / (from - to) * (b - a), edge.outward);
      ++count;
    }
    return count > 0 ? sum / count : -std::numeric_limits<double>::infinity();
  };
  const std::int32_t first = upper ? edge.upper : edge.lower;
  std::vector<SectionPanel> found{{first, depth(first)}};
  std::vector<std::int32_t> beside;
  for (std::size_t k = 0; k < found.size(); ++k) {
    around.collect_beside(found[k].panel, beside);
    for (const std::int32_t next : beside) {
      if (around.image(next) == 0 && crossing(next) > crossing(found[k].panel) &&
          std::none_of(found.begin(), found.end(),
                       [&](const SectionPanel& each) { return each.panel == next; }))
        found.push_back({next, depth(next)});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const SectionPanel& a, const SectionPanel& b) { return a.depth < b.depth; });
  return found;
}

}  // namespace rankine::bem
