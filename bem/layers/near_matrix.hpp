// The local matrix of an equation, on the host. Entries of near unknowns are exact: near
// corrections plus the direct sums over the same nodes. Those of linear strengths are included if
// there are wakes. Farther unknowns are replaced by points, or by their nodes if they reach far
// from their points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/equation.hpp"
#include "rankine/bem/layers/layer_set.hpp"
#include "rankine/bem/panels/clusters.hpp"

namespace rankine::bem {

class NearMatrix {
 public:
  /// Throws InputError if the numbers of rows and unknowns differ.
  NearMatrix(LayerSet& layers, const Equation& equation);

  std::size_t size() const { return points_.size(); }
  std::span<const Vec3d> points() const { return points_; }
  /// The weight of the point that replaces a far unknown, m^2.
  double weight(std::int32_t unknown) const { return weight_[static_cast<std::size_t>(unknown)]; }

  /// Calls take(unknown, entry) for the exact entries of a row, unknowns ascending.
  template <class Take>
  void for_each_near(std::int32_t row, Take&& take) const {
    const auto r = static_cast<std::size_t>(row);
    for (std::int64_t k = offsets_[r]; k < offsets_[r + 1]; ++k)
      take(columns_[static_cast<std::size_t>(k)], values_[static_cast<std::size_t>(k)]);
  }
  double entry(std::int32_t row, std::int32_t unknown) const;

  /// Writes the dense blocks of some rows and the unknowns with the same numbers.
  class DenseBlocks {
   public:
    explicit DenseBlocks(const NearMatrix& matrix) : matrix_(matrix), place_(matrix.size(), -1) {}
    /// Row by row.
    void write(std::span<const std::int32_t> unknowns, double* entries);

   private:
    const NearMatrix& matrix_;
    std::vector<std::int32_t> place_;  ///< of an unknown in the block, or -1
  };
  /// For pairs of clusters: the mean over the rows of the first of the sum over the unknowns of the
  /// second, row by row.
  void between(const Clusters& clusters, double* entries) const;

 private:
  /// A term of the equation on the host. `right` includes the factor 1/(4 pi).
  struct HostTerm {
    Layer layer;
    std::vector<double> left, right;
    SparseRows corrections{}, moments{};  ///< N and M; freed once the rows are made
  };
  /// The entries of a row, added up by unknowns.
  class RowSum;

  /// Adds the exact entries of the row of an image.
  void add_near(std::size_t row, int image, const SparseRows& gradients, RowSum& sum) const;

  /// The entry of an unknown and its images without near corrections.
  double far_entry(std::size_t row, std::size_t unknown) const;
  /// The same for one image.
  double distant_entry(std::size_t row, std::size_t unknown, int image) const;
  /// The equation's row at x, where a point or nodes replace the unknown.
  double of_points(std::size_t row, std::size_t unknown, const Vec3d& x, const Vec3d& normal) const;
  /// The sum over the nodes of an unknown at x.
  template <Layer layer>
  double of_nodes(std::size_t unknown, const Vec3d& x, const Vec3d& normal) const;
  double of_nodes(Layer layer, std::size_t unknown, const Vec3d& x, const Vec3d& normal) const;

  const Discretization& discretization_;
  std::vector<HostTerm> terms_;
  std::span<const Vec3d> points_, normals_;
  meshes::Symmetry symmetry_;
  std::span<const Vec3d> nodes_, node_normals_;
  std::size_t first_spread_;
  SparseRows shares_;  ///< unknowns x nodes, the transpose of P
  std::vector<double> weight_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
};

}  // namespace rankine::bem
