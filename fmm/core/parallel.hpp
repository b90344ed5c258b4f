// Loops on several threads. They run on the number of threads that the calling thread's ThreadScope
// asks for, carry the first exception of an iteration out to the caller, and end early with Stopped
// where its StopScope was asked to.
#pragma once

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/thread_team.hpp"

namespace rankine {

/// What OMP_NUM_THREADS says, else as many processors as the process may use.
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

/// Makes the calling thread's loops run on `threads` threads (0: as before) while it lives. Other
/// threads of the process are not affected.
class ThreadScope {
 public:
  explicit ThreadScope(int threads) : before_(current()) {
    if (threads > 0) current() = threads;
  }
  ~ThreadScope() { current() = before_; }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

  static int& current() {
    thread_local int count = default_thread_count();
    return count;
  }

 private:
  int before_;
};

/// Threads that a loop of the calling thread runs on.
inline int thread_count() { return ThreadScope::current(); }

/// Makes the calling thread's loops throw Stopped soon after `token` is asked to stop, while it
/// lives. What a stopped loop was writing is undefined; what it reads is as it was.
class StopScope {
 public:
  explicit StopScope(std::stop_token token) : before_(std::exchange(current(), std::move(token))) {}
  ~StopScope() { current() = std::move(before_); }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  static std::stop_token& current() {
    thread_local std::stop_token token;
    return token;
  }

 private:
  std::stop_token before_;
};

/// For loops that run on one thread: throws Stopped where the calling thread was asked to stop.
inline void throw_if_stopped(const std::stop_token& token = StopScope::current()) {
  if (token.stop_requested()) throw Stopped("stopped on request");
}

/// The first exception of several threads.
class FirstException {
 public:
  /// Call inside a handler.
  void keep() noexcept {
    if (!caught_.exchange(true)) exception_ = std::current_exception();
  }
  /// Call when the threads have joined.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> caught_{false};
  std::exception_ptr exception_;
};

/// Calls body(thread, threads) on every thread at once.
template <class Body>
void on_every_thread(Body&& body) {
  FirstException failure;
  const auto guarded = [&](int thread, int threads) {
    try {
      body(thread, threads);
    } catch (...) {
      failure.keep();
    }
  };
  ThreadTeam::own().run(thread_count(), guarded);
  failure.rethrow();
}

/// One contiguous part of n iterations.
struct Part {
  std::size_t begin, end;
  int thread;
};

/// Calls body(Part) once on every thread, with parts of equal size in the order of the threads.
template <class Body>
void parallel_parts(std::size_t n, Body&& body) {
  on_every_thread([&](int thread, int threads) {
    const auto at = [&](int part) {
      return n * static_cast<std::size_t>(part) / static_cast<std::size_t>(threads);
    };
    body(Part{at(thread), at(thread + 1), thread});
  });
}

/// body(i) for i < n in equal parts.
template <class Body>
void parallel_for(std::size_t n, Body&& body) {
  constexpr std::size_t unasked = 4096;  // iterations between two looks at the token
  const std::stop_token token = StopScope::current();
  parallel_parts(n, [&](const Part& part) {
    for (std::size_t begin = part.begin; begin < part.end; begin += unasked) {
      throw_if_stopped(token);
      const std::size_t end = std::min(part.end, begin + unasked);
      for (std::size_t i = begin; i < end; ++i) body(i);
    }
  });
}

/// body(i, workspace) for i < n, where iterations differ in length: `chunk` of them at a time go to
/// the next idle thread. Every thread makes its own workspace first.
template <class Make, class Body>
void parallel_chunks(std::size_t n, std::size_t chunk, Make&& make_workspace, Body&& body) {
  std::atomic<std::size_t> next{0};
  const std::stop_token token = StopScope::current();
  on_every_thread([&](int, int) {
    auto workspace = make_workspace();
    for (std::size_t begin = next.fetch_add(chunk); begin < n; begin = next.fetch_add(chunk)) {
      throw_if_stopped(token);
      const std::size_t end = std::min(n, begin + chunk);
      for (std::size_t i = begin; i < end; ++i) body(i, workspace);
    }
  });
}

/// body(i) for i < n, `chunk` at a time to the next idle thread.
template <class Body>
void parallel_chunks(std::size_t n, std::size_t chunk, Body&& body) {
  struct Nothing {};
  parallel_chunks(
      n, chunk, [] { return Nothing{}; }, [&](std::size_t i, Nothing&) { body(i); });
}

/// add(i, value) for i < n into one value a thread, joined in the order of the threads. The result
/// is the same for any number of threads where joining is exact, as for counts and extremes.
template <class T, class Add, class Join>
T parallel_reduce(std::size_t n, T initial, Add&& add, Join&& join) {
  struct Value {  // of its own for every thread, a bool, too
    T value;
  };
  std::vector<Value> parts(static_cast<std::size_t>(thread_count()), Value{initial});
  parallel_parts(n, [&](const Part& part) {
    T value = initial;
    for (std::size_t i = part.begin; i < part.end; ++i) add(i, value);
    parts[static_cast<std::size_t>(part.thread)].value = value;
  });
  for (const Value& part : parts) join(initial, part.value);
  return initial;
}

/// add(i, value) for i < n into values that begin as `zero`, with the same bits for any number of threads: blocks of
/// one length are joined in their order.
template <class T, class Add, class Join>
T parallel_blocks(std::size_t n, const T& zero, Add&& add, Join&& join, std::size_t block = 4096) {
  std::vector<T> values((n + block - 1) / block, zero);
  parallel_for(values.size(), [&](std::size_t b) {
    const std::size_t end = std::min(n, (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) add(i, values[b]);
  });
  T all = zero;
  for (const T& each : values) join(all, each);
  return all;
}

/// The sum of term(i) for i < n, with the same bits for any number of threads.
template <class Term>
double parallel_sum(std::size_t n, Term&& term) {
  return parallel_blocks(
      n, 0.0, [&](std::size_t i, double& sum) { sum += term(i); },
      [](double& sum, double each) { sum += each; });
}

}  // namespace rankine
