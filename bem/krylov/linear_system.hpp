// What the iterative solvers share: products of a matrix with several vectors at once, and one
// system A x = b with its true residual |b - A x| / |b|.
#pragma once

#include <cstddef>
#include <span>

#include "rankine/bem/backend.hpp"

namespace rankine::bem {

/// y = A x, n doubles each, that a solver waits for.
struct Product {
  const double* x = nullptr;
  double* y = nullptr;
};

/// Multiplies a square matrix at once with vectors that lie anywhere in the backend's memory.
class ProductBatch {
 public:
  ProductBatch(Backend& backend, LinearOperator& matrix)
      : backend_(backend), matrix_(matrix), n_(matrix.rows()) {}

  /// Copies only where the vectors do not follow one another already; one vector always does.
  void apply(std::span<const Product> products);

 private:
  bool is_contiguous(std::span<const Product> products) const;

  /// y = A x for `count` vectors that follow one another.
  void multiply(const double* x, double* y, std::size_t count);

  Backend& backend_;
  LinearOperator& matrix_;
  std::size_t n_;
  Array x_, y_;
};

/// One right-hand side of a system with a given or unknown matrix.
class LinearSystem {
 public:
  LinearSystem(Backend& backend, std::size_t n, const double* b, double* x)
      : backend_(backend), n_(n), b_(b), x_(x), b_norm_(backend.norm(n, b)) {}

  double* x() const { return x_; }
  double b_norm() const { return b_norm_; }

  /// Whether b = 0; x is zero then, too.
  bool solved_by_zero() const;
  /// Whether x = 0; r = b then, the residual 1, and no product is needed.
  bool residual_is_b(double* r) const;
  /// |b - A x| / |b| where r holds A x; leaves b - A x there.
  double residual(double* r) const;

 private:
  Backend& backend_;
  std::size_t n_;
  const double* b_;
  double* x_;
  double b_norm_;
};

}  // namespace rankine::bem
