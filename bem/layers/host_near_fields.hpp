// Near integrals of fields off the surface, on the host.
#pragma once

#include <span>

#include "rankine/bem/layers/near_field.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// The panels, their far-field nodes, and the panels near every target.
struct NearPanels {
  const Panels& panels;
  const PanelNodes& nodes;
  const SparsityPattern& pairs;
};

/// Adds 4 pi times the exact fields of near panels minus those of their nodes to the potentials and
/// gradients at `targets`. Strengths of charges and doublets are linear over a panel. For targets
/// closer to it than `near_rule` allows they are constant.
void add_near_fields(const NearPanels& near, const LinearStrengths& charges,
                     const LinearStrengths& doublets, std::span<const Vec3d> targets,
                     std::span<double> potentials, std::span<Vec3d> gradients);

}  // namespace rankine::bem
