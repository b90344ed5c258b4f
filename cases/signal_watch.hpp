// SIGINT (Ctrl-C), SIGTERM (what a batch system sends) and SIGHUP. The first one asks the main
// thread to stop: its loops throw Stopped, a solve ends with the iterate it has. A second thread
// reports the signal immediately. It ends the program after a second signal, or if the main thread
// stays too long in a call of a library, which cannot be stopped.
//
// The handler of the signals writes to a pipe from which that thread reads. So signals need not be
// blocked in other threads, of which libraries have some.
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

  /// While one lives, the main thread has something to save, and the program waits for it without
  /// a limit. A second signal still ends the program.
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
