// Rows of the pattern of a sparse matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

/// The columns of row i.
inline std::span<const std::int32_t> row_of(const SparsityPattern& pattern, std::size_t i) {
  const std::int64_t begin = pattern.offsets[i], end = pattern.offsets[i + 1];
  return {pattern.columns.data() + begin, static_cast<std::size_t>(end - begin)};
}

/// Builds a pattern on all threads: append(i, columns) appends the columns of row i to a vector.
template <class Append>
SparsityPattern pattern_of(std::size_t rows, Append&& append) {
  constexpr std::size_t block = 1024;
  std::vector<std::vector<std::int32_t>> found((rows + block - 1) / block);
  SparsityPattern pattern;
  pattern.offsets.assign(rows + 1, 0);
  parallel_chunks(found.size(), 1, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(rows, (b + 1) * block); ++i) {
      append(i, found[b]);
      pattern.offsets[i + 1] = static_cast<std::int64_t>(found[b].size());  // within the block
    }
  });
  for (std::size_t i = 0; i < rows; ++i)
    pattern.offsets[i + 1] += pattern.offsets[i / block * block];
  pattern.columns.resize(static_cast<std::size_t>(pattern.offsets.back()));
  parallel_chunks(found.size(), 1, [&](std::size_t b) {
    std::copy(found[b].begin(), found[b].end(),
              pattern.columns.begin() + pattern.offsets[b * block]);
  });
  return pattern;
}

}  // namespace rankine::bem
