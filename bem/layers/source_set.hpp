// The sources of a field: the panels of a boundary, each with an unknown of its own, and behind
// them the panels of sheets in the fluid, such as wakes. A sheet panel has the doublet strength of
// one of the further unknowns, and several panels may have that of the same one; it has no charge.
//
//   unknowns:  boundary panels, then sheet unknowns
//   panels:    boundary panels, then sheet panels
//
// Solve, evaluation and near corrections share this numbering. Strengths of doublets are jumps of
// the potential, from the side that the normals point away from to the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

struct SourceSet {
  Panels panels;
  std::size_t boundary = 0;            ///< number of boundary panels
  std::vector<std::int32_t> of_sheet;  ///< per sheet panel: its sheet unknown, from 0 on
  std::vector<Vec3d> point, normal;    ///< per sheet unknown: the place of its equation
  /// Per boundary panel: k, so that strengths are linear along a strip, which continues across
  /// edges k and k + 2, and constant across it; -1: linear in both directions.
  std::vector<std::int8_t> strip;

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
