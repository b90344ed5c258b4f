#include "rankine/meshes/files/child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/files/child_service.hpp"

namespace rankine::meshes {
namespace {

[[noreturn]] void throw_system_error(int error, const char* call) {
  throw std::system_error(error, std::generic_category(), call);
}

/// An owned file descriptor, numbered above those passed to the child.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number_ < 0) throw_system_error(errno, "open");
    if (number_ > answer_descriptor) return;
    const int higher = ::fcntl(number_, F_DUPFD_CLOEXEC, answer_descriptor + 1);
    const int error = errno;
    ::close(std::exchange(number_, higher));
    if (higher < 0) throw_system_error(error, "dup");
  }
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// An in-memory file with the request.
Descriptor request_file(std::span<const char> request) {
  Descriptor file(::memfd_create("request", MFD_CLOEXEC));
  for (std::size_t at = 0; at < request.size();) {
    const ssize_t written = ::write(file.number(), request.data() + at, request.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_system_error(errno, "write");
    at += static_cast<std::size_t>(written);
  }
  return file;
}

/// A child process; killed if it is not waited for.
class Child {
 public:
  Child(const std::filesystem::path& program, const ChildLimits& limits, const Descriptor& request,
        const Descriptor& answer) {
    std::string name = program.string(), parent = std::to_string(::getpid()),
                memory = std::to_string(limits.memory), seconds = std::to_string(limits.seconds);
    const std::array<char*, 5> arguments{name.data(), parent.data(), memory.data(), seconds.data(),
                                         nullptr};
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, request.number(), STDIN_FILENO);
    for (const int silent : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files, silent, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, answer.number(), answer_descriptor);
    ::posix_spawn_file_actions_addclosefrom_np(&files, answer_descriptor + 1);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error =
        ::posix_spawn(&id_, name.c_str(), &files, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw_system_error(error, "posix_spawn");
  }
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
  /// The status from waitpid; 0 if other code has already reaped the child.
  int wait() {
    int status = 0;
    const pid_t id = std::exchange(id_, -1);
    while (::waitpid(id, &status, 0) < 0) {
      if (errno != EINTR) return 0;
    }
    return status;
  }

 private:
  pid_t id_ = -1;
};

struct Message {
  MessageKind kind;
  std::vector<char> bytes;
};

/// Reads the messages of a child in order.
class Messages {
 public:
  Messages(const Descriptor& pipe, const Child& child, const OnProgress& on_progress)
      : pipe_(pipe), child_(child), on_progress_(on_progress) {}

  /// The next message that is not progress; none if the child ended before it was complete.
  std::optional<Message> next() {
    MessageHeader header{};
    while (read(reinterpret_cast<char*>(&header), sizeof(header))) {
      Message message{header.kind, {}};
      // The size from the child is not trusted: the buffer grows as bytes arrive.
      constexpr std::size_t most_at_once = std::size_t{1} << 26;
      while (message.bytes.size() < header.size) {
        const std::size_t before = message.bytes.size();
        message.bytes.resize(before + std::min<std::size_t>(header.size - before, most_at_once));
        if (!read(message.bytes.data() + before, message.bytes.size() - before)) return {};
      }
      if (header.kind != MessageKind::progress) return message;
      progress_ = std::move(message.bytes);
      if (on_progress_) on_progress_(progress_);
    }
    return {};
  }

 private:
  bool read(char* to, std::size_t size) {
    constexpr int wait_ms = 20;
    while (size > 0) {
      throw_if_stopped();
      pollfd ready{.fd = pipe_.number(), .events = POLLIN, .revents = 0};
      const int events = ::poll(&ready, 1, wait_ms);
      if (events == 0 && on_progress_) on_progress_(progress_);
      // A process started by another thread in the meantime may keep the pipe open.
      if (events == 0 && child_.ended() && ::poll(&ready, 1, 0) == 0) return false;
      if (events <= 0) continue;
      const ssize_t got = ::read(pipe_.number(), to, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      to += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

  const Descriptor& pipe_;
  const Child& child_;
  const OnProgress& on_progress_;
  std::vector<char> progress_;
};

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
    case SIGKILL:  // by the system when memory runs out
      throw std::bad_alloc();
    case SIGXCPU:
      throw ChildTimedOut("did not end within " + std::to_string(limits.seconds) +
                          " s of processor time");
    default:
      throw ChildDied("crashed (" + name_of(WTERMSIG(status)) + ")");
  }
}

[[noreturn]] void throw_again(const Message& message) {
  const std::string text(message.bytes.begin(), message.bytes.end());
  switch (message.kind) {
    case MessageKind::mesh_error:
      throw MeshError(text);
    case MessageKind::input_error:
      throw InputError(text);
    case MessageKind::error:
      throw Error(text);
    case MessageKind::out_of_memory:
      throw std::bad_alloc();
    default:
      throw std::runtime_error(text);
  }
}

}  // namespace

std::vector<char> run_child(const std::filesystem::path& program, std::span<const char> request,
                            const ChildLimits& limits, const OnProgress& on_progress) {
  const Descriptor question = request_file(request);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error(errno, "pipe");
  const Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);
  // A larger pipe needs fewer reads for large answers; failure is harmless.
  ::fcntl(to_parent.number(), F_SETPIPE_SZ, 1 << 20);
  Child child(program, limits, question, to_parent);
  to_parent.close();
  std::optional<Message> answer = Messages(from_child, child, on_progress).next();
  const int status = child.wait();
  throw_if_stopped();
  if (answer && answer->kind != MessageKind::result) throw_again(*answer);
  if (status != 0 || !answer) throw_death(status, limits);
  return std::move(answer->bytes);
}

}  // namespace rankine::meshes
