// A boundary operator: an equation (bem/layers/equation.hpp) over a discretization, in a backend's
// memory,
//
//   A x = diag(jump) x + 1/(4 pi) sum over terms of diag(left) R (F P + N) diag(right) x
//         + sparse x + sum of left right^T x.
//
// Terms share passes of F where possible: charges and dipoles are summed together, and so are
// potentials and gradients. Integrals are principal values at the collocation points. Variational
// equations have only single layers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rankine/bem/layers/equation.hpp"
#include "rankine/bem/layers/far_field.hpp"

namespace rankine::bem {

class BoundaryOperator final : public LinearOperator {
 public:
  /// `far` and its layers must outlive this object. Terms with a zero diagonal are dropped. Near
  /// corrections are assembled at their first use unless LayerSet::assemble was called before.
  BoundaryOperator(FarField& far, const Equation& equation);
  /// An operator without sums: only add_near() may be called.
  BoundaryOperator(LayerSet& layers, const Equation& equation);

  std::size_t rows() const override { return layers_.rows(); }
  std::size_t columns() const override { return layers_.unknowns(); }
  void add(double alpha, const double* x, double* y, int rhs = 1) override;
  /// For collocation only.
  void add_transposed(double alpha, const double* x, double* y, int rhs = 1) override;

  /// Called with the strengths and the results of each application of F.
  using Observer = std::function<void(const fmm::Strengths&, const fmm::Results&)>;
  /// The two parts of add(). add_far(): the sums; add_near(): near corrections, the jump and the
  /// terms of rank one.
  void add_far(double alpha, const double* x, double* y, int rhs = 1,
               const Observer& observer = {});
  void add_near(double alpha, const double* x, double* y, int rhs = 1);
  /// Calls `observer` with the strengths of each application of F for x, and with results that have
  /// not been computed.
  void visit_strengths(const double* x, int rhs, const Observer& observer);

  bool has_sums() const { return !passes_.empty(); }
  std::size_t near_entries() const;
  std::size_t near_bytes() const;

 private:
  /// A diagonal in the backend's memory.
  struct Scale {
    double factor = 1.0;
    Array values;  ///< empty: uniform
  };
  /// diag(left) N diag(right) of one layer.
  struct NearTerm {
    Layer layer;
    std::size_t right, left;  ///< indices into scales_
  };
  /// One application of F. Right scales convert unknowns to strengths, left scales convert sums to
  /// rows.
  struct Pass {
    std::optional<std::size_t> charges, dipoles, potential, gradient;  ///< indices into scales_
  };

  /// left right^T in the backend's memory.
  struct Projection {
    Array left, right;
  };

  std::size_t keep(const Diagonal& diagonal);
  std::vector<Pass> plan_passes(const std::vector<Term>& terms);

  /// x times a right scale. For a uniform scale it returns x itself, and the caller applies the
  /// factor.
  const double* scaled(const Scale& scale, const double* x, std::size_t n, int rhs, Array& work);
  /// y += alpha diag(scale) v, where add_to(a, z) adds a v to z.
  template <class AddTo>
  void add_scaled(const Scale& scale, double alpha, double* y, std::size_t n, int rhs, Array& work,
                  AddTo&& add_to);
  void add_diagonal(const Scale& scale, double alpha, const double* x, double* y, std::size_t n,
                    int rhs);
  /// y += alpha to (from . x), for every right-hand side.
  void add_projection(double alpha, const Array& to, const Array& from, const double* x, double* y,
                      int rhs);
  /// y += alpha diag(scale) sum_g s_g x_g, x at the targets.
  void add_images(const Scale& scale, double alpha, const double* x, double* y, int rhs);
  /// y += alpha diag(scale) R x of potentials x at the targets.
  void add_rows(const Scale& scale, double alpha, const double* x, double* y, int rhs);
  /// The same where add_to(a, z) adds a x to z.
  template <class AddTo>
  void add_at_targets(const Scale& scale, double alpha, double* y, int rhs, AddTo&& add_to);
  /// The transpose: s_g diag(scale) x at every image g, in `work`.
  std::span<double> spread(const Scale& scale, const double* x, int rhs, Array& work);
  /// P diag(right) x for the charges and dipoles of a pass.
  fmm::Strengths load(const Pass& pass, const double* x, int rhs);
  fmm::Results results_of(const Pass& pass, int rhs);
  /// Number of right-hand sides of the sums.
  std::size_t columns_of(int rhs) const;

  FarField* far_ = nullptr;
  LayerSet& layers_;
  Backend& backend_;
  std::vector<Diagonal> diagonals_;  ///< as in the equation; equal ones are stored once
  std::vector<Scale> scales_;
  Scale jump_;
  std::unique_ptr<SparseMatrix> sparse_;  ///< null: none
  std::vector<Projection> projections_;
  std::vector<NearTerm> near_;
  std::vector<Pass> passes_;
};

}  // namespace rankine::bem
