// A sheet of doublets that represents walls without thickness. mu is the jump of the potential from
// the back to the front, to which normals point. It is continuous, linear on flat triangles, and
// zero at the rim. The flux of D mu through the sheet is H mu, the hypersingular layer. For all
// test functions v of the same kind [M49]
//
//   -int v H mu dA  =  1/(4 pi) int int curl v . curl mu / r dA dA ,   curl v = n x grad v ,
//
// The curls are constant on triangles, so this is the single layer of three densities, their
// components; it is symmetric and positive definite. With C the curls of hat functions on panels
// and M the mean of the single layer over panels (PanelMeans),
//
//   A mu  =  -b ,   A = C^T M C ,   b_v = int v q dA ,   q the given flux.
//
// Collocation of constant doublets would not need S, but does not converge on irregular triangles.
// Off the sheet grad D mu is the velocity curl S gamma of the vorticity gamma = n x grad mu,
// without vortex filaments along the edges of panels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/formulation.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

// The mean of the single layer of flat panels over panels, for variational equations,
//
//   M_ij  =  1/(4 pi) int_i int_j 1/r dA dA
//         =  sum over nodes n of i, m of j of w_n w_m / (4 pi r_nm)  +  N_ij ,
//
// which is symmetric. For far panels the nodes of both panels are used
// (bem/layers/panel_nodes.hpp). N corrects pairs in which one panel is near the other, with closed
// forms over the larger panel at points of the smaller one, and with [EH95] for a triangle and
// itself.

class PanelMeans {
 public:
  /// Places the nodes. `panels`, flat triangles, must outlive this object. Throws as place_nodes
  /// does.
  explicit PanelMeans(const Panels& panels, const QuadratureOptions& options = {});

  const PanelNodes& nodes() const { return nodes_; }

  /// Pairs in which one panel is near the other, in both orders.
  SparsityPattern near_pairs() const;
  /// 4 pi N, panels x panels, m^3.
  SparseRows near_means() const;

 private:
  double correction(std::size_t i, std::size_t j) const;

  const Panels& panels_;
  PanelNodes nodes_;
};

/// The sheet as a variational discretization. Every node of the mesh that is not on a rim has an
/// unknown; the components of curl mu are the densities of the panels' quadrature nodes.
class DoubletSheet final : public Discretization {
 public:
  /// `panels` must outlive this object. Throws InputError for panels that are not flat triangles,
  /// and MeshError for edges of three panels, neighbours with opposite normals and sheets without a
  /// rim.
  explicit DoubletSheet(const Panels& panels, const QuadratureOptions& quadrature = {});

  std::size_t unknowns() const override { return unknowns_; }
  bool is_variational() const override { return true; }
  int components() const override { return 3; }
  MirroredSpan<Vec3d> nodes() const override { return means_.nodes().points; }
  MirroredSpan<Vec3d> node_normals() const override { return means_.nodes().normals; }
  MirroredSpan<Vec3d> points() const override { return nodes(); }
  MirroredSpan<Vec3d> point_normals() const override { return node_normals(); }
  StrengthRows strengths(const RowRange& nodes) const override;
  std::vector<double> diagonal() const override;
  SparsityPattern near_pairs(const RowRange& rows) const override;
  void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                 std::span<double* const> values) const override;

  // For one or several right-hand sides, one after the other.
  /// b, one value per unknown, from fluxes that are constant on panels, m/s.
  std::vector<double> test(std::span<const double> flux) const;
  /// Mean of mu over every panel, m^2/s.
  std::vector<double> means(std::span<const double> mu) const;
  /// gamma on every panel, m/s, for one right-hand side.
  std::vector<Vec3d> vorticity(std::span<const double> mu) const;

 private:
  /// Unknown of a corner of a panel; -1: on a rim.
  std::int32_t unknown(std::size_t panel, int corner) const;
  /// n x grad of the hat function of a corner.
  Vec3d curl(std::size_t panel, int corner) const;
  /// Incidence matrix, panels x unknowns: 1 where a panel has a corner with that unknown.
  SparseRows corners_of_panels() const;

  const Panels& panels_;
  std::vector<std::int32_t> of_node_;
  std::size_t unknowns_ = 0;
  PanelMeans means_;
};

/// The formulation of A mu = -b.
BoundaryFormulation sheet_formulation();

}  // namespace rankine::bem
