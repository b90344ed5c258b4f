// Strengths that are linear on every panel, from values at the collocation points: the panel's own,
// which is the mean, and a gradient fitted to those of the panels across its edges (least squares in
// the panel's plane, weight 1/d^2). Sharp edges end the fit; where fewer than three panels are left
// those that share a node join, and where the gradient is not fixed by them it is zero. Beyond symmetry
// planes the neighbours are images, whose values have the planes' signs.
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
