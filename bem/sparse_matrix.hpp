// Sparse matrices by compressed rows: the entries of row i are those numbered offsets[i] to
// offsets[i + 1] - 1. Entries are left unset when their arrays grow: whoever knows them fills them,
// on all threads, without a pass over memory before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rankine/bem/linear_operator.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

/// Which entries there are.
struct SparsityPattern {
  AlignedVector<std::int64_t> offsets{0};  ///< rows + 1
  AlignedVector<std::int32_t> columns;     ///< per entry

  std::size_t rows() const { return offsets.size() - 1; }
  std::size_t entries() const { return columns.size(); }
};

/// A matrix on the host. Matrices of the same entries share their pattern.
struct SparseRows {
  std::size_t columns = 0;
  std::shared_ptr<const SparsityPattern> pattern;
  AlignedVector<double> values;  ///< per entry

  std::size_t rows() const { return pattern->rows(); }
};

/// The rows of A^T; entries of a row ascend.
SparseRows transposed(const SparseRows& matrix);

/// A sparse matrix in a backend's memory.
class SparseMatrix : public LinearOperator {
 public:
  virtual std::size_t entries() const = 0;
  /// Of values and pattern, also where the pattern is shared.
  virtual std::size_t bytes() const = 0;
  /// The same matrix on the host; what is there already is copied but for the pattern.
  virtual SparseRows on_host() const = 0;
};

/// The matrix in host memory. The transpose is made at its first use.
std::unique_ptr<SparseMatrix> make_cpu_sparse(SparseRows matrix, int threads);

}  // namespace rankine::bem
