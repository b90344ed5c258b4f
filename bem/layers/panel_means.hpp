// The single layer of flat panels in the mean over panels, as variational equations take it,
//
//   M_ij  =  1/(4 pi) int_i int_j 1/r dA dA  =  sum over nodes n of i, m of j of w_n w_m / (4 pi r_nm)  +  N_ij ,
//
// symmetric: far panels see each other by the nodes of both (bem/layers/panel_nodes.hpp), and N corrects pairs of
// which one is near the other, by closed forms over the larger panel at points of the smaller; a triangle sees
// itself by [EH95].
#pragma once

#include <span>

#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// As a discretization: constant strengths on panels, rows at the nodes, and no corrections of these.
class PanelMeans final : public Discretization {
 public:
  /// Places the nodes. `panels`, flat triangles, must outlive this object. Throws as place_nodes does.
  explicit PanelMeans(const Panels& panels, const QuadratureOptions& options = {});

  std::size_t unknowns() const override { return panels_.size(); }
  std::span<const Vec3d> nodes() const override { return nodes_.points; }
  std::span<const Vec3d> node_normals() const override { return nodes_.normals; }
  SparseRows strengths() const override;
  std::span<const Vec3d> points() const override { return nodes_.points; }
  std::span<const Vec3d> point_normals() const override { return nodes_.normals; }
  SparsityPattern near_pairs() const override;
  void integrate(std::span<const Layer>, const SparsityPattern&,
                 std::span<double* const>) const override {}

  /// N, panels x panels, m^3.
  SparseRows near_means() const;

  const PanelNodes& panel_nodes() const { return nodes_; }

 private:
  /// Pairs of which one is near the other, both ways round.
  SparsityPattern symmetric_pairs() const;
  double correction(std::size_t i, std::size_t j) const;

  const Panels& panels_;
  PanelNodes nodes_;
};

}  // namespace rankine::bem
