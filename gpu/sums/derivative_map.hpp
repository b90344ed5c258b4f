// Sparse linear maps with few entries per row,
// for the derivative rules of fmm/gradient_terms.hpp on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/gradient_terms.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

/// y[row] = sum over at most `width` entries of coefficient * x[column];
/// entries of one row are `rows` apart.
template <class T>
struct LinearMap {
  struct Entry {
    std::int32_t column = 0;
    T coefficient = T(0);
  };
  std::int32_t rows = 0, width = 0;
  std::vector<Entry> entries;  ///< width x rows
};

/// Derivatives of an expansion of `order`: y holds the three expansions (padded to `row_size`
/// each), x the expansion.
template <class T>
LinearMap<T> derivative_map(fmm::Harmonic kind, int order, int row_size);

template <class T>
struct DeviceMap {
  DeviceMap() = default;
  DeviceMap(const LinearMap<T>& map, const Stream& stream)
      : entries(map.entries, stream), rows(map.rows), width(map.width) {}

  DeviceBuffer<typename LinearMap<T>::Entry> entries;
  std::int32_t rows = 0, width = 0;
};

}  // namespace rankine::gpu
