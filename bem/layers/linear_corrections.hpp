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
// for the kernels K of S and D; c_j is the mean of the nodes of j. No factor 1/(4 pi).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// C of each layer, all with one pattern: (points and their images, image by image) x panels.
/// `layers` holds single_layer and double_layer at most once each.
std::vector<SparseRows> linear_corrections(const Panels& panels, const PanelNodes& nodes,
                                           std::span<const Layer> layers);

}  // namespace rankine::bem
