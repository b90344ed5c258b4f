// The machine a run is on.
#pragma once

#include <cstddef>
#include <string>

namespace rankine::cases {

/// The threads that a request for `requested` gets: 0 is all of them.
int thread_count(int requested);

/// The processor's name, as the operating system gives it.
std::string processor_name();

/// The widest vector instructions of this processor that the program knows:
/// "AVX-512", "AVX2" or "baseline".
std::string vector_instructions();

/// The largest resident memory of this process so far, bytes.
std::size_t peak_host_bytes();

/// Memory that is free for programs on this machine now, bytes.
std::size_t available_host_bytes();

}  // namespace rankine::cases
