#include "rankine/bem/layers/gradient_fit.hpp"

namespace rankine::bem {

void GradientFit::find_neighbours(const PanelNeighbourhood& around, std::int32_t panel) {
  find_fit_neighbours(around, around.least_cosine(), panel, neighbours, ring.panels, ring.nodes);
}

void GradientFit::fit_neighbours(const PanelNeighbourhood& around, std::int32_t panel) {
  const Panels& panels = around.panels();
  const auto offset = [&](std::size_t k) {
    return around.centroid(neighbours[k]) - panels.centroid[panel];
  };
  const GradientFactors fitted(panels.normal[panel], neighbours.size(), offset);
  factors.resize(neighbours.size());
  for (std::size_t k = 0; k < neighbours.size(); ++k) factors[k] = fitted.of(offset(k));
}

}  // namespace rankine::bem
