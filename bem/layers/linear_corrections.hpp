// Near corrections for the linear part of strengths (bem/layers/linear_strengths.hpp). The other
// near corrections integrate the constant part accurately. The linear part is summed from the
// nodes, which are too coarse on the panel of a point and on the panels beside it. That error is of
// second order in the panel size and differs from panel to panel, so that gradients of the result,
// and fluxes found from potentials, are of first order without and of second order with
//
//   C = M G ,   (G q)_j = sum_k a_jk (q_k - q_j)     gradient on panel j from its neighbours k
//                                                    (bem/layers/gradient_fit.hpp)
//   (M g)_i = sum of m_ij . g_j over panel i and the panels j that share a node with it
//   m_ij    = integral over j of K(x_i, y) (y - c_j)   (bem/panels/panel_moments.hpp)
//             - sum over the nodes y of j of w K(x_i, y) (y - c_j)
//
// for the kernels K of S and D; c_j is the mean of the nodes of j. No factor 1/(4 pi). Where two
// walls are nearer to each other than the nodes are, as at a sharp edge, m_ij of the opposite wall
// is as large as the integral itself, and sums without it are wrong. Gradients have two components,
// along the tangents of the panel (bem/panels/tangents.hpp): 2 j and 2 j + 1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// m of a panel at x, for each of `layers`, which holds single_layer and double_layer at most once.
/// `own`: x is the collocation point of the panel.
std::array<Vec3d, layer_count> linear_moments(const Panels& panels, const PanelNodes& nodes,
                                              const Vec3d& x, bool own, std::int32_t panel,
                                              std::span<const Layer> layers);

/// Rows of C from G.
class LinearCorrections {
 public:
  /// All must outlive this object. `gradients`: G, by strength_gradients().
  LinearCorrections(const Panels& panels, const PanelNodes& nodes, const SparseRows& gradients)
      : panels_(panels), nodes_(nodes), gradients_(gradients) {}

  /// Calls take(column) for the columns of the rows of `panel`. They may repeat.
  template <class Take>
  void for_each_column(std::int32_t panel, Take&& take) const {
    const Row row = row_of(panel);
    for (std::size_t k = 0; k < row.size; ++k) take(row.columns[k]);
  }
  /// Calls take(column, values) for the entries that a panel has at x; values[l] is that of
  /// `layers`[l].
  template <class Take>
  void for_each_entry(const Vec3d& x, bool own, std::int32_t panel, std::span<const Layer> layers,
                      Take&& take) const {
    const Row row = row_of(panel);
    if (row.size == 1) return;
    const auto moments = linear_moments(panels_, nodes_, x, own, panel, layers);
    const Tangents along(panels_.normal[static_cast<std::size_t>(panel)]);
    for (std::size_t k = 0; k < row.size; ++k) {
      const Vec3d factor = row.values[k] * along.t1 + row.values[row.size + k] * along.t2;
      std::array<double, layer_count> values{};
      for (std::size_t l = 0; l < layers.size(); ++l) values[l] = dot(factor, moments[l]);
      take(row.columns[k], values);
    }
  }

 private:
  /// Both rows of a panel, whose columns are the same.
  struct Row {
    const std::int32_t* columns;
    const double* values;
    std::size_t size;
  };
  Row row_of(std::int32_t panel) const {
    const SparsityPattern& pattern = *gradients_.pattern;
    const auto row = 2 * static_cast<std::size_t>(panel),
               at = static_cast<std::size_t>(pattern.offsets[row]);
    return {pattern.columns.data() + at, gradients_.values.data() + at,
            static_cast<std::size_t>(pattern.offsets[row + 1]) - at};
  }

  const Panels& panels_;
  const PanelNodes& nodes_;
  const SparseRows& gradients_;
};

/// M of each of `layers`, for panels and their symmetry planes.
std::vector<SparseRows> linear_moments(const Panels& panels, const PanelNodes& nodes,
                                       std::span<const Layer> layers);

}  // namespace rankine::bem
