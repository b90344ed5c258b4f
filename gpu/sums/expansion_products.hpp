// M2M, M2L and L2L on the device: one kernel that multiplies expansions by translation matrices
// (gpu/sums/translation_tiles.hpp).
#pragma once

#include <array>
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

/// Chooses the number of targets per tile. The device processes tiles in rounds of as many as fit.
/// If the last round has only a few tiles, most multiprocessors are idle in it.
template <class T>
class TileSizes {
 public:
  /// For `columns` expansions per box, of `order`. Throws DeviceError.
  TileSizes(int order, int columns);
  TileSizes() = default;

  /// The largest size for tiles of `targets` boxes with which rounds are full to 95 % on average;
  /// if there is none, the size with the fullest rounds.
  int best(std::int64_t targets) const;

 private:
  static constexpr int step = 4;
  std::int64_t blocks_of_tile_ = 1;
  std::array<std::int64_t, tile_targets / step> at_once_{};  ///< by size / step - 1: blocks
};

extern template class TileSizes<float>;
extern template class TileSizes<double>;

enum class Update { set, add };

/// target (set or +=) sum of matrix times source over the columns of the tiles.
template <class T>
void translate(const char* pass, const DeviceTiles& tiles, const DeviceMatrices<T>& matrices,
               Expansions<const T> source, Expansions<T> target, Update update, int rhs,
               const Stream& stream);

}  // namespace rankine::gpu
