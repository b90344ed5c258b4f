// Sparse corrections of several layers that have their entries in the same places, gathered row by row.
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
  std::array<double, layer_count> values;  ///< of the layers asked for, in their order
};

using LayerRow = std::vector<LayerEntry>;

/// Entries of the same column become one, columns ascending.
void merge(LayerRow& row);

/// The matrices of `layers` layers, of one pattern.
std::vector<SparseRows> layer_matrices(const std::vector<LayerRow>& rows, std::size_t columns,
                                       std::size_t layers);

}  // namespace rankine::bem
