// Several GMRES solves with one matrix in lockstep: the vectors of all unfinished solves are
// multiplied in one product (bem/krylov/gmres.hpp).
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

  /// Adds a right-hand side with its own options. The callback of any of them stops all; `rhs` is
  /// the index passed to it.
  void add(const double* b, double* x, GmresOptions options, int rhs);

  /// Runs all solves. Results are in the order of add(). After a stop request it throws Stopped
  /// unless all solves have completed an iteration.
  std::vector<GmresResult> run();

 private:
  /// One product and the following step of every solve.
  void advance();
  bool all_have_iterates() const;

  Backend& backend_;
  std::size_t n_;
  std::function<void(std::span<const ProductRequest>)> before_product_;
  LinearOperator* preconditioner_;
  ProductBatch batch_;
  std::vector<std::unique_ptr<KrylovSolver>> solvers_;
  std::vector<KrylovSolver*> waiting_;  ///< unfinished solves
  bool stopped_ = false;
};

}  // namespace rankine::bem
