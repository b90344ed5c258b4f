// Runs long work for Python such that other Python threads continue and Ctrl-C stops it.
#pragma once

#include <nanobind/nanobind.h>

#include <csignal>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "rankine/fmm/core/execution.hpp"

namespace rankine::python {

/// During its lifetime SIGINT requests a stop and then calls the previous handler, which makes the
/// interpreter run Python's handler. Has an effect on the main thread only, where Python handles
/// signals; on other threads, or if SIGINT has no handler, nothing changes.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  bool watches_ = false;
  std::stop_source source_{std::nostopstate};
};

/// Calls work() without the interpreter lock and returns its result; `threads` as in Execution.
/// After Ctrl-C it throws Stopped; the caller receives the exception of Python's handler instead
/// (KeyboardInterrupt).
template <class Work>
auto interruptible(int threads, Work&& work) {
  const InterruptWatch watch;
  const nanobind::gil_scoped_release released;
  return Execution{.threads = threads, .stop = watch.token()}.run([&] {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      throw_if_stopped();
    } else {
      auto result = work();
      throw_if_stopped();  // a stopped solve returns its iterate
      return result;
    }
  });
}

}  // namespace rankine::python
