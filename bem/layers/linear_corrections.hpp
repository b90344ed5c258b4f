// Near corrections for the linear part of strengths (bem/layers/linear_strengths.hpp). The other
// near corrections integrate only the constant part. The quadrature nodes, which sum the linear
// part, are too coarse on the panel of a point and on its neighbours. The resulting error is second
// order in the panel size but differs from panel to panel, so gradients of the result, and fluxes
// computed from potentials, would be only first order. They are second order with
//
//   C = M G ,   (G q)_j = sum_k a_jk (q_k - q_j)     gradient on panel j from its neighbours k
//                                                    (bem/layers/gradient_fit.hpp)
//   (M g)_i = sum of m_ij . g_j over the panels j close to point i
//   m_ij    = integral over j of K(x_i, y) (y - c_j)   (bem/panels/panel_moments.hpp)
//             - sum over the nodes y of j of w K(x_i, y) (y - c_j)
//
// for the kernels K of S and D; c_j is the mean of the nodes of j. No factor 1/(4 pi). Gradients
// have two components, along the tangents of the panel (bem/panels/tangents.hpp): 2 j and 2 j + 1.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Rows of the pattern of M for the points of the panels and their images. The row of image m of
/// point i has the panels whose image m shares a node with panel i. Image 0 is the original.
std::shared_ptr<const SparsityPattern> close_panels(const Panels& panels, const PanelNodes& nodes,
                                                    const RowRange& rows);

/// Rows of M of each of `layers`, which holds single_layer and double_layer at most once, from
/// target `first` on. `pattern`: these rows x gradients, both components of a panel one after the
/// other. Target i < `own` is the point of panel i.
std::vector<SparseRows> linear_moments(const Panels& panels, const PanelNodes& nodes,
                                       std::span<const Vec3d> targets, std::size_t own,
                                       std::shared_ptr<const SparsityPattern> pattern,
                                       std::size_t first, std::span<const Layer> layers);

}  // namespace rankine::bem
