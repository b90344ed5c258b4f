// Nodes that panels share. Long panels side by side have nodes that are much closer to each other
// than the near radius. Such nodes are replaced by one source at their weighted mean position, with
// the mean of their normals. So
//
//   sum_k w_k = W ,   sum_k w_k (y_k - y) = 0 ,   sum_k w_k n_k = W n
//
// and the error for a smooth density is of second order in their distance. Only panels that are cut
// into strips share nodes. Their strengths are constant: linear ones, at sources beside their
// panels, would be large and not cancelled where a target is close to a source. Nodes with similar
// normals that lie in one cell of a grid share a source; the cell width is a fraction f of the near
// radius. Near entries subtract the contribution of the source. Where the border of the near region
// cuts through the nodes of a source, their first moments no longer cancel. These cells form a ring
// whose error is proportional to f^2 for panels of any size. Therefore f is proportional to the
// root of the tolerance.
#pragma once

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Makes nodes of strips share sources. Panels without several strips keep their nodes.
void share_nodes(PanelNodes& nodes);

/// Adds the rows of the nodes of every source; columns ascend in a row.
SparseRows rows_of_sources(const PanelNodes& nodes, SparseRows of_nodes);

}  // namespace rankine::bem
