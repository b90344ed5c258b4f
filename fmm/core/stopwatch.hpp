// Wall-clock seconds.
#pragma once

#include <chrono>

namespace rankine {

class Stopwatch {
 public:
  /// Since construction.
  double seconds() const { return between(start_, Clock::now()); }

  /// Since construction or the last call.
  double lap() {
    const auto now = Clock::now();
    const double seconds = between(last_, now);
    last_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
  }

  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace rankine
