// A sheet of doublets that stands for walls without thickness: mu, the jump of the potential from the side that
// the normals point away from to the other, continuous, linear on flat triangles, zero at the rim. Across it the
// flux of D mu is H mu, the hypersingular layer, and for all v of the same kind [M49]
//
//   -int v H mu dA  =  1/(4 pi) int int curl v . curl mu / r dA dA ,   curl v = n x grad v ,
//
// constant on triangles: three single layers between sparse matrices, symmetric and positive definite. With C the
// curls of hats on panels and M the single layer in the mean over panels (bem/layers/panel_means.hpp),
//
//   A mu  =  -b ,   A = C^T M C ,   b_v = int v q dA ,   q the flux wanted.
//
// Collocated constant doublets would do without S, but do not converge on triangles without a pattern. Off the
// sheet grad D mu is the velocity of vortices gamma = n x grad mu, curl S gamma, whose panels have no filaments
// along their edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/far_field.hpp"
#include "rankine/bem/layers/panel_means.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// The hats of a sheet: one unknown for every node that is not on a rim.
class DoubletSheet {
 public:
  /// `panels` must outlive this object. Throws InputError for panels that are not flat triangles, and
  /// MeshError for edges of three panels, neighbours that are turned over and a sheet without a rim.
  explicit DoubletSheet(const Panels& panels);

  const Panels& panels() const { return panels_; }
  std::size_t unknowns() const { return unknowns_; }

  /// C: row c n + j is component c of n x grad on panel j, 1/m; 3 panels x unknowns.
  SparseRows curls() const;
  /// What the diagonal of A is in proportion to, m.
  std::vector<double> diagonal() const;

  /// b of fluxes constant on panels, m/s: unknowns.
  std::vector<double> test(std::span<const double> flux) const;
  /// mu in the mean over every panel, m^2/s.
  std::vector<double> means(std::span<const double> mu) const;
  /// gamma on every panel, m/s.
  std::vector<Vec3d> vorticity(std::span<const double> mu) const;

 private:
  /// Unknown of a corner of a panel; -1: on a rim.
  std::int32_t unknown(std::size_t panel, int corner) const;
  /// n x grad of the hat of a corner.
  Vec3d curl(std::size_t panel, int corner) const;

  const Panels& panels_;
  std::vector<std::int32_t> of_node_;
  std::size_t unknowns_ = 0;
};

/// A. `means` are of the sheet's panels and `far` is theirs, with room for three times as many right-hand sides;
/// all must outlive this object.
class SheetOperator final : public LinearOperator {
 public:
  SheetOperator(const DoubletSheet& sheet, const PanelMeans& means, FarField& far);

  std::size_t rows() const override { return curls_->columns(); }
  std::size_t columns() const override { return curls_->columns(); }
  void add(double alpha, const double* x, double* y, int rhs) override;
  /// A is symmetric.
  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    add(alpha, x, y, rhs);
  }

  /// From constant strengths on panels to the nodes, without near corrections.
  BoundaryOperator& single_layer() { return single_; }
  /// C x for `rhs` vectors, in memory that the next product takes: 3 rhs x panels.
  std::span<const double> curls_of(const double* x, int rhs);

  std::size_t near_entries() const { return near_->entries(); }
  std::size_t near_bytes() const { return near_->bytes(); }

 private:
  Backend& backend_;
  LayerSet& layers_;
  BoundaryOperator single_;
  std::unique_ptr<SparseMatrix> curls_, tests_;  ///< C and its transpose
  std::unique_ptr<SparseMatrix> weights_;        ///< of nodes: panels x nodes
  std::unique_ptr<SparseMatrix> near_;           ///< N
  Array vorticity_, at_nodes_, sums_;
};

}  // namespace rankine::bem
