// Corrections for the linear part of strengths from shared sources (bem/layers/shared_nodes.hpp)
// close to a target. Near corrections replace a panel's sources for the constant part of a
// strength. The sum of the linear part (bem/layers/linear_strengths.hpp) stays; its error is of
// third order if sources lie on their panels. Shared sources lie beside their panels and may be so
// close to a target, off its plane, that 1/r^3 is unbounded there. So the linear part of a shared
// source is cancelled for targets closer than the width of its cell:
//
//   C_i . = - sum over the sources s with |x_i - y_s| < width_s of K(x_i, y_s) (P_s . - W_s .)
//
// W_sj is the sum of the weights of the nodes of panel j that share s. No factor 1/(4 pi).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// C of each layer, targets x panels, with one pattern. Empty if no node is shared. `strengths`: P,
/// sources x panels, columns ascending.
std::vector<SparseRows> source_variation(const PanelNodes& nodes, SparseRows strengths,
                                         std::span<const Vec3d> targets,
                                         std::span<const Vec3d> target_normals,
                                         std::span<const Layer> layers);

}  // namespace rankine::bem
