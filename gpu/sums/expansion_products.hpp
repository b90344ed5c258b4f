// M2M, M2L and L2L on the device: one kernel that multiplies expansions by translation matrices
// (gpu/sums/translation_tiles.hpp).
#pragma once

#include <cstdint>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/sums/translation_tiles.hpp"

namespace rankine::gpu {

/// Expansions of all boxes: rhs x boxes x stride.
template <class T>
struct Expansions {
  T* data = nullptr;
  std::int32_t stride = 0;
  std::int64_t rhs_stride = 0;
};

enum class Update { set, add };

/// target (set or +=) sum of matrix times source over the columns of the tiles.
template <class T>
void translate(const char* pass, const DeviceTiles& tiles, const DeviceMatrices<T>& matrices,
               Expansions<const T> source, Expansions<T> target, Update update, int rhs,
               const Stream& stream);

}  // namespace rankine::gpu
