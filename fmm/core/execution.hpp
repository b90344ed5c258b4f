// An Execution defines how loops run: the number of threads, the stop token and the progress
// counter. It is a value. Work is passed to run(), and the execution applies to all loops of that
// work, including those in constructors and in called functions.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/loop_progress.hpp"
#include "rankine/fmm/core/thread_team.hpp"

namespace rankine {

/// OMP_NUM_THREADS if it is set, otherwise the number of processors that the process may use.
inline int default_thread_count() {
  static const int count = [] {
    const char* const text = std::getenv("OMP_NUM_THREADS");
    const std::string_view wanted = text == nullptr ? "" : text;
    int threads = 0;
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), threads);
    if (threads < 1) threads = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(threads, 1, ThreadTeam::most_threads);
  }();
  return count;
}

struct Execution {
  int threads = 0;  ///< number of threads; 0: that of the current execution
  /// Loops throw Stopped soon after this token requests a stop. The output of a stopped loop is
  /// undefined, its input is unchanged. A token without state: that of the current execution.
  std::stop_token stop{};
  /// Counts the iterations of loops of unequal cost; null: that of the current execution.
  LoopProgress* progress = nullptr;

  /// Calls work() on the calling thread in this execution and returns its result. Other threads
  /// of the process are not affected.
  template <class Work>
  decltype(auto) run(Work&& work) const {
    const Execution& around = current();
    const Execution inner{threads > 0 ? threads : around.threads,
                          stop.stop_possible() ? stop : around.stop,
                          progress != nullptr ? progress : around.progress};
    const Entered entered(inner);
    return std::forward<Work>(work)();
  }

  /// The current execution of the calling thread. Outside of every run() it has
  /// default_thread_count() threads and never stops.
  static const Execution& current() { return *pointer(); }

  /// For work that must be completed: stop requests of the current execution do not apply to it.
  static Execution uninterrupted() {
    static const std::stop_source never;
    return {.stop = never.get_token()};
  }

 private:
  static const Execution*& pointer() {
    static const Execution outermost{.threads = default_thread_count()};
    thread_local const Execution* now = &outermost;
    return now;
  }

  class Entered {
   public:
    explicit Entered(const Execution& execution) : before_(std::exchange(pointer(), &execution)) {}
    ~Entered() { pointer() = before_; }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    const Execution* before_;
  };
};

/// Number of threads on which a loop of the calling thread runs.
inline int thread_count() { return Execution::current().threads; }

/// For loops on one thread: throws Stopped if a stop was requested.
inline void throw_if_stopped(const std::stop_token& token = Execution::current().stop) {
  if (token.stop_requested()) throw Stopped("stopped on request");
}

}  // namespace rankine
