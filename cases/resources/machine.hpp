// The memory of the machine a run is on.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace rankine::cases {

/// The largest resident memory of this process so far, bytes.
std::size_t peak_host_bytes();

/// Memory that is free for programs on this machine now, bytes; all of it where /proc, which has
/// that number, is not mounted.
std::size_t available_host_bytes();

/// Free swap space in addition, bytes.
std::size_t free_swap_bytes();

// The message for memory that is exhausted.

/// The size of the last allocation that failed, bytes; 0 if none did or the program's own operator
/// new (huge_pages.cpp) is not linked. That operator has access to static storage only.
inline std::atomic<std::size_t> failed_request{0};

/// Says which work ran out of memory, what it requested, what is free, and what to do.
std::string out_of_memory(const std::string& work);

}  // namespace rankine::cases
