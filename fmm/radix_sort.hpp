// Parallel least-significant-digit radix sort of 64-bit keys with a 32-bit payload. Stable, so the
// result does not depend on the number of threads.
#pragma once

#include <cstdint>

#include "rankine/fmm/core/aligned.hpp"

namespace rankine::fmm {

/// Sorts `keys` ascending by their lowest `bits` bits and carries `values` along.
void radix_sort(AlignedVector<std::uint64_t>& keys, AlignedVector<std::int32_t>& values, int bits);

}  // namespace rankine::fmm
