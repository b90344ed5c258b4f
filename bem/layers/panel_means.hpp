// The single layer of flat panels in the mean over panels, as variational equations take it,
//
//   M_ij  =  1/(4 pi) int_i int_j 1/r dA dA
//         =  sum over nodes n of i, m of j of w_n w_m / (4 pi r_nm)  +  N_ij ,
//
// symmetric. Far panels act on each other by the nodes of both (bem/layers/panel_nodes.hpp). N
// corrects pairs of which one is near the other, by closed forms over the larger panel at points of
// the smaller, and by [EH95] for a triangle and itself.
#pragma once

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

class PanelMeans {
 public:
  /// Places the nodes. `panels`, flat triangles, must outlive this object. Throws as place_nodes
  /// does.
  explicit PanelMeans(const Panels& panels, const QuadratureOptions& options = {});

  const PanelNodes& nodes() const { return nodes_; }

  /// Pairs of which one is near the other, both ways round.
  SparsityPattern near_pairs() const;
  /// 4 pi N, panels x panels, m^3.
  SparseRows near_means() const;

 private:
  double correction(std::size_t i, std::size_t j) const;

  const Panels& panels_;
  PanelNodes nodes_;
};

}  // namespace rankine::bem
