// GMRES for the system of a boundary problem. It checks the far field for the first Krylov vector
// and for the solution. Sums are linear: those of the solution at the sample points are the sums of
// the Krylov vectors with the weights of GMRES, and need no further product.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/far_field_check.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

/// The system matrix for GMRES. It counts products, measures the error of sums in some of them, and
/// uses the cheaper far field when its accuracy is sufficient.
class SystemMatrix final : public LinearOperator {
 public:
  /// `inner` may be null. `x` holds the iterates of `rhs` right-hand sides, one after the other.
  SystemMatrix(BoundaryOperator& accurate, BoundaryOperator* inner, FarFieldCheck& check,
               const double* x, int rhs);

  std::size_t rows() const override { return accurate_.rows(); }
  std::size_t columns() const override { return accurate_.columns(); }
  void add(double alpha, const double* x, double* y, int rhs) override;
  void add_transposed(double alpha, const double* x, double* y, int rhs) override;

  /// Sets the vectors of the next product (GmresOptions::before_product).
  void expect(std::span<const ProductRequest> requests);
  /// The iterate of a right-hand side has changed (GmresOptions::after_update).
  void update(int rhs, std::span<const double> weights);

  /// Errors of the sums of A x for the current x.
  std::vector<SampledError> solution_errors();
  /// Whether sums have become more accurate since they entered a residual.
  bool has_old_residuals() const { return has_old_residuals_; }

  int products() const { return products_; }

 private:
  BoundaryOperator& accurate_;
  BoundaryOperator* inner_;
  FarFieldCheck& check_;
  const double* iterates_;
  /// Results at the sample points for one right-hand side.
  struct Sampled {
    SampledValues iterate{};
    std::vector<SampledValues> directions{};  ///< since the iterate was multiplied or changed
  };
  std::vector<Sampled> sampled_;
  std::vector<ProductRequest> requests_;  ///< of the next product
  bool direction_measured_ = false, has_old_residuals_ = false;
  int products_ = 0;
};

class SystemSolver {
 public:
  /// `preconditioner` may be null, and so may `inner` unless the options request mixed precision.
  /// All arguments must outlive this object.
  SystemSolver(const SolveOptions& options, Backend& backend, BoundaryOperator& accurate,
               BoundaryOperator* inner, LinearOperator* preconditioner, FarFieldCheck& check,
               double* x, int rhs);

  /// Solves for `b`, starting from the current x, with the remaining number of iterations.
  /// Iterations and histories continue.
  void solve(const double* b);
  /// Sets the status of all right-hand sides to interrupted.
  void interrupt();

  bool interrupted() const;
  /// Errors of the sums of A x, one per right-hand side.
  std::vector<SampledError> solution_errors() { return matrix_.solution_errors(); }
  int products() const { return matrix_.products() + inner_products_; }
  const std::vector<GmresResult>& results() const { return results_; }

 private:
  /// The callback gets iterations and seconds of all solves.
  GmresOptions options_of_the_rest();
  std::vector<GmresResult> run(const double* b, GmresOptions krylov);

  const SolveOptions& options_;
  Backend& backend_;
  BoundaryOperator* inner_;
  LinearOperator* preconditioner_;
  double* x_;
  SystemMatrix matrix_;
  int inner_products_ = 0;
  std::vector<GmresResult> results_;
  Stopwatch watch_;
};

}  // namespace rankine::bem
