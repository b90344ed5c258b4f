// Ctrl-C: the first asks the solver to stop at its next iteration and to leave a checkpoint, the
// second ends the program at once.
#pragma once

#include "fmm/error.hpp"

namespace rankine::cases {

/// Exit code 130, as shells report an interrupt.
struct Interrupted : Error {
  explicit Interrupted(const std::string& message) : Error(130, message) {}
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
