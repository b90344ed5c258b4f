// A boundary value problem that is solved again and again with other known values, as that of a body in a flow
// which changes with time: near corrections, sums and preconditioner are made once, everything stays in the
// backend's memory, and GMRES starts from the solution of the last time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/far_field.hpp"
#include "rankine/bem/layers/layer_set.hpp"

namespace rankine::bem {

class RepeatedProblem {
 public:
  /// The same condition holds everywhere, and one right-hand side is solved at a time. Of the options the initial
  /// guess, relaxation and mixed precision are not looked at. `discretization` and `backend` must outlive
  /// the object.
  RepeatedProblem(const Discretization& discretization, BoundaryFormulation formulation,
                  const SolveOptions& options, Backend& backend);

  /// Solves for what is known at the points, in the backend's memory. The first time the sums are measured and
  /// built anew where they do not keep their tolerance (bem/layers/far_field_check.hpp); from then on they stay.
  /// What did not converge is returned and says so. Throws InputError for values that are not finite.
  GmresResult solve(const Array& known);

  /// From where the next solve starts; one value per unknown. Throws InputError for another number.
  void start_from(std::span<const double> unknown);
  std::vector<double> unknown() const;

  // Of the last solve, per point or unknown.
  std::vector<double> potential();
  std::vector<double> charge() const;   ///< c of phi = S c + D m; empty: none
  std::vector<double> doublet() const;  ///< m

  const FarFieldAccuracy& accuracy() const { return accuracy_; }
  const fmm::OperatorInfo& far_field() const { return far_->info(); }
  std::size_t near_bytes() const { return system_->near_bytes(); }
  Preconditioner preconditioner() const { return chosen_; }

 private:
  GmresResult run(const Array& known);
  void measure(const Array& known, GmresResult& result);
  std::vector<double> density(const Diagonal& of_unknown, const Diagonal& of_known) const;

  Backend& backend_;
  BoundaryFormulation formulation_;
  SolveOptions options_;
  LayerSet layers_;
  fmm::Options sums_;
  Preconditioner chosen_;
  std::unique_ptr<LinearOperator> preconditioner_;
  std::unique_ptr<FarField> far_;
  std::unique_ptr<BoundaryOperator> system_, data_;
  Array known_, b_, x_;
  FarFieldAccuracy accuracy_;
  bool measured_ = false;
};

}  // namespace rankine::bem
