#include "rankine/meshes/files/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/files/child_answer.hpp"
#include "rankine/meshes/files/child_setting.hpp"

namespace rankine::meshes {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// All signals blocked while it lives, so that none meets the child before its handlers are gone.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

/// A child that is waited for, or killed.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  }
  /// The status as of waitpid; 0 where somebody else collects the children of this process.
  int wait() {
    int status = 0;
    const pid_t id = std::exchange(id_, -1);
    while (::waitpid(id, &status, 0) < 0) {
      if (errno != EINTR) return 0;
    }
    return status;
  }

 private:
  pid_t id_;
};

/// What the child sends until it has sent it all, or has ended.
Answer receive(int descriptor, const Child& child, const std::function<void()>& waiting) {
  constexpr int wait_ms = 20;
  Answer answer;
  for (std::span<char> room = answer.room(); !room.empty();) {
    throw_if_stopped();
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int events = ::poll(&ready, 1, wait_ms);
    if (events == 0 && waiting) waiting();
    if (events == 0 && child.ended()) {
      // A process that another thread forked meanwhile may hold the pipe open.
      if (::poll(&ready, 1, 0) == 0) break;
    }
    if (events <= 0) continue;
    const ssize_t got = ::read(descriptor, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    answer.add(static_cast<std::size_t>(got));
    room = answer.room();
  }
  return answer;
}

std::string name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGABRT:
      return "abort";
    case SIGFPE:
      return "arithmetic error";
    case SIGILL:
      return "illegal instruction";
    default:
      return "signal " + std::to_string(signal);
  }
}

[[noreturn]] void throw_death(int status, const ChildLimits& limits) {
  if (!WIFSIGNALED(status)) {
    throw ChildDied("ended with exit code " + std::to_string(WEXITSTATUS(status)));
  }
  switch (WTERMSIG(status)) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
    case SIGQUIT:
      throw Stopped("interrupted");
    case SIGKILL:  // the system, when memory runs out
      throw std::bad_alloc();
    case SIGXCPU:
      throw ChildTimedOut("did not end within " + std::to_string(limits.seconds) +
                          " s of processor time");
    default:
      throw ChildDied("crashed (" + name_of(WTERMSIG(status)) + ")");
  }
}

}  // namespace

std::vector<char> in_child_process(const std::function<std::vector<char>()>& work,
                                   const ChildLimits& limits,
                                   const std::function<void()>& waiting) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  Descriptor from_child(ends[0]), to_parent(ends[1]);
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);  // fewer turns for large answers; refused is no loss

  const pid_t parent = ::getpid();
  pid_t id = -1;
  {
    const SignalsHeld held;
    id = ::fork();
    if (id == 0) {
      settle_child(parent, limits);
      const ThreadScope one_thread(1);  // a copy has no others
      send_answer(to_parent.number(), work);
    }
  }
  if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
  Child child(id);
  to_parent.close();
  Answer answer = receive(from_child.number(), child, waiting);
  const int status = child.wait();
  throw_if_stopped();
  std::optional<std::vector<char>> result = std::move(answer).open();
  if (status != 0 || !result) throw_death(status, limits);
  return std::move(*result);
}

}  // namespace rankine::meshes
