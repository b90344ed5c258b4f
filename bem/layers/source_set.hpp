// The sources of a field: first the panels of a boundary, each with its own unknown, then the
// panels of sheets in the fluid, such as wakes. A sheet panel has no charge; its doublet strength
// is one of the sheet unknowns. Several panels may share a sheet unknown.
//
//   unknowns:  boundary panels, then sheet unknowns
//   panels:    boundary panels, then sheet panels
//
// Solve, evaluation and near corrections use this numbering. A doublet strength is the jump of the
// potential from the back of a panel to the front, to which the normal points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/edge_functions.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

struct SourceSet {
  Panels panels;
  std::size_t boundary = 0;            ///< number of boundary panels
  std::vector<std::int32_t> of_sheet;  ///< per sheet panel: its sheet unknown, ascending from 0 on
  std::vector<Vec3d> point, normal;    ///< per sheet unknown: where its equation holds
  /// Per boundary panel: k if it belongs to a strip that continues across edges k and k + 2;
  /// strengths are then linear along the strip and constant across it. -1: linear in both
  /// directions.
  std::vector<std::int8_t> strip;
  /// Edges of the boundary at which sheets begin. Their exponent is that of the first nonlinear
  /// power of the distance in the mean of the potentials of both sides.
  std::vector<PanelEdge> edges;

  std::size_t sheet_unknowns() const { return point.size(); }
  std::size_t unknowns() const { return boundary + sheet_unknowns(); }
  /// The unknown of a panel.
  std::size_t unknown_of(std::size_t panel) const {
    return panel < boundary ? panel
                            : boundary + static_cast<std::size_t>(of_sheet[panel - boundary]);
  }
  /// Doublet strengths of all panels from those of the unknowns.
  std::vector<double> of_panels(std::span<const double> of_unknowns) const {
    std::vector<double> values(panels.size());
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = of_unknowns[unknown_of(j)];
    return values;
  }
};

}  // namespace rankine::bem
