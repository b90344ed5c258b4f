// Handles SIGINT (Ctrl-C), SIGTERM (from batch systems) and SIGHUP. The first signal requests the
// main thread to stop: its loops throw Stopped, and a solve ends with its present iterate. A
// watching thread reports the signal immediately. It ends the program after a second signal, or if
// the main thread stays too long in a library call, which cannot be interrupted.
//
// The signal handler writes to a pipe that the watching thread reads, so signals need not be
// blocked in other threads, such as those of libraries.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace rankine::cases {

class SignalWatch {
 public:
  /// Handles the signals during its lifetime; one object at a time. Signals that were ignored
  /// before, such as SIGHUP under nohup, stay ignored.
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool requested() const { return source_.stop_requested(); }

  /// Sets a function that the watching thread calls before it ends the program with exit code 130.
  void clean_up_with(std::function<void()> clean_up);

  /// While a Hold exists the main thread has data to save, and the program waits for it without a
  /// time limit. A second signal still ends the program.
  class Hold {
   public:
    explicit Hold(SignalWatch& watch) : watch_(watch) { ++watch_.holds_; }
    ~Hold() { --watch_.holds_; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    SignalWatch& watch_;
  };

 private:
  void watch();
  [[noreturn]] void end();

  int pipe_[2]{};  ///< made by the constructor
  std::stop_source source_;
  std::atomic<int> holds_{0};
  std::mutex mutex_;
  std::function<void()> clean_up_;
  std::thread thread_;
};

}  // namespace rankine::cases
