// Number of iterations in the blocks that a loop distributes to threads, if results do not depend
// on it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rankine/fmm/core/execution.hpp"

namespace rankine {

/// Iterations per block: `most`, or fewer (at least `least`) so that every thread gets a few
/// blocks.
inline std::int32_t block_size(std::int32_t iterations, std::int32_t least, std::int32_t most) {
  const std::int32_t blocks = 3 * thread_count();
  return std::clamp((iterations + blocks - 1) / blocks, least, most);
}

}  // namespace rankine
