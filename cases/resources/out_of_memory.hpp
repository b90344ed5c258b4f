// The message for memory that is exhausted.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace rankine::cases {

/// The size of the last allocation that failed, bytes; 0 if none did or the program's own operator
/// new (huge_pages.cpp) is not linked. That operator has access to static storage only.
inline std::atomic<std::size_t> failed_request{0};

/// Which work ran out of memory, what it asked for, what is free, and what to do.
std::string out_of_memory(const std::string& work);

}  // namespace rankine::cases
