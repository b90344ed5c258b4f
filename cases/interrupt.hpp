// Ctrl-C: the first asks the solver to stop at its next iteration and to leave a checkpoint, the
// second ends the program at once.
#pragma once

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

struct Interrupted : Error {
  using Error::Error;
};

/// Takes over SIGINT while it lives.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Was Ctrl-C pressed?
  static bool requested();
  /// Throws Interrupted when it was: between phases that leave nothing to save.
  static void check();
};

}  // namespace rankine::cases
