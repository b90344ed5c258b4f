// A linear operator in a backend's memory: the interface of sums, sparse matrices and boundary
// operators to Krylov solvers.
#pragma once

#include <cstddef>

namespace rankine::bem {

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t columns() const = 0;

  /// y += alpha A x for `rhs` vectors: x is rhs x columns, y is rhs x rows; they must not overlap.
  virtual void add(double alpha, const double* x, double* y, int rhs = 1) = 0;
  /// y += alpha A^T x: x is rhs x rows, y is rhs x columns.
  virtual void add_transposed(double alpha, const double* x, double* y, int rhs = 1) = 0;
};

}  // namespace rankine::bem
