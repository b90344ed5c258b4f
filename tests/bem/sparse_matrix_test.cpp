// Sparse matrices against plain loops: any number of vectors, more rows than columns and fewer.
#include "rankine/bem/sparse_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace rankine::bem {
namespace {

double entry(std::size_t row, std::size_t column) {
  return (row + 2 * column) % 3 == 0 ? 0.0 : 1.0 + 0.1 * static_cast<double>(3 * row + column);
}

SparseRows sparse(std::size_t rows, std::size_t columns) {
  auto pattern = std::make_shared<SparsityPattern>();
  SparseRows matrix{.columns = columns, .pattern = nullptr, .values = {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (entry(i, j) == 0.0) continue;
      pattern->columns.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(entry(i, j));
    }
    pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  matrix.pattern = std::move(pattern);
  return matrix;
}

std::vector<double> numbers(std::size_t n, double phase) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::sin(phase + static_cast<double>(i));
  return values;
}

TEST(SparseMatrix, MultipliesAnyNumberOfVectorsWhateverItsShape) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{9, 4}, {4, 9}}) {
    const auto matrix = make_cpu_sparse(sparse(rows, columns));
    for (int rhs = 1; rhs <= 11; ++rhs) {
      const auto vectors = static_cast<std::size_t>(rhs);
      const std::vector<double> x = numbers(columns * vectors, 0.0),
                                z = numbers(rows * vectors, 1.0);
      std::vector<double> y = numbers(rows * vectors, 2.0), w = numbers(columns * vectors, 3.0),
                          y_wanted = y, w_wanted = w;
      for (std::size_t k = 0; k < vectors; ++k) {
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < columns; ++j) {
            y_wanted[k * rows + i] += 0.5 * entry(i, j) * x[k * columns + j];
            w_wanted[k * columns + j] -= 2.0 * entry(i, j) * z[k * rows + i];
          }
        }
      }
      matrix->add(0.5, x.data(), y.data(), rhs);
      matrix->add_transposed(-2.0, z.data(), w.data(), rhs);
      // Sums of at most nine terms below five.
      for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], y_wanted[i], 1e-13) << rhs;
      for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], w_wanted[j], 1e-13) << rhs;
    }
  }
}

}  // namespace
}  // namespace rankine::bem
