#include "rankine/bem/panels/panel_patch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

PanelNeighbourhood::PanelNeighbourhood(const Panels& panels)
    : panels_(panels), at_nodes_(panels.at_nodes), least_cosine_(std::cos(panels.sharp_angle)) {}

void PanelNeighbourhood::collect(std::int32_t panel, int rings, Ring& ring) const {
  if (rings != 2 || !panels_.rings) {
    collect_rings(*this, least_cosine_, panel, rings, ring.panels, ring.nodes);
    return;
  }
  const PanelRings& stored = *panels_.rings;
  const auto begin = stored.panels.begin();
  ring.panels.assign(begin + stored.offsets[static_cast<std::size_t>(panel)],
                     begin + stored.offsets[static_cast<std::size_t>(panel) + 1]);
  ring.nodes.clear();
}

std::shared_ptr<const PanelRings> all_rings(const Panels& panels) {
  const PanelNeighbourhood neighbourhood(panels);
  auto rings = std::make_shared<PanelRings>();
  rings->offsets.assign(panels.size() + 1, 0);
  const auto for_rings = [&](auto&& visit) {
    parallel_chunks(
        panels.size(), 256, [] { return PanelNeighbourhood::Ring(); },
        [&](std::size_t i, PanelNeighbourhood::Ring& ring) {
          neighbourhood.collect(static_cast<std::int32_t>(i), 2, ring);
          visit(i, ring.panels);
        });
  };
  for_rings([&](std::size_t i, const std::vector<std::int32_t>& ring) {
    rings->offsets[i + 1] = static_cast<std::int64_t>(ring.size());
  });
  for (std::size_t i = 0; i < panels.size(); ++i) rings->offsets[i + 1] += rings->offsets[i];
  rings->panels.resize(static_cast<std::size_t>(rings->offsets.back()));
  for_rings([&](std::size_t i, const std::vector<std::int32_t>& ring) {
    std::copy(ring.begin(), ring.end(), rings->panels.begin() + rings->offsets[i]);
  });
  return rings;
}

void PanelNeighbourhood::collect_beside(std::int32_t panel,
                                        std::vector<std::int32_t>& beside) const {
  bem::collect_beside(*this, least_cosine_, panel, beside);
}

Vec3d surface_normal(const Panels& panels, std::int32_t panel) {
  return surface_normal(panels.shape[panel], panels.centroid[panel], panels.normal[panel]);
}

void PanelPatch::move_to(std::int32_t panel) {
  const Panels& panels = neighbourhood_.panels();
  panel_ = panel;
  scale_ = panels.radius[panel];
  least_spread_ = bem::least_spread(panels.area[panel], scale_);
  n_ = surface_normal(panels, panel);
  const Tangents tangents(n_);
  t1_ = tangents.t1;
  t2_ = tangents.t2;
  neighbourhood_.collect(panel, 2, ring_);
  samples_.clear();
  for (const std::int32_t j : ring_.panels) {
    const Vec3d r = (neighbourhood_.centroid(j) - panels.centroid[panel]) / scale_;
    samples_.push_back({dot(r, t1_), dot(r, t2_), 0.0});
  }
}

}  // namespace rankine::bem
