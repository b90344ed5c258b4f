// Balls that cover panels and all that is within reach of them: one for a panel that is not long, for a long one
// several along its longest edge, so that a search finds what is beside it and not what is as far away as it is long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// `reach`: per panel, from its flat triangles, m. Balls of panel j are first[j] .. first[j + 1].
NearBalls balls_around(const Panels& panels, std::span<const double> reach);

/// Which panels points are within the reach of, for any number of sets of points.
class PanelReach {
 public:
  /// `reach`: per panel, m. `panels` must outlive the object.
  PanelReach(const Panels& panels, std::vector<double> reach);
  PanelReach(const PanelReach&) = delete;
  PanelReach& operator=(const PanelReach&) = delete;

  const Panels& panels() const { return panels_; }
  double of(std::int32_t panel) const { return reach_[static_cast<std::size_t>(panel)]; }
  /// For every point the panels that may be so near, some of them farther away.
  SparsityPattern candidates(std::span<const Vec3d> points) const { return search_.pairs(points); }

 private:
  const Panels& panels_;
  std::vector<double> reach_;
  NearBalls balls_;
  NearSearch search_;
};

}  // namespace rankine::bem
