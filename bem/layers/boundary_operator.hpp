// The boundary integral operators S, D and K' of one discretization, in a backend's memory:
//
//   layer x = 1/(4 pi) (far x + near x)
//   far     : fmm::Operator over the quadrature nodes
//   near    : sparse corrections
//
// Principal values at the collocation points; the jump terms belong to the formulation. The factor
// 1/(4 pi) is applied here and nowhere else. Near-field matrices are built layer by layer and can
// be released when no longer needed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// Which far-field operator a product uses.
enum class FarField {
  accurate,
  inner  ///< cheaper and less accurate, for products that need no more
};

class BoundaryOperator {
 public:
  /// Builds the far-field operator, and the work arrays for `options.rhs` right-hand sides.
  /// `panels` and `discretization` must outlive this object.
  BoundaryOperator(Backend& backend, const Panels& panels, const Discretization& discretization,
                   const fmm::Options& options);

  /// Builds the near-field matrix of a layer, if it is not there yet.
  void prepare(Layer layer);
  void release(Layer layer);

  /// Builds a second far-field operator over the same nodes.
  void add_inner_far_field(const fmm::Options& options);

  /// y += alpha * layer x for `rhs` vectors at once, panels -> collocation points, rhs x panels
  /// both. Prepares the layer where needed; more vectors than before make the work arrays grow.
  void add(Layer layer, double alpha, const double* x, double* y, FarField far = FarField::accurate,
           int rhs = 1);

  std::size_t size() const { return panels_.size(); }
  Backend& backend() const { return backend_; }
  const fmm::OperatorInfo& far_info() const { return far_->info(); }
  std::size_t near_entries(Layer layer) const;
  std::size_t near_bytes() const;

  /// Relative error of the far field of `layer` applied to x, against direct sums at `samples`
  /// collocation points.
  double sampled_error(Layer layer, const double* x, int samples);

 private:
  std::unique_ptr<fmm::Operator> make_far(const fmm::Options& options) const;
  /// Makes the work arrays of `layer` large enough.
  void reserve(Layer layer, int rhs);
  /// Far-field result of `layer` into potential_ or gradient_.
  void apply_far(fmm::Operator& far, Layer layer, const double* x, int rhs);
  /// Potential or, for the adjoint layer, gradient of what sources_ holds.
  void sum_sources(fmm::Operator& far, Layer layer, double* results, int rhs) const;

  Backend& backend_;
  const Panels& panels_;
  const Discretization& discretization_;
  std::unique_ptr<fmm::Operator> far_, inner_far_;
  std::array<std::unique_ptr<NearField>, 3> near_;
  int most_rhs_;
  Array weights_, normals_;               ///< of one right-hand side
  Array sources_, potential_, gradient_;  ///< rhs x nodes, rhs x panels, rhs x panels x 3
};

}  // namespace rankine::bem
