// The memory of this machine.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace rankine::cases {

/// The largest resident memory of this process so far, bytes.
std::size_t peak_host_bytes();

/// Memory available to programs now, bytes, from /proc; the total memory if /proc is not mounted.
std::size_t available_host_bytes();

/// Free swap space, bytes, which available_host_bytes() does not include.
std::size_t free_swap_bytes();

// The message for exhausted memory.

/// The size of the last failed allocation, bytes; 0 if none failed or the program's operator new
/// (huge_pages.cpp) is not linked. A global because operator new can access static storage only.
inline std::atomic<std::size_t> failed_request{0};

/// The message: the work that ran out of memory, the size requested, the free memory, a remedy.
std::string out_of_memory(const std::string& work);

}  // namespace rankine::cases
