// How long the blocks are that a loop hands to threads, where their results do not depend on it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine {

/// Iterations of a block, `most` of them but where that leaves threads without a few blocks each; then no fewer than
/// `least`.
inline std::int32_t block_size(std::int32_t iterations, std::int32_t least, std::int32_t most) {
  const std::int32_t blocks = 3 * thread_count();
  return std::clamp((iterations + blocks - 1) / blocks, least, most);
}

}  // namespace rankine
