// Strengths that are linear on every panel, from values at the collocation points: the panel's
// value is the mean, and the gradient is that of bem/layers/gradient_fit.hpp. Neighbours across
// symmetry planes are images, whose values have the planes' signs. Host and device use the same
// rows.
//
// Panels that are cut into strips have constant strengths, unless the caller chooses others. Slopes
// across a long panel follow from differences over its width. With them the single layer is nearly
// singular for rough strengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Whether the strength of a panel is constant.
using IsConstant = std::function<bool(std::size_t panel)>;

/// Panels that are cut into strips. `nodes` must outlive the result.
inline IsConstant if_cut(const PanelNodes& nodes) {
  return [&nodes](std::size_t panel) { return nodes.is_cut(panel); };
}

/// P, nodes x panels: weights of the nodes times the values there.
SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes,
                            const IsConstant& is_constant);
inline SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes) {
  return linear_strengths(panels, nodes, if_cut(nodes));
}

/// Writes the row of a node of `panel`. The node has the weight `weight`, m^2, and lies at
/// `from_middle` from the mean of the panel's nodes. There is an entry for each of the
/// `neighbours`, whose factors of the gradient are factor(k), and then the entry of the panel
/// itself.
template <class Around, class List, class Factor>
RANKINE_HD void write_strength_row(const Around& around, std::int32_t panel, const List& neighbours,
                                   const Factor& factor, double weight, const Vec3d& from_middle,
                                   std::int32_t* columns, double* values) {
  double own = 1.0;
  const std::size_t count = neighbours.size();
  for (std::size_t k = 0; k < count; ++k) {
    const double share = dot(factor(k), from_middle);
    own -= share;
    columns[k] = around.origin(neighbours[k]);
    values[k] = weight * share * around.sign(neighbours[k]);
  }
  columns[count] = panel;
  values[count] = weight * own;
}

/// Writes the row of the gradient's component along `tangent`, with an entry for each of the
/// neighbours and then that of the panel, as write_strength_row does.
template <class Around, class List, class Factor>
RANKINE_HD void write_gradient_row(const Around& around, std::int32_t panel, const List& neighbours,
                                   const Factor& factor, const Vec3d& tangent,
                                   std::int32_t* columns, double* values) {
  write_strength_row(around, panel, neighbours, factor, 1.0, tangent, columns, values);
  values[neighbours.size()] -= 1.0;
}

/// The tangential gradients of the strengths on the panels, from the values there; unit of the
/// values per m. Zero where strengths are constant.
std::vector<Vec3d> strength_gradients(const Panels& panels, const PanelNodes& nodes,
                                      std::span<const double> values);

}  // namespace rankine::bem
