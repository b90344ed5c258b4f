// Near corrections for the linear part of strengths (bem/layers/linear_strengths.hpp). The other
// near corrections integrate the constant part accurately. The linear part, whose gradient on panel
// j is sum_k a_jk (q_k - q_j) over its neighbours k (bem/layers/gradient_fit.hpp), is summed from
// the nodes, which are too coarse on the panel of a point and on the panels beside it. A flux found
// from potentials has that error divided by the panel size. So it is of first order without and of
// second order with
//
//   C_i . = sum of m_ij . a_j over panel i and the panels j that share a node with it
//   m_ij  = integral over j of K(x_i, y) (y - c_j)
//           - sum over the nodes y of j of w K(x_i, y) (y - c_j)
//
// for the kernels K of S and D; c_j is the mean of the nodes of j. No factor 1/(4 pi). Where two
// walls are nearer to each other than the nodes are, as at a sharp edge, m_ij of the opposite wall
// is as large as the integral itself, and sums without it are wrong.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Gradients of the strengths on panels from the values there, and with them rows of C.
class LinearCorrections {
 public:
  /// `panels` and `nodes` must outlive this object.
  LinearCorrections(const Panels& panels, const PanelNodes& nodes, const IsConstant& is_constant);

  /// Calls take(column) for the columns of the rows of `panel`. They may repeat.
  template <class Take>
  void for_each_column(std::int32_t panel, Take&& take) const {
    for (const Share& each : shares_[static_cast<std::size_t>(panel)]) take(each.column);
  }
  /// Calls take(column, values) for the entries that a panel has at x; values[l] is that of
  /// `layers`[l]. `own`: x is the collocation point of the panel. `layers` holds single_layer and
  /// double_layer at most once each.
  template <class Take>
  void for_each_entry(const Vec3d& x, bool own, std::int32_t panel, std::span<const Layer> layers,
                      Take&& take) const {
    const std::vector<Share>& shares = shares_[static_cast<std::size_t>(panel)];
    if (shares.empty()) return;
    const std::array<Vec3d, layer_count> moments = moments_of(x, own, panel, layers);
    for (const auto& [column, factor] : shares) {
      std::array<double, layer_count> values{};
      for (std::size_t l = 0; l < layers.size(); ++l) values[l] = dot(factor, moments[l]);
      take(column, values);
    }
  }

 private:
  /// The gradient is the sum of factor times value, signs of images included.
  struct Share {
    std::int32_t column;
    Vec3d factor;
  };

  std::array<Vec3d, layer_count> moments_of(const Vec3d& x, bool own, std::int32_t panel,
                                            std::span<const Layer> layers) const;

  const Panels& panels_;
  const PanelNodes& nodes_;
  std::vector<std::vector<Share>> shares_;
};

/// C of each layer, all with one pattern: (points and their images, image by image) x panels.
std::vector<SparseRows> linear_corrections(const Panels& panels, const PanelNodes& nodes,
                                           std::span<const Layer> layers);

}  // namespace rankine::bem
