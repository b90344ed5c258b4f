// The threads on which the loops of fmm/core/parallel.hpp run. Every thread that starts loops has
// its own team, which is created at its first use and exists until the thread ends.
//
// An idle thread polls for work for some tens of microseconds, then sleeps. This is short enough
// not to disturb other programs, and long enough that the thread is still awake when the next of
// many loops begins.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "rankine/fmm/core/error.hpp"

namespace rankine {

class ThreadTeam {
 public:
  /// Largest number of threads of a team, including the caller.
  static constexpr int most_threads = 4095;

  ThreadTeam() = default;
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam() {
    announce(0);
    for (std::thread& worker : workers_) worker.join();
  }

  /// The team of the calling thread.
  static ThreadTeam& own() {
    thread_local Holder holder;
    if (holder.team == nullptr || holder.forks != forks()) {
      holder.team = new ThreadTeam;
      holder.forks = forks();
    }
    return *holder.team;
  }

  /// Whether the calling thread is inside a body.
  static bool is_inside() { return inside(); }

  /// Calls body(thread, threads) once on each of `threads` threads and waits for all of them.
  /// Inside a body a team has one thread. The body must not throw. Throws DeviceError if the system
  /// cannot start that many threads.
  template <class Body>
  void run(int threads, const Body& body) {
    threads = inside() ? 1 : std::min(threads, most_threads);
    if (threads < 2) return body(0, 1);
    grow(threads);
    state_.call = [](const void* context, int thread, int of) {
      (*static_cast<const Body*>(context))(thread, of);
    };
    state_.context = &body;
    state_.running.store(threads - 1, std::memory_order_relaxed);
    announce(static_cast<std::uint64_t>(threads));
    inside() = true;
    body(0, threads);
    inside() = false;
    state_.wait_until([&] { return state_.running.load(std::memory_order_acquire) == 0; });
  }

 private:
  /// Owns a team. After a fork its threads do not exist, and it can be neither used nor destroyed.
  struct Holder {
    ThreadTeam* team = nullptr;
    int forks = 0;  ///< when the team was made

    Holder() = default;
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() {
      if (forks == ThreadTeam::forks()) delete team;
    }
  };

  /// Number of forks between this process and the one in which counting began.
  static int forks() {
    static std::atomic<int> count{0};
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] { ++count; });
    return registered == 0 ? count.load(std::memory_order_relaxed) : 0;
  }

  static constexpr int thread_bits = 12;
  static constexpr std::uint64_t thread_mask = (std::uint64_t{1} << thread_bits) - 1;

  /// State that the threads of a team share.
  struct State {
    /// The number of the round in the bits above `thread_bits`, the number of its threads below.
    /// With 52 bits the number of the round never repeats, so a worker that slept through some
    /// rounds sees a new number.
    std::atomic<std::uint64_t> word{0};
    std::atomic<int> running{0};
    void (*call)(const void*, int, int) = nullptr;
    const void* context = nullptr;
    std::mutex mutex;
    std::condition_variable changed;

    /// Polls for some tens of microseconds, then sleeps until wake() is called and `done` is true.
    template <class Done>
    void wait_until(const Done& done) {
      constexpr int looks = 1000;  // each 10 to 100 ns
      for (int i = 0; i < looks; ++i) {
        if (done()) return;
        pause();
      }
      std::unique_lock lock(mutex);
      changed.wait(lock, done);
    }

    void wake() {
      { const std::lock_guard lock(mutex); }  // no thread is between its check and its sleep
      changed.notify_all();
    }
  };

  static bool& inside() {
    thread_local bool value = false;
    return value;
  }

  void grow(int threads) {
    workers_.reserve(static_cast<std::size_t>(threads - 1));
    while (static_cast<int>(workers_.size()) + 1 < threads) {
      const auto thread = static_cast<int>(workers_.size()) + 1;
      try {
        workers_.emplace_back(
            [&state = state_, thread, seen = state_.word.load()] { work(state, thread, seen); });
      } catch (const std::system_error&) {
        throw DeviceError("only " + std::to_string(thread) + " of " + std::to_string(threads) +
                          " threads could be started: the system lacks memory, or does not "
                          "permit more; use fewer (--threads)");
      }
    }
  }

  /// Begins the next round; its number and its number of threads change in one atomic write. 0
  /// threads end the team.
  void announce(std::uint64_t threads) {
    const std::uint64_t round = (state_.word.load(std::memory_order_relaxed) >> thread_bits) + 1;
    state_.word.store(round << thread_bits | threads, std::memory_order_release);
    state_.wake();
  }

  static void work(State& state, int thread, std::uint64_t seen) {
    inside() = true;
    for (;;) {
      std::uint64_t word = seen;
      state.wait_until([&] { return (word = state.word.load(std::memory_order_acquire)) != seen; });
      seen = word;
      const auto threads = static_cast<int>(word & thread_mask);
      if (threads == 0) return;
      if (thread >= threads) continue;
      state.call(state.context, thread, threads);
      if (state.running.fetch_sub(1, std::memory_order_acq_rel) == 1) state.wake();
    }
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  State state_;
  std::vector<std::thread> workers_;
};

}  // namespace rankine
