// The layers S, D, K' and H of one discretization in a backend's memory: what boundary operators
// are made of and share. Near corrections are integrated for several layers at a time, in one pass
// over the pairs, and can be released when no operator needs them any more.
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
  /// Uploads P. `discretization` must outlive this object.
  LayerSet(Backend& backend, const Discretization& discretization);

  /// Makes the near corrections of those layers that have none yet.
  void assemble(std::span<const Layer> layers);
  void release(Layer layer);

  Backend& backend() const { return backend_; }
  const Discretization& discretization() const { return discretization_; }
  std::size_t rows() const { return discretization_.points().size(); }
  std::size_t unknowns() const { return strengths_->columns(); }
  std::size_t nodes() const { return strengths_->rows(); }

  /// P.
  SparseMatrix& strengths() { return *strengths_; }
  /// R of the normal part of gradients; made at its first use.
  SparseMatrix& normals();
  /// N of a layer, assembled where it is not there yet.
  SparseMatrix& near(Layer layer);
  bool has_near(Layer layer) const { return near_[index_of(layer)] != nullptr; }

 private:
  static std::size_t index_of(Layer layer) { return static_cast<std::size_t>(layer); }

  Backend& backend_;
  const Discretization& discretization_;
  std::unique_ptr<SparseMatrix> strengths_, normals_;
  std::array<std::unique_ptr<SparseMatrix>, layer_count> near_;
};

}  // namespace rankine::bem
