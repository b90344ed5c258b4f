#include "python/src/interruptible.hpp"

#include <atomic>
#include <thread>

namespace rankine::python {
namespace {

const std::thread::id main_thread = std::this_thread::get_id();  // the module is imported there

struct sigaction python_action {};
std::atomic<std::stop_source*> to_stop{nullptr};
static_assert(std::atomic<std::stop_source*>::is_always_lock_free);

/// request_stop() is safe in a signal handler: no callback is registered, so it only changes
/// atomics.
void stop_and_pass_on(int signal) {
  if (std::stop_source* const source = to_stop.load()) source->request_stop();
  python_action.sa_handler(signal);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  if (std::this_thread::get_id() != main_thread || to_stop.load() != nullptr) return;
  ::sigaction(SIGINT, nullptr, &python_action);
  if ((python_action.sa_flags & SA_SIGINFO) != 0 || python_action.sa_handler == SIG_DFL ||
      python_action.sa_handler == SIG_IGN)
    return;
  source_ = std::stop_source();
  watches_ = true;
  to_stop.store(&source_);
  struct sigaction mine = python_action;
  mine.sa_handler = stop_and_pass_on;
  ::sigaction(SIGINT, &mine, nullptr);
}

InterruptWatch::~InterruptWatch() {
  if (!watches_) return;
  ::sigaction(SIGINT, &python_action, nullptr);
  to_stop.store(nullptr);
}

}  // namespace rankine::python
