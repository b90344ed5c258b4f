#include "rankine/bem/lift/edge_section.hpp"

#include <algorithm>

namespace rankine::bem {

std::vector<SectionPanel> section_side(const PanelNeighbourhood& around, const EdgeSegment& edge,
                                       const Vec3d& middle, bool upper) {
  const Panels& panels = around.panels();
  const Vec3d along = corner_at(panels, edge.upper, edge.second) -
                      corner_at(panels, edge.upper, edge.first),
              start = upper ? middle : middle + edge.base;
  const auto depth = [&](std::int32_t j) { return -dot(around.centroid(j) - start, edge.outward); };
  const auto is_crossed = [&](std::int32_t panel) {
    const PanelShape<double>& shape = panels.shape[static_cast<std::size_t>(panel)];
    bool before = false, behind = false;
    for (int k = 0; k < shape.corners; ++k) {
      const double t = dot(shape.corner[k] - start, along);
      before = before || t <= 0.0;
      behind = behind || t >= 0.0;
    }
    return before && behind;
  };
  const std::int32_t first = upper ? edge.upper : edge.lower;
  std::vector<SectionPanel> found{{first, depth(first)}};
  std::vector<std::int32_t> beside;
  for (std::size_t k = 0; k < found.size(); ++k) {
    around.collect_beside(found[k].panel, beside);
    for (const std::int32_t next : beside) {
      if (around.image(next) == 0 && depth(next) > found[k].depth && is_crossed(next) &&
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
