#include "rankine/meshes/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RANKINE_SHADOW_MEMORY
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RANKINE_SHADOW_MEMORY
#endif

namespace rankine::meshes {
namespace {

enum class Outcome : std::uint64_t {
  result = 1,
  mesh_error,
  input_error,
  device_error,
  stopped,
  error,
  out_of_memory,
  other
};

/// What a child sends first; `size` bytes follow.
struct Header {
  Outcome outcome;
  std::uint64_t size;
};

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

// In the child. It ends by _exit alone: handlers and destructors are this process's affair.

void write_all(int descriptor, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(EXIT_FAILURE);
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send(int descriptor, Outcome outcome, const char* data, std::size_t size) {
  const Header header{outcome, size};
  write_all(descriptor, &header, sizeof(header));
  write_all(descriptor, data, size);
}

void send(int descriptor, Outcome outcome, const std::exception& error) {
  send(descriptor, outcome, error.what(), std::strlen(error.what()));
}

/// Handlers of this process would act for it from within the child; what it ignores stays ignored.
void restore_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                           SIGABRT, SIGTRAP, SIGPIPE, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
      ::signal(signal, SIG_DFL);
    }
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

void silence() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

void lower(decltype(RLIMIT_AS) resource, std::size_t value) {
  struct rlimit limit {};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, value);
  ::setrlimit(resource, &limit);
}

/// The address space of this process, bytes; 0 where it cannot be told.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void set_limits(const ChildLimits& limits) {
  const struct rlimit no_core { 0, 0 };
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (limits.seconds > 0) lower(RLIMIT_CPU, limits.seconds);
#ifndef RANKINE_SHADOW_MEMORY  // which takes terabytes of address space
  const std::size_t now = address_space();
  if (limits.memory > 0 && now > 0) lower(RLIMIT_AS, now + limits.memory);
#endif
}

[[noreturn]] void answer(int descriptor, const std::function<std::vector<char>()>& work) {
  try {
    const std::vector<char> result = work();
    send(descriptor, Outcome::result, result.data(), result.size());
  } catch (const MeshError& error) {
    send(descriptor, Outcome::mesh_error, error);
  } catch (const InputError& error) {
    send(descriptor, Outcome::input_error, error);
  } catch (const DeviceError& error) {
    send(descriptor, Outcome::device_error, error);
  } catch (const Stopped& error) {
    send(descriptor, Outcome::stopped, error);
  } catch (const Error& error) {
    send(descriptor, Outcome::error, error);
  } catch (const std::bad_alloc& error) {
    send(descriptor, Outcome::out_of_memory, error);
  } catch (const std::length_error& error) {
    send(descriptor, Outcome::out_of_memory, error);
  } catch (const std::exception& error) {
    send(descriptor, Outcome::other, error);
  } catch (...) {
    send(descriptor, Outcome::other, std::runtime_error("unknown exception"));
  }
  ::_exit(EXIT_SUCCESS);
}

// In this process.

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
std::vector<char> receive(int descriptor, const Child& child) {
  constexpr int wait_ms = 20;
  constexpr std::size_t most_at_once = std::size_t{1} << 20;
  std::vector<char> bytes, part(most_at_once);
  while (true) {
    throw_if_stopped();
    struct pollfd ready {
      descriptor, POLLIN, 0
    };
    const int events = ::poll(&ready, 1, wait_ms);
    if (events == 0 && child.ended()) {
      // A process that another thread forked meanwhile may hold the pipe open.
      if (::poll(&ready, 1, 0) == 0) return bytes;
    }
    if (events <= 0) continue;
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return bytes;
    bytes.insert(bytes.end(), part.begin(), part.begin() + got);
  }
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
      throw ChildDied("did not end within " + std::to_string(limits.seconds) +
                      " s of processor time");
    default:
      throw ChildDied("crashed (" + name_of(WTERMSIG(status)) + ")");
  }
}

[[noreturn]] void throw_again(Outcome outcome, const std::string& text) {
  switch (outcome) {
    case Outcome::mesh_error:
      throw MeshError(text);
    case Outcome::input_error:
      throw InputError(text);
    case Outcome::device_error:
      throw DeviceError(text);
    case Outcome::stopped:
      throw Stopped(text);
    case Outcome::error:
      throw Error(text);
    case Outcome::out_of_memory:
      throw std::bad_alloc();
    default:
      throw std::runtime_error(text);
  }
}

}  // namespace

std::vector<char> in_child_process(const std::function<std::vector<char>()>& work,
                                   const ChildLimits& limits) {
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
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(EXIT_FAILURE);
      restore_signals();
      silence();
      set_limits(limits);
      omp_set_num_threads(1);  // the other threads of a team are not in the copy
      StopScope::current() = {};
      answer(to_parent.number(), work);
    }
  }
  if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
  Child child(id);
  to_parent.close();
  std::vector<char> bytes = receive(from_child.number(), child);
  const int status = child.wait();
  throw_if_stopped();

  Header header{};
  if (bytes.size() >= sizeof(header)) std::memcpy(&header, bytes.data(), sizeof(header));
  if (status != 0 || bytes.size() < sizeof(header) ||
      bytes.size() - sizeof(header) != header.size) {
    throw_death(status, limits);
  }
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(header));
  if (header.outcome == Outcome::result) return bytes;
  throw_again(header.outcome, {bytes.begin(), bytes.end()});
}

}  // namespace rankine::meshes
