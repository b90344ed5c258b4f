// Work in a child process: what it returns and throws, how it may die, and that it can be stopped.
#include "rankine/meshes/files/child_process.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::meshes {
namespace {

using testing::message_of;
using testing::says;

std::vector<char> nothing() { return {}; }

std::vector<char> sleep_for_ever() {
  while (true) ::pause();
}

/// What a child that does `work` says of its death.
std::string death(const std::function<void()>& work, const ChildLimits& limits = {}) {
  return message_of<ChildDied>([&] {
    in_child_process(
        [&] {
          work();
          return nothing();
        },
        limits);
  });
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) == 0; }

/// A number that a child writes and this process reads.
struct SharedNumber {
  SharedNumber()
      : value(static_cast<std::atomic<int>*>(::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedNumber() { ::munmap(value, sizeof(int)); }
  std::atomic<int>* value;
};

TEST(ChildProcess, ReturnsWhatTheWorkReturns) {
  EXPECT_TRUE(in_child_process(nothing).empty());
  std::vector<char> large(10'000'019);
  for (std::size_t k = 0; k < large.size(); ++k) large[k] = static_cast<char>(k * k >> 3);
  EXPECT_EQ(in_child_process([&] { return large; }), large);
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, WorksOnACopy) {
  int value = 1;
  in_child_process([&] {
    value = 2;
    return nothing();
  });
  EXPECT_EQ(value, 1);
}

template <class Thrown, class Expected = Thrown>
void expect_carried(const Thrown& error) {
  const auto call = [&] { in_child_process([&]() -> std::vector<char> { throw error; }); };
  EXPECT_EQ(message_of<Expected>(call), error.what());
}

TEST(ChildProcess, ThrowsWhatTheWorkThrows) {
  expect_carried(MeshError("a mesh"));
  expect_carried(InputError("an input"));
  expect_carried(DeviceError("a device"));
  expect_carried(Stopped("stopped"));
  expect_carried(Error("any"));
  expect_carried(std::bad_alloc());
  expect_carried<std::logic_error, std::runtime_error>(std::logic_error("a mistake"));
  const auto too_long = [] {
    in_child_process([]() -> std::vector<char> { throw std::length_error("too long"); });
  };
  EXPECT_THROW(too_long(), std::bad_alloc);
  const auto odd = [] { in_child_process([]() -> std::vector<char> { throw 7; }); };
  EXPECT_THROW(odd(), std::runtime_error);
}

TEST(ChildProcess, DeathIsAnException) {
  EXPECT_EQ(death([] { std::raise(SIGSEGV); }), "crashed (segmentation fault)");
  EXPECT_EQ(death([] { std::abort(); }), "crashed (abort)");
  EXPECT_EQ(death([] { ::_exit(7); }), "ended with exit code 7");
  EXPECT_EQ(death([] { ::_exit(0); }), "ended with exit code 0");
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, KilledIsTakenForLackOfMemory) {
  const auto killed = [] {
    in_child_process([] {
      std::raise(SIGKILL);
      return nothing();
    });
  };
  EXPECT_THROW(killed(), std::bad_alloc);
}

/// An interrupt goes to every process of the terminal.
TEST(ChildProcess, InterruptedIsStopped) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto before = std::signal(signal, [](int) {});
    const auto interrupted = [&] {
      in_child_process([&] {
        std::raise(signal);
        return sleep_for_ever();
      });
    };
    EXPECT_THROW(interrupted(), Stopped);
    std::signal(signal, before);
  }
}

TEST(ChildProcess, ProcessorTimeIsLimited) {
  const auto spin = [] {
    for (volatile bool on = true; on;) {
    }
  };
  EXPECT_EQ(death(spin, {.seconds = 1}), "did not end within 1 s of processor time");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ChildProcess, MemoryIsLimited) {
  const auto large = [] {
    in_child_process([] { return std::vector<char>(std::size_t{1} << 28); },
                     {.memory = std::size_t{1} << 27});
  };
  EXPECT_THROW(large(), std::bad_alloc);
}
#endif

TEST(ChildProcess, IsKilledWhenAskedToStop) {
  const SharedNumber child;
  std::stop_source source;
  std::thread asker([&] {
    while (*child.value == 0) std::this_thread::yield();
    source.request_stop();
  });
  const auto stopped = [&] {
    const StopScope scope(source.get_token());
    in_child_process([&] {
      *child.value = ::getpid();
      return sleep_for_ever();
    });
  };
  EXPECT_THROW(stopped(), Stopped);
  asker.join();
  EXPECT_EQ(::kill(*child.value, 0), -1) << "the child is gone";
  EXPECT_EQ(errno, ESRCH);
}

/// The process that waits is killed: its child, which nobody would wait for, ends too.
TEST(ChildProcess, EndsWithItsParent) {
  const SharedNumber grandchild;
  const pid_t parent = ::fork();
  if (parent == 0) {
    in_child_process([&] {
      *grandchild.value = ::getpid();
      return sleep_for_ever();
    });
  }
  while (*grandchild.value == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  // Ended, though perhaps still a zombie of whoever inherits it.
  const auto alive = [&] {
    const std::string status = "/proc/" + std::to_string(*grandchild.value) + "/stat";
    std::FILE* const file = std::fopen(status.c_str(), "r");
    if (file == nullptr) return false;
    char state = 'Z';
    const int found = std::fscanf(file, "%*d (%*[^)]) %c", &state);
    std::fclose(file);
    return found == 1 && state != 'Z';
  };
  for (int wait = 0; wait < 5000 && alive(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(alive());
}

/// Loops of the child run on its one thread, whatever threads this process has had.
TEST(ChildProcess, LoopsRunInIt) {
  const ThreadScope threads(4);
  std::vector<char> values(100'000);
  const auto fill = [&] {
    parallel_for(values.size(), [&](std::size_t i) { values[i] = static_cast<char>(i); });
    return values;
  };
  const std::vector<char> expected = fill();
  EXPECT_EQ(in_child_process(fill), expected);
  EXPECT_EQ(thread_count(), 4);
}

TEST(ChildProcess, SeveralThreadsAtOnce) {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (char name = 0; name < 4; ++name) {
    threads.emplace_back([&right, name] {
      for (int turn = 0; turn < 5; ++turn) {
        right += in_child_process([&] { return std::vector<char>(100'000, name); }) ==
                 std::vector<char>(100'000, name);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
}

/// Some programs let the system collect their children.
TEST(ChildProcess, NeedsNoStatus) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(in_child_process([] { return std::vector<char>(3, 'x'); }), std::vector<char>(3, 'x'));
  EXPECT_THROW(in_child_process([]() -> std::vector<char> { ::_exit(1); }), ChildDied);
  std::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace rankine::meshes
