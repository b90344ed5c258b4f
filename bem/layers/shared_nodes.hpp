// Nodes that panels share. Long panels that lie side by side have nodes far closer to each other than
// what is not near is to them: such nodes become one source of the sums, in the mean place of theirs, by
// weight, with the mean of their normals. So
//
//   sum_k w_k = W ,   sum_k w_k (y_k - y) = 0 ,   sum_k w_k n_k = W n
//
// and what a smooth density leaves is of second order in their distance. Nodes share cells of a grid,
// whose width is a fraction f of the radius within which targets are near, with others of like normals;
// near entries take out what the source has summed, wherever the panel's own node was. Where the border of
// what is near cuts through those that share a node, their first moments no longer cancel: a ring of cells,
// which leaves an error like f^2 whatever the size of panels, so that f follows the root of the tolerance.
#pragma once

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Lets nodes of strips share sources. Panels that are not in several strips keep theirs.
void share_nodes(PanelNodes& nodes);

/// Rows of the sources from those of the nodes, sums of them; entries of a row ascend.
SparseRows rows_of_sources(const PanelNodes& nodes, SparseRows of_nodes);

}  // namespace rankine::bem
