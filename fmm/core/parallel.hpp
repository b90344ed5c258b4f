// Loops on several threads, according to the current Execution (fmm/core/execution.hpp). The first
// exception of an iteration is rethrown to the caller. Loops end early with Stopped if a stop is
// requested.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/thread_team.hpp"

namespace rankine {

/// The first exception of several threads.
class FirstException {
 public:
  /// Call inside a handler.
  void keep() noexcept {
    if (!caught_.exchange(true)) exception_ = std::current_exception();
  }
  /// Call after the threads have joined.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> caught_{false};
  std::exception_ptr exception_;
};

/// Calls body(thread, threads) on all threads at the same time, but on at most `work` threads.
template <class Body>
void on_every_thread(Body&& body, std::size_t work = ThreadTeam::most_threads) {
  FirstException failure;
  const auto guarded = [&](int thread, int threads) {
    try {
      body(thread, threads);
    } catch (...) {
      failure.keep();
    }
  };
  ThreadTeam::own().run(static_cast<int>(std::min<std::size_t>(thread_count(), work)), guarded);
  failure.rethrow();
}

/// Calls work(), whose loops use all threads even inside a loop: there a new thread calls it.
template <class Work>
void outside_loops(Work&& work) {
  if (!ThreadTeam::is_inside()) return work();
  FirstException failure;
  std::thread([&, &execution = Execution::current()] {
    try {
      execution.run(work);
    } catch (...) {
      failure.keep();
    }
  }).join();
  failure.rethrow();
}

/// One contiguous part of n iterations.
struct Part {
  std::size_t begin, end;
  int thread;
};

/// Calls body(Part) on every thread, or on n if there are fewer, with parts of equal size, in the
/// order of the threads.
template <class Body>
void parallel_parts(std::size_t n, Body&& body) {
  const auto on_thread = [&](int thread, int threads) {
    const auto at = [&](int part) {
      return n * static_cast<std::size_t>(part) / static_cast<std::size_t>(threads);
    };
    body(Part{at(thread), at(thread + 1), thread});
  };
  on_every_thread(on_thread, n);
}

/// body(i) for i < n in equal parts.
template <class Body>
void parallel_for(std::size_t n, Body&& body) {
  constexpr std::size_t between_checks = 4096;  // iterations between two checks of the stop token
  const std::stop_token token = Execution::current().stop;
  parallel_parts(n, [&](const Part& part) {
    for (std::size_t begin = part.begin; begin < part.end; begin += between_checks) {
      throw_if_stopped(token);
      const std::size_t end = std::min(part.end, begin + between_checks);
      for (std::size_t i = begin; i < end; ++i) body(i);
    }
  });
}

/// body(i, workspace) for i < n, for iterations of unequal cost: an idle thread takes the next
/// `chunk` of them. Every thread first makes its own workspace.
template <class Make, class Body>
void parallel_chunks(std::size_t n, std::size_t chunk, Make&& make_workspace, Body&& body) {
  std::atomic<std::size_t> next{0};
  const std::stop_token token = Execution::current().stop;
  LoopProgress::Loop loop(Execution::current().progress, n);
  const auto on_thread = [&](int, int) {
    auto workspace = make_workspace();
    for (std::size_t begin = next.fetch_add(chunk); begin < n; begin = next.fetch_add(chunk)) {
      throw_if_stopped(token);
      const std::size_t end = std::min(n, begin + chunk);
      for (std::size_t i = begin; i < end; ++i) body(i, workspace);
      loop.add(end - begin);
    }
  };
  on_every_thread(on_thread, (n + chunk - 1) / chunk);
}

/// body(i) for i < n; an idle thread takes the next `chunk` of them.
template <class Body>
void parallel_chunks(std::size_t n, std::size_t chunk, Body&& body) {
  struct Nothing {};
  parallel_chunks(
      n, chunk, [] { return Nothing{}; }, [&](std::size_t i, Nothing&) { body(i); });
}

/// Calls all.join(part), appends a list, or adds a number.
struct JoinValues {
  template <class T>
  void operator()(T& all, const T& part) const {
    if constexpr (requires { all.join(part); }) {
      all.join(part);
    } else if constexpr (requires { all.insert(all.end(), part.begin(), part.end()); }) {
      all.insert(all.end(), part.begin(), part.end());
    } else {
      all += part;
    }
  }
};

/// Reduction over i < n: add(i, value) changes a value that is initially `neutral`, the neutral
/// element of join (0 for a sum, the smallest value for a maximum). There is one value for every
/// `block` of iterations; join(all, value) combines them in order. So the result has the same bits
/// for any number of threads.
template <class T, class Add, class Join = JoinValues>
T parallel_reduce(std::size_t n, const T& neutral, Add&& add, Join&& join = {},
                  std::size_t block = 4096) {
  struct Value {  // one object per block, also for bool
    T value;
  };
  std::vector<Value> values((n + block - 1) / block, Value{neutral});
  parallel_for(values.size(), [&](std::size_t b) {
    const std::size_t end = std::min(n, (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) add(i, values[b].value);
  });
  T all = neutral;
  for (const Value& each : values) join(all, each.value);
  return all;
}

/// The sum of term(i) for i < n, with the same bits for any number of threads.
template <class Term, class T = std::invoke_result_t<Term, std::size_t>>
T parallel_sum(std::size_t n, Term&& term) {
  return parallel_reduce(n, T{}, [&](std::size_t i, T& sum) { sum += term(i); });
}

/// The number of i < n for which has(i).
template <class Has>
std::size_t parallel_count(std::size_t n, Has&& has) {
  return parallel_sum(n, [&](std::size_t i) { return std::size_t{has(i)}; });
}

/// The largest of `least` and value(i) for i < n.
template <class Value>
double parallel_max(std::size_t n, double least, Value&& value) {
  const auto raise = [](double& most, double each) { most = std::max(most, each); };
  return parallel_reduce(
      n, least, [&](std::size_t i, double& most) { raise(most, value(i)); }, raise);
}

/// The smallest i < n for which has(i); n if there is none. `block` as in parallel_reduce().
template <class Has>
std::size_t parallel_find(std::size_t n, Has&& has, std::size_t block = 4096) {
  return parallel_reduce(
      n, n,
      [&](std::size_t i, std::size_t& first) {
        if (first == n && has(i)) first = i;
      },
      [](std::size_t& first, std::size_t each) { first = std::min(first, each); }, block);
}

/// Whether there is an i < n for which has(i).
template <class Has>
bool parallel_any(std::size_t n, Has&& has) {
  return parallel_find(n, has) < n;
}

}  // namespace rankine
