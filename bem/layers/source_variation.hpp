// What shared sources (bem/layers/shared_nodes.hpp) make of the variation of strengths next to a target. Near
// corrections put the integrals of a constant strength in the place of what a panel's sources make of it; what these
// make of the linear part (bem/layers/linear_strengths.hpp) stays, which is of third order where sources lie on their
// panels. Shared ones lie beside them, and may come so near a target, off its plane, that 1/r^3 makes anything of it.
// Within the width of its cell the linear part of a shared source is therefore taken out:
//
//   C_i . = - sum over the sources s with |x_i - y_s| < width_s of K(x_i, y_s) (P_s . - W_s .)
//
// W_sj the weights of those nodes of panel j that are s. No factor 1/(4 pi).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// C of each layer, targets x panels, of one pattern; none where no node is shared. `strengths`: P, sources x panels,
/// columns ascending.
std::vector<SparseRows> source_variation(const PanelNodes& nodes, SparseRows strengths,
                                         std::span<const Vec3d> targets,
                                         std::span<const Vec3d> target_normals,
                                         std::span<const Layer> layers);

}  // namespace rankine::bem
