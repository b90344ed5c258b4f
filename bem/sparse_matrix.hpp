// Sparse matrices in compressed rows: row i has the entries offsets[i] to offsets[i + 1] - 1. New
// entries of growing arrays are not initialised, so all threads can fill them without a previous
// pass over memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "rankine/bem/linear_operator.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

/// The positions of the entries.
struct SparsityPattern {
  AlignedVector<std::int64_t> offsets{0};  ///< rows + 1
  AlignedVector<std::int32_t> columns;     ///< per entry

  std::size_t rows() const { return offsets.size() - 1; }
  std::size_t entries() const { return columns.size(); }
};

/// Rows [begin, end) of a matrix; by default all of them.
struct RowRange {
  std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();

  std::size_t size() const { return end - begin; }
  /// The part of the range in a matrix with so many rows.
  RowRange of(std::size_t rows) const { return {begin, std::min(end, rows)}; }
};

/// A matrix on the host. Matrices with the same pattern share it.
struct SparseRows {
  std::size_t columns = 0;
  std::shared_ptr<const SparsityPattern> pattern;
  AlignedVector<double> values;  ///< per entry

  std::size_t rows() const { return pattern->rows(); }
};

/// The rows of A^T; columns ascend in a row.
SparseRows transposed(const SparseRows& matrix);

/// A sparse matrix in a backend's memory.
class SparseMatrix : public LinearOperator {
 public:
  virtual std::size_t entries() const = 0;
  /// Bytes of values and pattern, including a shared pattern.
  virtual std::size_t bytes() const = 0;
  /// The same matrix on the host. A matrix in host memory shares its pattern with the copy.
  virtual SparseRows on_host() const = 0;
};

/// The matrix in host memory. The transpose is computed at its first use.
std::unique_ptr<SparseMatrix> make_cpu_sparse(SparseRows matrix);

}  // namespace rankine::bem
