// The gradient of strengths on a panel, from their values there and on the panels around: least squares in the
// panel's plane through those across its edges, weight 1/d^2. Sharp edges end the fit; where fewer than three panels are left
// those that share a node join, and where the gradient is not fixed by them it is zero.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

/// The gradient on a panel as a sum of a_k (q_k - q), k its neighbours.
struct GradientFit {
  std::vector<std::int32_t> neighbours;
  std::vector<Vec3d> factors;  ///< a_k, 1/m; tangential
  PanelNeighbourhood::Ring ring;

  void find_neighbours(const PanelNeighbourhood& around, std::int32_t panel);
  /// The factors of neighbours that were found before.
  void fit_neighbours(const PanelNeighbourhood& around, std::int32_t panel);
  void fit(const PanelNeighbourhood& around, std::int32_t panel) {
    find_neighbours(around, panel);
    fit_neighbours(around, panel);
  }
};

}  // namespace rankine::bem
