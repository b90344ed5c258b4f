// Strengths that are linear on every panel, from values at the collocation points: the panel's
// value is the mean, and the gradient is that of bem/layers/gradient_fit.hpp. Neighbours across
// symmetry planes are images, whose values have the planes' signs. Host and device use the same
// rows.
//
// Panels that are cut into strips have constant strengths, unless the caller chooses otherwise. On
// a long panel, slopes are differences over its small width; with them the matrix of the single
// layer is nearly singular for strengths that vary from panel to panel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// The panels that determine the slope of the strength on a panel: none (the strength is constant),
/// those across its edges, or all that share a vertex with it.
enum class SlopeFit { none, beside, around };

using SlopeFits = std::function<SlopeFit(std::size_t panel)>;

/// Constant strengths on panels that are cut into strips. `nodes` must outlive the result.
inline SlopeFits constant_if_cut(const PanelNodes& nodes) {
  return [&nodes](std::size_t panel) {
    return nodes.is_cut(panel) ? SlopeFit::none : SlopeFit::beside;
  };
}

/// G: the gradients of strengths on the panels from the values there, 1/m. Rows 2 j and 2 j + 1 are
/// the components along the tangents of panel j (bem/panels/tangents.hpp). They have the same
/// columns: the neighbours of the fit, and then j. Zero for panels with constant strengths.
/// `strip`: as in SourceSet.
SparseRows strength_gradients(const Panels& panels, const SlopeFits& fits,
                              std::span<const std::int8_t> strip = {});

/// Rows of P, nodes x panels: weights of the nodes times the strengths there.
SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes,
                            const SparseRows& gradients, const RowRange& rows = {});
inline SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes) {
  return linear_strengths(panels, nodes, strength_gradients(panels, constant_if_cut(nodes)));
}

/// Writes both rows of G of a panel, the second directly after the first. factor(k): the weight of
/// neighbour k in the gradient (bem/layers/gradient_fit.hpp). Host and device.
template <class Around, class List, class Factor>
RANKINE_HD void write_gradient_rows(const Around& around, std::int32_t panel,
                                    const List& neighbours, const Factor& factor,
                                    const Tangents& along, std::int32_t* columns, double* values) {
  const std::size_t last = neighbours.size(), row = last + 1;
  double own1 = 0.0, own2 = 0.0;
  for (std::size_t k = 0; k < last; ++k) {
    const Vec3d of_neighbour = factor(k);
    const double a1 = dot(of_neighbour, along.t1), a2 = dot(of_neighbour, along.t2),
                 sign = around.sign(neighbours[k]);
    own1 -= a1;
    own2 -= a2;
    columns[k] = columns[row + k] = around.origin(neighbours[k]);
    values[k] = sign * a1;
    values[row + k] = sign * a2;
  }
  columns[last] = columns[row + last] = panel;
  values[last] = own1;
  values[row + last] = own2;
}

/// Writes the row of P of a node from the rows of G of its panel, which have `row` entries each.
/// `weight`: weight of the node, m^2. `from_middle`: the position of the node relative to the mean
/// of the panel's nodes. Host and device.
RANKINE_HD inline void write_strength_row(const std::int32_t* of_gradient, const double* gradient,
                                          std::size_t row, double weight, const Vec3d& from_middle,
                                          const Tangents& along, std::int32_t* columns,
                                          double* values) {
  const double along1 = weight * dot(from_middle, along.t1),
               along2 = weight * dot(from_middle, along.t2);
  for (std::size_t k = 0; k < row; ++k) {
    columns[k] = of_gradient[k];
    values[k] = along1 * gradient[k] + along2 * gradient[row + k];
  }
  values[row - 1] += weight;
}

}  // namespace rankine::bem
