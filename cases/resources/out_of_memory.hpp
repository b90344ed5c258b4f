// The message for memory that is exhausted.
#pragma once

#include <string>

namespace rankine::cases {

/// Which work ran out of memory, what is free, and what to do.
std::string out_of_memory(const std::string& work);

}  // namespace rankine::cases
