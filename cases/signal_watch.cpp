#include "cases/signal_watch.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <system_error>
#include <utility>

#include "cases/exit_code.hpp"

namespace rankine::cases {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

/// Time limit for the main thread to end after a stop request.
constexpr std::chrono::milliseconds patience{1500};

enum Message : char { signal_came = 's', watch_ends = 'e' };

// A signal handler can access static storage only.
std::atomic<int> pipe_of_handler{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void send(int pipe, Message message) {
  const char byte = message;
  while (::write(pipe, &byte, 1) < 0 && errno == EINTR) continue;
}

void on_signal(int) {
  const int error = errno;
  send(pipe_of_handler, signal_came);
  errno = error;
}

void set_action(int number, void (*handler)(int)) {
  struct sigaction action {};
  ::sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

/// The next message, or 0 after `milliseconds` (-1: no limit).
char receive(int pipe, int milliseconds) {
  pollfd waited{.fd = pipe, .events = POLLIN, .revents = 0};
  char byte = 0;
  if (::poll(&waited, 1, milliseconds) > 0 && ::read(pipe, &byte, 1) == 1) return byte;
  return 0;
}

void say(std::string_view text) {
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
}

}  // namespace

SignalWatch::SignalWatch() {
  if (::pipe(pipe_) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  pipe_of_handler = pipe_[1];
  thread_ = std::thread([this] { watch(); });
  for (const int number : signals) set_action(number, on_signal);
}

SignalWatch::~SignalWatch() {
  for (const int number : signals) set_action(number, SIG_DFL);
  send(pipe_[1], watch_ends);
  thread_.join();
  pipe_of_handler = -1;
  for (const int end : pipe_) ::close(end);
}

void SignalWatch::clean_up_with(std::function<void()> clean_up) {
  const std::scoped_lock lock(mutex_);
  clean_up_ = std::move(clean_up);
}

void SignalWatch::watch() {
  char message = 0;
  while (message == 0) message = receive(pipe_[0], -1);
  if (message == watch_ends) return;
  say(::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "");
  say("stopping: what has been computed is saved first; once more ends at once\n");
  source_.request_stop();

  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + patience;
  constexpr int step = 20;  // ms
  while (true) {
    message = receive(pipe_[0], step);
    if (message == watch_ends) return;
    if (message == signal_came || (Clock::now() >= deadline && holds_ == 0)) end();
  }
}

void SignalWatch::end() {
  const std::scoped_lock lock(mutex_);
  if (clean_up_) clean_up_();
  ::_exit(exit_interrupted);
}

}  // namespace rankine::cases
