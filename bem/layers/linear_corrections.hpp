// What the linear part of strengths (bem/layers/linear_strengths.hpp) does close by. Near corrections make the
// integrals of constant strengths accurate; the linear part, whose gradient on panel j is sum_k a_jk (q_k - q_j) over
// its neighbours k (bem/layers/gradient_fit.hpp), is left to the nodes, which are coarse on the panel of a point and on those
// beside it. A flux found from potentials errs by that over the size of a panel: it is of first order without,
// of second with
//
//   C_i . = sum over panel i and the panels j that share a node with it, of m_ij . a_j .
//   m_ij  = integral over j of K(x_i, y) (y - c_j) - sum over the nodes y of j of w K(x_i, y) (y - c_j)
//
// for the kernels K of S and D, c_j the mean of the nodes of j. No factor 1/(4 pi).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// C of each layer, which are single_layer or double_layer, each at most once: (points and their images, image by
/// image) x panels, of one pattern.
std::vector<SparseRows> linear_corrections(const Panels& panels, const PanelNodes& nodes,
                                           std::span<const Layer> layers);

}  // namespace rankine::bem
