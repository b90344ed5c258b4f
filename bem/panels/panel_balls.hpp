// Balls that cover panels and all points within reach of them: one ball for a normal panel, several
// along the longest edge of a long one. So a search finds only points close to a long panel, not
// all points within its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// `reach`: per panel, distance from its flat triangles, m. Panel j has the balls first[j] ..
/// first[j + 1] - 1.
NearBalls balls_around(const Panels& panels, std::span<const double> reach);

/// Finds the panels that have points within reach, for any number of sets of points.
class PanelReach {
 public:
  /// `reach`: per panel, m. `panels` must outlive the object.
  PanelReach(const Panels& panels, std::vector<double> reach);
  PanelReach(const PanelReach&) = delete;
  PanelReach& operator=(const PanelReach&) = delete;

  const Panels& panels() const { return panels_; }
  double of(std::int32_t panel) const { return reach_[static_cast<std::size_t>(panel)]; }
  /// For every point a superset of the panels that have it within reach.
  SparsityPattern candidates(std::span<const Vec3d> points) const { return search_.pairs(points); }

 private:
  const Panels& panels_;
  std::vector<double> reach_;
  NearBalls balls_;
  NearSearch search_;
};

}  // namespace rankine::bem
