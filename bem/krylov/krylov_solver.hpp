// GMRES for one right-hand side as a state machine without products: it returns the vector that it
// needs multiplied by A; the caller multiplies and calls receive(). The algorithm and its options
// are those of bem/krylov/gmres.hpp; bem/krylov/lockstep.hpp runs several of them.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/krylov/hessenberg.hpp"
#include "rankine/bem/krylov/krylov_basis.hpp"
#include "rankine/bem/krylov/linear_system.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

class KrylovSolver {
 public:
  /// Starts from the guess in x. `rhs` is the number that is passed to the callback.
  /// `preconditioner` must outlive this object.
  KrylovSolver(Backend& backend, std::size_t n, const double* b, double* x, GmresOptions options,
               int rhs, LinearOperator* preconditioner);

  bool finished() const { return stage_ == Stage::finished; }
  const GmresResult& result() const { return result_; }

  /// The product that is needed next, until receive() or interrupt(); meaningless once finished.
  const Product& wanted() const { return wanted_; }
  ProductRequest request() const;

  /// Continues after the product was computed.
  void receive();
  /// Ends with the current iterate. The next product is that of its true residual.
  void interrupt();
  /// Ends at once with the iterate of the finished iterations and the estimated residual. It may be
  /// called after receive() has thrown Stopped.
  void abandon();

 private:
  enum class Stage { residual, direction, finished };

  void want_residual();
  void want_direction();
  /// Ends or begins a cycle, from the true residual. Its vector is the first basis column.
  void judge(double residual);
  void begin_cycle(double residual);
  /// Makes the product the next basis vector.
  void extend();
  void end_cycle();
  std::vector<double> orthogonalise(int k, double* w);
  void finish(GmresStatus status);

  Backend& backend_;
  std::size_t n_;
  LinearSystem system_;
  GmresOptions options_;
  int rhs_;
  LinearOperator* preconditioner_;
  int cycle_length_;
  KrylovBasis v_, z_;
  Hessenberg hessenberg_;
  Stopwatch watch_;
  Stage stage_ = Stage::residual;
  Product wanted_;
  bool exhausted_ = false, interrupted_ = false;
  GmresResult result_;
};

}  // namespace rankine::bem
