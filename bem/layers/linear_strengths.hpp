// Strengths that are linear on every panel, from values at the collocation points: the panel's own,
// which is the mean, and the gradient of bem/layers/gradient_fit.hpp. Beyond symmetry planes the neighbours
// are images, whose values have the planes' signs.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// P: nodes x panels; weights of the nodes times the values there.
SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes);

/// The gradients by which `values`, one per panel, vary on the panels, tangential, 1/m.
std::vector<Vec3d> strength_gradients(const Panels& panels, std::span<const double> values);

}  // namespace rankine::bem
