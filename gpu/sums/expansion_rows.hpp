// Copies the rows of expansions that processes exchange to and from one array.
#pragma once

#include <cstdint>

#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

/// The expansions of some boxes, `columns` each: that of column k and box b begins at
/// data + k column_stride + b stride.
template <class T>
struct ExpansionRows {
  T* data;
  std::int32_t stride;
  std::int64_t column_stride;
  int columns;

  std::int64_t width() const { return std::int64_t{stride} * columns; }
};

/// to[i] = the expansions of box boxes[i]: width() values, column by column.
template <class T>
void gather_rows(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes, T* to,
                 const Stream& stream);
/// Sets the expansions of box boxes[i] to the sum of its rows in `parts` consecutive arrays,
/// from[i], from[i + boxes], and so on; to zero for 0 parts.
template <class T>
void scatter_rows(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes,
                  const T* from, int parts, const Stream& stream);

}  // namespace rankine::gpu
