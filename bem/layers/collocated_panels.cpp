#include "rankine/bem/layers/collocated_panels.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/layers/linear_corrections.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/shared_nodes.hpp"
#include "rankine/bem/panels/near_pairs.hpp"

namespace rankine::bem {

CollocatedPanels::CollocatedPanels(const Panels& panels, const QuadratureOptions& options)
    : CollocatedPanels(bem::place_nodes(panels, options), panels) {}

CollocatedPanels::CollocatedPanels(const Panels& panels, const QuadratureOptions& options,
                                   Backend& backend)
    : CollocatedPanels(backend.place_nodes(panels, options), panels) {}

CollocatedPanels::CollocatedPanels(PanelNodes nodes, const Panels& panels)
    : PanelDiscretization(panels, std::move(nodes), {}) {
  share_nodes(nodes_);
  if (!panels.symmetry.empty()) set_targets(panels.centroid, panels.normal);
}

StrengthRows CollocatedPanels::strengths(const RowRange& nodes) const {
  StrengthRows rows{{}, strength_gradients(panels_, constant_if_cut(nodes_))};
  rows.nodes = strengths_of_sources(panels_, nodes_, rows.gradients, nodes);
  return rows;
}

SparsityPattern CollocatedPanels::near_pairs(const RowRange& rows) const {
  const std::size_t all = targets().size();
  const RowRange kept = rows.of(all);
  SparsityPattern pairs =
      find_near_pairs(targets().on_host().subspan(kept.begin, kept.size()), nodes_.balls);
  pairs.offsets.insert(pairs.offsets.begin(), kept.begin, 0);
  pairs.offsets.resize(all + 1, pairs.offsets.back());
  return pairs;
}

void CollocatedPanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                                 std::span<double* const> values) const {
  integrate_by_panels(layers, pairs, values);
}

std::vector<SparseRows> CollocatedPanels::linear_moments(std::span<const Layer> layers,
                                                         const RowRange& rows) const {
  const RowRange kept = rows.of(targets().size());
  return bem::linear_moments(panels_, nodes_, targets(), panels_.size(),
                             close_panels(panels_, nodes_, kept), kept.begin, layers);
}

}  // namespace rankine::bem
