#include "rankine/bem/layers/collocated_panels.hpp"

#include <memory>
#include <utility>

#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
CollocatedPanels::CollocatedPanels(const Panels& panels, const QuadratureOptions& options)
    : panels_(panels), nodes_(place_nodes(panels, options)) {}

SparseRows CollocatedPanels::strengths() const { return linear_strengths(panels_, nodes_); }

SparsityPattern CollocatedPanels::near_pairs() const {
  return find_near_pairs(panels_.centroid, panels_.centroid, nodes_.near_radius);
}

void CollocatedPanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                                 std::span<double* const> values) const {
  integrate_near(near_entry_view(panels_, nodes_), layers, pairs, values);
}

NearEntryView near_entry_view(const Panels& panels, const PanelNodes& nodes) {
  return {panels.shape.data(),        panels.centroid.data(), panels.normal.data(),
          nodes.middle_radius.data(), nodes.points.data(),    nodes.normals.data(),
          nodes.weights.data(),       nodes.per_panel};
}

}  // namespace rankine::bem
