// SIGINT (Ctrl-C), SIGTERM (what a batch system sends) and SIGHUP. The first one asks the main
// thread to stop: its loops throw Stopped, a solve ends with the iterate it has. A thread of its
// own says at once that the signal has come, and ends the program where the main thread does not:
// after a second signal, or when it sits too long in a library that cannot be asked.
//
// Signals reach the thread through a pipe from a handler, so that no thread has them blocked, those
// of libraries included.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace rankine::cases {

class SignalWatch {
 public:
  /// Takes the signals over while it lives; one object at a time. Signals that were ignored, as
  /// nohup leaves SIGHUP, stay so.
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool requested() const { return source_.stop_requested(); }

  /// Called before the watching thread ends the program, with exit code 130.
  void clean_up_with(std::function<void()> clean_up);

  /// While one lives the main thread has something to save, and is waited for however long it
  /// takes. A second signal ends the program all the same.
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

  int pipe_[2] = {-1, -1};
  std::stop_source source_;
  std::atomic<int> holds_{0};
  std::mutex mutex_;
  std::function<void()> clean_up_;
  std::thread thread_;
};

}  // namespace rankine::cases
