// The gradient of strengths on a panel, from their values there and on the panels around: least squares in the
// panel's plane through those across its edges, weight 1/d^2. Sharp edges end the fit; where fewer than three panels are left
// those that share a node join, and where the gradient is not fixed by them it is zero. Host and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/tangents.hpp"

namespace rankine::bem {

/// Of the panels around one that is in need of neighbours so many at most; needles have them all at the hub of their fan,
/// and every one takes an entry of the strengths of every node.
inline constexpr std::size_t most_fit_neighbours = 16;

/// Fills `neighbours` with the panels that the fit of `panel` goes through. Of `around` is asked what collect_rings() asks;
/// `ring` and `ring_nodes` are room for work.
template <class Around, class List>
RANKINE_HD void find_fit_neighbours(const Around& around, double least_cosine, std::int32_t panel,
                                    List& neighbours, List& ring, List& ring_nodes) {
  collect_beside(around, least_cosine, panel, neighbours);
  if (neighbours.size() >= 3) return;
  collect_rings(around, least_cosine, panel, 1, ring, ring_nodes);
  const std::size_t count = ring.size();
  if (count <= most_fit_neighbours) {
    neighbours = ring;
    return;
  }
  const std::size_t joining = most_fit_neighbours - neighbours.size();
  for (std::size_t k = 0; k < joining; ++k) add_once(neighbours, ring[k * count / joining]);
}

/// The gradient on a panel as a sum of a_k (q_k - q), k its neighbours: the factors a_k, 1/m, tangential.
class GradientFactors {
 public:
  /// `offset(k)`: from the panel's point to that of neighbour k, m. `normal`: unit, of the panel.
  template <class Offset>
  RANKINE_HD GradientFactors(const Vec3d& normal, std::size_t count, const Offset& offset)
      : along_(normal) {
    for (std::size_t k = 0; k < count; ++k) {
      const Local r = local(offset(k));
      a_ += r.weight * r.x * r.x;
      b_ += r.weight * r.x * r.y;
      c_ += r.weight * r.y * r.y;
    }
    determinant_ = a_ * c_ - b_ * b_;
    const double trace = a_ + c_;
    is_fixed_ = determinant_ > 1e-3 * trace * trace;
  }

  /// Of the neighbour at `offset`.
  RANKINE_HD Vec3d of(const Vec3d& offset) const {
    if (!is_fixed_) return {};
    const Local r = local(offset);
    return (r.weight / determinant_) *
           ((c_ * r.x - b_ * r.y) * along_.t1 + (a_ * r.y - b_ * r.x) * along_.t2);
  }

 private:
  struct Local {
    double x, y, weight;
  };
  RANKINE_HD Local local(const Vec3d& r) const {
    return {dot(r, along_.t1), dot(r, along_.t2), 1.0 / dot(r, r)};
  }

  Tangents along_;
  double a_ = 0.0, b_ = 0.0, c_ = 0.0, determinant_ = 0.0;
  bool is_fixed_ = false;
};

/// Neighbours and factors of one panel after the other.
struct GradientFit {
  std::vector<std::int32_t> neighbours;
  std::vector<Vec3d> factors;
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
