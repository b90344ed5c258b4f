// Work that may crash, done in a child process: what it returns comes back through a pipe, what it
// throws is thrown again here, and its death becomes an exception. So code that cannot be trusted
// with every input can neither end this process nor damage its memory.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace rankine::meshes {

/// What a child may use at most; 0 leaves the limits of this process.
struct ChildLimits {
  std::size_t memory = 0;   ///< address space beyond what this process has now, bytes
  std::size_t seconds = 0;  ///< processor time, s
};

/// The child ended without an answer; says how: "crashed (segmentation fault)".
struct ChildDied : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// It was ended since it had used up its processor time.
struct ChildTimedOut : ChildDied {
  using ChildDied::ChildDied;
};

/// Calls `work` in a copy of this process that has one thread, default signal handlers and neither
/// standard output nor standard error, and returns what it returns. Throws what `work` throws (the
/// kinds of error.hpp, std::bad_alloc; others as std::runtime_error); std::bad_alloc where the
/// system ended the child for its memory; Stopped where the calling thread's StopScope is asked to
/// stop, or the child was interrupted; else ChildDied. No child is left behind. `waiting` is called
/// about fifty times a second in this process until the answer comes.
std::vector<char> in_child_process(const std::function<std::vector<char>()>& work,
                                   const ChildLimits& limits = {},
                                   const std::function<void()>& waiting = {});

}  // namespace rankine::meshes
