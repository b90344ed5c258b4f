// Surface normals and surface gradients of second order from values at collocation points.
//
// Around every panel a weighted least-squares quadratic, weight 1/d^2, is fitted in the panel's
// plane (xi, eta):
//
//   zeta(xi, eta)  height of the surface, through the mesh nodes near by (they lie on the surface),
//   and f(xi, eta)     values at the collocation points of the panels that share a node, exact at
//   the panel's own.
//
// With the tangents T_1 = t_1 + zeta_xi n, T_2 = t_2 + zeta_eta n the gradient solves T_1.g = f_xi,
// T_2.g = f_eta, N.g = 0. Panels across a sharp edge (normals more than `sharp_angle` apart) take
// no part; where too few are left a second ring is added, then the fit falls back to a linear one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bem/panels.hpp"

namespace rankine::bem {

/// Panels around every panel, without itself: those that share a node and are not across a sharp
/// edge.
class PanelNeighbourhood {
 public:
  /// `sharp_angle` in radians between normals.
  explicit PanelNeighbourhood(const Panels& panels, double sharp_angle = 0.7853981633974483);

  /// Fills `ring` with the neighbours of `panel`, at least `wanted` of them where two rings give
  /// that many.
  void collect(std::int32_t panel, std::size_t wanted, std::vector<std::int32_t>& ring) const;

 private:
  void add_ring_of(std::int32_t panel, std::int32_t centre, std::vector<std::int32_t>& ring) const;

  const Panels& panels_;
  double least_cosine_;
  std::vector<std::int64_t> offsets_;  ///< nodes + 1
  std::vector<std::int32_t> at_node_;  ///< panels around a node
};

struct SurfaceGradient {
  std::vector<Vec3d> normal;    ///< unit normals of the fitted surface at the collocation points
  std::vector<Vec3d> gradient;  ///< surface gradient of f there, tangential to `normal`
};

/// Fits every panel; `values` has one entry per panel.
SurfaceGradient surface_gradient(const Panels& panels, const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values);

}  // namespace rankine::bem
