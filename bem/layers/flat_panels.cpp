#include "rankine/bem/layers/flat_panels.hpp"

#include <memory>
#include <utility>

#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
FlatPanels::FlatPanels(const Panels& panels, const QuadratureOptions& options)
    : panels_(panels), nodes_(place_nodes(panels, options)) {}

SparseRows FlatPanels::strengths() const {
  const auto per_panel = static_cast<std::size_t>(nodes_.per_panel);
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.resize(nodes_.weights.size() + 1);
  pattern->columns.resize(nodes_.weights.size());
  parallel_for(nodes_.weights.size(), [&](std::size_t node) {
    pattern->columns[node] = static_cast<std::int32_t>(node / per_panel);
    pattern->offsets[node + 1] = static_cast<std::int64_t>(node + 1);
  });
  return {panels_.size(), std::move(pattern), {nodes_.weights.begin(), nodes_.weights.end()}};
}

SparsityPattern FlatPanels::near_pairs() const {
  return find_near_pairs(panels_.centroid, panels_.centroid, nodes_.near_radius);
}

void FlatPanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                           std::span<double* const> values) const {
  integrate_near(near_entry_view(panels_, nodes_), layers, pairs, values);
}

NearEntryView near_entry_view(const Panels& panels, const PanelNodes& nodes) {
  return {panels.shape.data(),        panels.centroid.data(), panels.normal.data(),
          nodes.middle_radius.data(), nodes.points.data(),    nodes.normals.data(),
          nodes.weights.data(),       nodes.per_panel};
}

}  // namespace rankine::bem
