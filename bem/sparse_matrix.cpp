#include "rankine/bem/sparse_matrix.hpp"

#include <numeric>
#include <optional>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// y += alpha A x for `count` vectors; every entry is read once for all of them.
template <int count>
void multiply(const SparseRows& matrix, double alpha, const double* x, double* y) {
  const SparsityPattern& pattern = *matrix.pattern;
  const std::size_t rows = pattern.rows(), columns = matrix.columns;
  parallel_for(rows, [&](std::size_t i) {
    double sum[count] = {};
    for (std::int64_t k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      const double* at = x + pattern.columns[k];
      for (int c = 0; c < count; ++c) sum[c] += matrix.values[k] * at[c * columns];
    }
    for (int c = 0; c < count; ++c) y[c * rows + i] += alpha * sum[c];
  });
}

void multiply(const SparseRows& matrix, double alpha, const double* x, double* y, int rhs) {
  while (rhs > 0) {
    const int count = rhs >= 4 ? 4 : rhs >= 2 ? 2 : 1;
    if (count == 4) multiply<4>(matrix, alpha, x, y);
    if (count == 2) multiply<2>(matrix, alpha, x, y);
    if (count == 1) multiply<1>(matrix, alpha, x, y);
    x += count * matrix.columns;
    y += count * matrix.rows();
    rhs -= count;
  }
}

class CpuSparseMatrix final : public SparseMatrix {
 public:
  explicit CpuSparseMatrix(SparseRows matrix) : matrix_(std::move(matrix)) {}

  std::size_t rows() const override { return matrix_.rows(); }
  std::size_t columns() const override { return matrix_.columns; }
  std::size_t entries() const override { return matrix_.values.size(); }
  std::size_t bytes() const override {
    return entries() * (sizeof(double) + sizeof(std::int32_t)) +
           matrix_.pattern->offsets.size() * sizeof(std::int64_t);
  }
  SparseRows on_host() const override { return matrix_; }

  void add(double alpha, const double* x, double* y, int rhs) override {
    multiply(matrix_, alpha, x, y, rhs);
  }
  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    if (!transposed_) transposed_ = transposed(matrix_);
    multiply(*transposed_, alpha, x, y, rhs);
  }

 private:
  SparseRows matrix_;
  std::optional<SparseRows> transposed_;
};

}  // namespace

SparseRows transposed(const SparseRows& matrix) {
  const SparsityPattern& from = *matrix.pattern;
  auto to = std::make_shared<SparsityPattern>();
  to->offsets.assign(matrix.columns + 1, 0);
  for (const std::int32_t column : from.columns)
    ++to->offsets[static_cast<std::size_t>(column) + 1];
  std::partial_sum(to->offsets.begin(), to->offsets.end(), to->offsets.begin());
  to->columns.resize(from.entries());
  AlignedVector<double> values(from.entries());
  std::vector<std::int64_t> next(to->offsets.begin(), to->offsets.end() - 1);
  for (std::size_t row = 0; row < from.rows(); ++row) {
    for (std::int64_t k = from.offsets[row]; k < from.offsets[row + 1]; ++k) {
      const std::int64_t at = next[static_cast<std::size_t>(from.columns[k])]++;
      to->columns[at] = static_cast<std::int32_t>(row);
      values[at] = matrix.values[k];
    }
  }
  return {from.rows(), std::move(to), std::move(values)};
}

std::unique_ptr<SparseMatrix> make_cpu_sparse(SparseRows matrix) {
  return std::make_unique<CpuSparseMatrix>(std::move(matrix));
}

}  // namespace rankine::bem
