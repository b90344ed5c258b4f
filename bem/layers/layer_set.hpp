// The layers S, D, K' and H of one discretization in a backend's memory. Boundary operators share
// them. Near corrections of several layers are integrated in one pass over the pairs, and can be
// freed when no operator needs them any more.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/discretization.hpp"

namespace rankine::bem {

class LayerSet {
 public:
  /// `discretization` must outlive this object.
  LayerSet(Backend& backend, const Discretization& discretization);

  /// Integrates the near corrections of the layers that have none yet.
  void assemble(std::span<const Layer> layers);
  void release(Layer layer);

  Backend& backend() const { return backend_; }
  const Discretization& discretization() const { return discretization_; }
  std::size_t rows() const { return discretization_.rows(); }
  std::size_t points() const { return discretization_.points().size(); }
  /// Points and their images, at which sums and near corrections are formed.
  std::size_t targets() const { return discretization_.targets().size(); }
  const meshes::Symmetry& symmetry() const { return discretization_.symmetry(); }
  std::size_t unknowns() const { return discretization_.unknowns(); }
  std::size_t nodes() const { return discretization_.nodes().size(); }
  RowRange own_nodes() const { return backend_.own_nodes(discretization_); }

  SparseMatrix& strengths() { return *both_strengths().nodes; }  ///< the rows of P of own nodes
  /// The normal part of gradients at the targets; made at its first use.
  SparseMatrix& normals();
  /// N of a layer, targets x unknowns, for strengths that are constant near every point. Integrated
  /// by this call if it does not exist yet.
  SparseMatrix& near(Layer layer);
  /// M of a layer and G; null where strengths are constant. Needs near().
  SparseMatrix* moments(Layer layer) { return moments_[index_of(layer)].get(); }
  SparseMatrix& gradients() { return *both_strengths().gradients; }
  /// y += alpha N x with all near corrections of the layer, and the transpose.
  void add_near(Layer layer, double alpha, const double* x, double* y, int rhs);
  void add_near_transposed(Layer layer, double alpha, const double* x, double* y, int rhs);
  /// Number and bytes of the stored near entries of a layer, all corrections included.
  std::size_t near_entries(Layer layer);
  std::size_t near_bytes(Layer layer);
  bool has_near(Layer layer) const { return near_[index_of(layer)] != nullptr; }

  /// Work arrays of products, for the largest number of right-hand sides so far.
  struct Work {
    Array charges, dipoles;     ///< rhs x own nodes, or rhs x nodes of the transpose
    Array potential, gradient;  ///< rhs x targets, rhs x targets x 3
    Array unknowns, rows;       ///< scaled by diagonals: rhs x unknowns, rhs x rows
    Array targets;              ///< rows of every image: rhs x targets
    Array node_gradient;        ///< rhs x nodes x 3, of the transpose
    Array slopes;               ///< rhs x 2 unknowns: gradients of the strengths
  };
  Work& work() { return work_; }
  /// The first `size` values of a work array, which is enlarged if necessary.
  std::span<double> reserve(Array& array, std::size_t size);

 private:
  /// P and G; made at their first use.
  StrengthMatrices& both_strengths();
  double* cleared_slopes(int rhs);
  static std::size_t index_of(Layer layer) { return static_cast<std::size_t>(layer); }
  Backend& backend_;
  const Discretization& discretization_;
  StrengthMatrices strengths_;
  std::unique_ptr<SparseMatrix> normals_;
  std::array<std::unique_ptr<SparseMatrix>, layer_count> near_, moments_;
  Work work_;
};

}  // namespace rankine::bem
