// Small dense matrices. Eigen computes; only dense_matrix.cpp includes it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rankine::bem {

/// Row-major: element (r, c) is values[r * columns + c].
struct DenseMatrix {
  std::size_t rows, columns;
  std::vector<double> values;

  DenseMatrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}

  double& operator()(std::size_t r, std::size_t c) { return values[r * columns + c]; }
  double operator()(std::size_t r, std::size_t c) const { return values[r * columns + c]; }
};

/// x of A x = b, for a square A, by LU with partial pivoting.
std::vector<double> solve(const DenseMatrix& a, std::span<const double> b);

/// The first `rows` rows of the inverse of a square matrix in single precision, by LU with partial
/// pivoting; not finite if it is singular.
DenseMatrix inverse_rows(const DenseMatrix& a, std::size_t rows);

/// The pseudo-inverse (Moore, Penrose) by a complete orthogonal decomposition. Pivots below
/// `threshold` times the largest count as zero.
DenseMatrix pseudo_inverse(const DenseMatrix& a, double threshold);

}  // namespace rankine::bem
