// The gradient of strengths on a panel, from its value and those of its neighbours: a least-squares
// fit in the panel's plane to the panels across its edges, with weights 1/d^2. The fit does not
// cross sharp edges, nor planes where the flux jumps (symmetric bodies are fitted on the host). If
// fewer than three panels remain, panels that share a vertex are added. If these do not determine
// the gradient, it is zero. Host and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/tangents.hpp"

namespace rankine::bem {

/// The largest number of panels that are added because they share a vertex. A high-valence vertex
/// has many, and each needs an entry in the strengths of every quadrature node.
inline constexpr std::size_t most_fit_neighbours = 16;

/// Fills `neighbours` with the panels that the fit of `panel` uses. `around` must have the members
/// that collect_rings() uses; `ring` and `ring_nodes` are work arrays.
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

/// The gradient on a panel as the sum of a_k (q_k - q) over its neighbours k; a_k is tangential,
/// 1/m.
class GradientFactors {
 public:
  /// `offset(k)`: from the panel's point to the point of neighbour k, m. `normal`: the panel's,
  /// unit.
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

  /// The factor a_k of the neighbour at this `offset`.
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

/// The gradient of the coordinate along a strip: of a function that is constant across a
/// quadrilateral, parallel to the edges `edge` and `edge` + 2, and increases by 2 from one of them
/// to the other.
Vec3d strip_gradient(const Panels& panels, std::size_t panel, int edge);

/// Neighbours and factors, panel after panel.
struct GradientFit {
  std::vector<std::int32_t> neighbours;
  std::vector<Vec3d> factors;
  PanelNeighbourhood::Ring ring;

  /// `edge`: for a quadrilateral, restricts the gradient to the direction between the midpoints of
  /// the edges `edge` and `edge` + 2, from the panels across these edges only; -1: no restriction.
  /// `at_vertices`: panels that share a vertex are added, unless all are more than
  /// most_fit_neighbours.
  void find_neighbours(const PanelNeighbourhood& around, std::int32_t panel, int edge = -1,
                       bool at_vertices = false);
  /// Computes the factors of neighbours that are known already.
  void fit_neighbours(const PanelNeighbourhood& around, std::int32_t panel, int edge = -1);
  void fit(const PanelNeighbourhood& around, std::int32_t panel) {
    find_neighbours(around, panel);
    fit_neighbours(around, panel);
  }
};

}  // namespace rankine::bem
