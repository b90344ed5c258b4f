// Nodes that panels share. Long panels side by side have nodes that are much closer to each other
// than the near radius. Such nodes are replaced by one source at their weighted mean position, with
// the mean of their normals. So
//
//   sum_k w_k = W ,   sum_k w_k (y_k - y) = 0 ,   sum_k w_k n_k = W n
//
// and the error for a smooth density is second order in their distance. Only panels that are cut
// into strips share nodes. Their strengths are constant: linear strengths would be large at sources
// off their panels, and would not cancel for targets close to a source. Nodes with similar normals
// that lie in one cell of a grid share a source; the cell width is a fraction f of the near radius.
// Near entries subtract the contribution of the source. If the boundary of the near region passes
// between the nodes of a source, their first moments do not cancel. Such cells form a ring, whose
// error is proportional to f^2 for panels of any size. Therefore f is proportional to the square
// root of the tolerance.
#pragma once

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Merges nodes of strips into shared sources. Panels without several strips keep their nodes.
void share_nodes(PanelNodes& nodes);

/// Rows of P of sources (bem/layers/linear_strengths.hpp). The row of a shared source is the sum of
/// those of its nodes, with ascending columns.
SparseRows strengths_of_sources(const Panels& panels, const PanelNodes& nodes,
                                const SparseRows& gradients, const RowRange& rows = {});

}  // namespace rankine::bem
