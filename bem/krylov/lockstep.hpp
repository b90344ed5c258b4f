// Several GMRES solves with one matrix, step by step together: the vectors that those not finished
// want multiplied go through the matrix in one product (bem/krylov/gmres.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/krylov/krylov_solver.hpp"

namespace rankine::bem {

class Lockstep {
 public:
  /// `before_product`: GmresOptions::before_product. `matrix` must outlive this object.
  Lockstep(Backend& backend, LinearOperator& matrix,
           std::function<void(std::span<const ProductRequest>)> before_product,
           LinearOperator* preconditioner = nullptr);
  Lockstep(const Lockstep&) = delete;
  Lockstep& operator=(const Lockstep&) = delete;
  Lockstep(Lockstep&&) = delete;
  Lockstep& operator=(Lockstep&&) = delete;
  ~Lockstep() = default;

  /// One more right-hand side, with options of its own. The callback of each stops all; `rhs` is
  /// the number that it is told.
  void add(const double* b, double* x, GmresOptions options, int rhs);

  /// Runs all to their ends. Results in the order in which they were added. Asked to stop, throws
  /// Stopped unless all have done an iteration.
  std::vector<GmresResult> run();

 private:
  /// One product and what each makes of it.
  void advance();
  bool all_have_iterates() const;

  Backend& backend_;
  std::size_t n_;
  std::function<void(std::span<const ProductRequest>)> before_product_;
  LinearOperator* preconditioner_;
  ProductBatch batch_;
  std::vector<std::unique_ptr<KrylovSolver>> solvers_;
  std::vector<KrylovSolver*> waiting_;  ///< those not finished
  bool stopped_ = false;
};

}  // namespace rankine::bem
