// Long work that is called from Python: other Python threads run meanwhile, and Ctrl-C stops it.
#pragma once

#include <nanobind/nanobind.h>

#include <csignal>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "rankine/fmm/core/execution.hpp"

namespace rankine::python {

/// While it lives, SIGINT requests a stop and then does what it did before, which is to make the
/// interpreter call Python's handler. It does so on the main thread alone, the only one on which
/// Python handles signals; elsewhere, and where SIGINT has no handler, nothing changes.
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

/// Calls work() without the interpreter's lock and returns its result; `threads` as in Execution.
/// After Ctrl-C it throws Stopped, and what Python's handler raises (KeyboardInterrupt) reaches the
/// caller instead.
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
      throw_if_stopped();  // a solve that was stopped returns its iterate
      return result;
    }
  });
}

}  // namespace rankine::python
