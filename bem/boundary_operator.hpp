// The boundary integral operators S, D and K' of one discretization, in a backend's memory:
//
//   layer x = 1/(4 pi) (far x + near x) ,   far: fmm::Operator over the quadrature nodes, near:
//   sparse corrections.
//
// Principal values at the collocation points; the jump terms belong to the formulation. The factor
// 1/(4 pi) is applied here and nowhere else. Near-field matrices are built layer by layer and can
// be released when no longer needed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "bem/backend.hpp"
#include "bem/discretization.hpp"
#include "bem/layers.hpp"
#include "bem/panels.hpp"

namespace rankine::bem {

/// Which far-field operator a product uses.
enum class FarField {
  accurate,
  inner  ///< cheaper and less accurate, for products that need no more
};

class BoundaryOperator {
 public:
  /// Builds the far-field operator. `panels` and `discretization` must outlive this object.
  BoundaryOperator(Backend& backend, const Panels& panels, const Discretization& discretization,
                   const fmm::Options& options);

  /// Builds the near-field matrix of a layer, if it is not there yet.
  void prepare(Layer layer);
  void release(Layer layer);

  /// Builds a second far-field operator over the same nodes.
  void add_inner_far_field(const fmm::Options& options);

  /// y += alpha * layer x, panels -> collocation points. Prepares the layer where needed.
  void add(Layer layer, double alpha, const double* x, double* y,
           FarField far = FarField::accurate);

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
  /// Far-field result of `layer` into potential_ or gradient_.
  void apply_far(fmm::Operator& far, Layer layer, const double* x);
  /// Potential or, for the adjoint layer, gradient of what sources_ holds.
  void sum_sources(fmm::Operator& far, Layer layer, double* results) const;

  Backend& backend_;
  const Panels& panels_;
  const Discretization& discretization_;
  std::unique_ptr<fmm::Operator> far_, inner_far_;
  std::array<std::unique_ptr<NearField>, 3> near_;
  Array weights_, sources_, potential_, gradient_, normals_;
};

}  // namespace rankine::bem
