// Shared by the iterative solvers: products of a matrix with several vectors at once, and a system
// A x = b with its true residual |b - A x| / |b|.
#pragma once

#include <cstddef>
#include <span>

#include "rankine/bem/backend.hpp"

namespace rankine::bem {

/// A product y = A x that a solver needs; n doubles each.
struct Product {
  const double* x = nullptr;
  double* y = nullptr;
};

/// Multiplies a square matrix by several vectors at any addresses in the backend's memory.
class ProductBatch {
 public:
  ProductBatch(Backend& backend, LinearOperator& matrix)
      : backend_(backend), matrix_(matrix), n_(matrix.rows()) {}

  /// Copies the vectors only if they are not contiguous.
  void apply(std::span<const Product> products);

 private:
  bool is_contiguous(std::span<const Product> products) const;

  /// y = A x for `count` contiguous vectors.
  void multiply(const double* x, double* y, std::size_t count);

  Backend& backend_;
  LinearOperator& matrix_;
  std::size_t n_;
  Array x_, y_;
};

/// One right-hand side of a system. The matrix is not needed. Of `b` and of residuals, which are
/// arrays of n values, each process uses its own rows.
class LinearSystem {
 public:
  LinearSystem(Backend& backend, std::size_t n, const double* b, double* x)
      : backend_(backend), n_(n), own_(backend.own_rows(n)), b_(b), x_(x), b_norm_(norm(b)) {}

  double* x() const { return x_; }
  double b_norm() const { return b_norm_; }

  /// Whether b = 0; then x is set to zero.
  bool solved_by_zero() const;
  /// Whether x = 0; then r is set to b, the residual is 1, and no product is needed.
  bool residual_is_b(double* r) const;
  /// |b - A x| / |b|; r holds A x and is replaced by b - A x.
  double residual(double* r) const;

 private:
  double norm(const double* values) const {
    return backend_.norm(own_.size(), values + own_.begin);
  }

  Backend& backend_;
  std::size_t n_;
  RowRange own_;
  const double* b_;
  double* x_;
  double b_norm_;
};

}  // namespace rankine::bem
