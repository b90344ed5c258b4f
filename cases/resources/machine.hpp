// The memory of the machine a run is on.
#pragma once

#include <cstddef>

namespace rankine::cases {

/// The largest resident memory of this process so far, bytes.
std::size_t peak_host_bytes();

/// Memory that is free for programs on this machine now, bytes.
std::size_t available_host_bytes();

/// Free swap space in addition, bytes.
std::size_t free_swap_bytes();

}  // namespace rankine::cases
