// A linear operator in a backend's memory: what Krylov solvers multiply with and what sums, sparse
// matrices and boundary operators are.
#pragma once

#include <cstddef>

namespace rankine::bem {

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t columns() const = 0;

  /// y += alpha A x for `rhs` vectors at once: x rhs x columns, y rhs x rows, not overlapping.
  virtual void add(double alpha, const double* x, double* y, int rhs = 1) = 0;
  /// y += alpha A^T x: x rhs x rows, y rhs x columns.
  virtual void add_transposed(double alpha, const double* x, double* y, int rhs = 1) = 0;
};

}  // namespace rankine::bem
