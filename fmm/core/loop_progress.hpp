// Progress of the running loop. One thread runs the loops, any other thread may read the progress.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace rankine {

class LoopProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Registers a loop of n iterations from its begin to its end. Nested loops and loops without a
  /// `progress` are not counted.
  class Loop {
   public:
    Loop(LoopProgress* progress, std::size_t n)
        : progress_(progress != nullptr && progress->all_ == 0 ? progress : nullptr) {
      if (progress_ == nullptr) return;
      progress_->done_ = 0;
      progress_->began_ = Clock::now();
      progress_->all_ = n;
    }
    ~Loop() {
      if (progress_ != nullptr) progress_->all_ = 0;
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Any thread of the loop may call it.
    void add(std::size_t iterations) {
      if (progress_ != nullptr) progress_->done_.fetch_add(iterations, std::memory_order_relaxed);
    }

   private:
    LoopProgress* progress_;
  };

  /// Estimated seconds from `now` until the running loop ends, at its mean speed; 0 if no loop
  /// runs, and in its first half second.
  double seconds_left(Clock::time_point now = Clock::now()) const {
    const std::size_t all = all_, done = done_;
    const double seconds = std::chrono::duration<double>(now - began_.load()).count();
    if (done == 0 || done >= all || seconds < 0.5) return 0.0;
    return seconds * static_cast<double>(all - done) / static_cast<double>(done);
  }

 private:
  std::atomic<std::size_t> all_{0};  ///< 0: no loop runs
  std::atomic<std::size_t> done_{0};
  std::atomic<Clock::time_point> began_{};
};

}  // namespace rankine
