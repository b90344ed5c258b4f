// Sparse corrections of several layers with one common pattern, collected row by row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

struct LayerEntry {
  std::int32_t column;
  std::array<double, layer_count> values;  ///< one per requested layer, in their order
};

using LayerRow = std::vector<LayerEntry>;

/// Adds up entries of the same column and sorts the columns.
void merge(LayerRow& row);

/// The matrices of `layers` layers with one pattern.
std::vector<SparseRows> layer_matrices(const std::vector<LayerRow>& rows, std::size_t columns,
                                       std::size_t layers);

}  // namespace rankine::bem
