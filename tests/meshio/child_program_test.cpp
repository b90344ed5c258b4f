// A child program: what it returns and throws, how it may die, and that it can be stopped.
#include "rankine/meshes/files/child_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using testing::message_of;

/// The answer of test_child to "WORD" or "WORD NUMBER".
std::string ask(const std::string& request, const ChildLimits& limits = {},
                const OnProgress& on_progress = {}) {
  const std::vector<char> answer = run_child(RANKINE_TEST_CHILD, request, limits, on_progress);
  return {answer.begin(), answer.end()};
}

template <class Thrown>
std::string message(const std::string& request, const ChildLimits& limits = {}) {
  return message_of<Thrown>([&] { ask(request, limits); });
}

std::string raise(int signal) { return "raise " + std::to_string(signal); }

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) == 0; }

TEST(ChildProgram, ReturnsWhatTheWorkReturns) {
  EXPECT_EQ(ask("allocate 0"), "");
  std::string large = "echo ";
  for (std::size_t k = 0; k < 10'000'019; ++k) large += static_cast<char>(k * k >> 3);
  EXPECT_EQ(ask(large), large);
  EXPECT_FALSE(has_children());
}

TEST(ChildProgram, ThrowsWhatTheWorkThrows) {
  EXPECT_EQ(message<MeshError>("mesh"), "a mesh");
  EXPECT_EQ(message<InputError>("input"), "an input");
  EXPECT_EQ(message<Error>("error"), "any");
  EXPECT_EQ(message<std::runtime_error>("mistake"), "a mistake");
  EXPECT_THROW(ask("memory"), std::bad_alloc);
  EXPECT_THROW(ask("length"), std::bad_alloc);
  EXPECT_THROW(ask("odd"), std::runtime_error);
}

TEST(ChildProgram, DeathIsAnException) {
  EXPECT_EQ(message<ChildDied>(raise(SIGSEGV)), "crashed (segmentation fault)");
  EXPECT_EQ(message<ChildDied>(raise(SIGABRT)), "crashed (abort)");
  EXPECT_EQ(message<ChildDied>("exit 7"), "ended with exit code 7");
  EXPECT_EQ(message<ChildDied>("exit 0"), "ended with exit code 0");
  EXPECT_FALSE(has_children());
}

TEST(ChildProgram, KilledIsTakenForLackOfMemory) {
  EXPECT_THROW(ask(raise(SIGKILL)), std::bad_alloc);
}

/// An interrupt goes to every process of the terminal; handlers of this process do not matter.
TEST(ChildProgram, InterruptedIsStopped) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto before = std::signal(signal, [](int) {});
    EXPECT_THROW(ask(raise(signal)), Stopped);
    std::signal(signal, before);
  }
}

TEST(ChildProgram, ProcessorTimeIsLimited) {
  EXPECT_EQ(message<ChildTimedOut>("spin", {.seconds = 1}),
            "did not end within 1 s of processor time");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ChildProgram, MemoryIsLimited) {
  const ChildLimits limits{.memory = std::size_t{1} << 27};
  EXPECT_THROW(ask("allocate 268435456", limits), std::bad_alloc);
  EXPECT_EQ(ask("allocate 10000000", limits).size(), 10'000'000u);
}
#endif

/// Locks and results that are being written stay with this process.
TEST(ChildProgram, HasNoOpenFileOfItsParent) {
  const testing::TemporaryFolder folder;
  const int file = ::open(folder.write("a", "").c_str(), O_RDWR);
  EXPECT_EQ(ask("files"), std::string("\0\1\2\3", 4));
  ::close(file);
}

TEST(ChildProgram, SendsProgressAndIsKilledWhenAskedToStop) {
  std::stop_source source;
  pid_t child = 0;
  int calls = 0;
  const auto stopped = [&] {
    Execution{.stop = source.get_token()}.run([&] {
      ask("sleep", {}, [&](std::span<const char> progress) {
        if (!progress.empty()) child = std::stoi(std::string(progress.begin(), progress.end()));
        if (child != 0 && ++calls == 3) source.request_stop();
      });
    });
  };
  EXPECT_THROW(stopped(), Stopped);
  EXPECT_EQ(calls, 3) << "not called while it waits";
  ASSERT_GT(child, 0);
  EXPECT_EQ(::kill(child, 0), -1) << "the child is still there";
  EXPECT_EQ(errno, ESRCH);
}

/// The state of a process, Z where it has ended.
char state_of(const std::string& id) {
  std::ifstream file("/proc/" + id + "/stat");
  std::string number, name;
  char state = 'Z';
  file >> number >> name >> state;
  return file ? state : 'Z';
}

/// The process that waits is killed: its child, which nobody would wait for, ends too.
TEST(ChildProgram, EndsWithItsParent) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path id = folder.path() / "id";
  const pid_t parent = ::fork();
  if (parent == 0) {
    ask("sleep", {}, [&](std::span<const char> progress) {
      if (progress.empty() || std::filesystem::exists(id)) return;
      std::ofstream(folder.path() / "new").write(progress.data(), std::ssize(progress));
      std::filesystem::rename(folder.path() / "new", id);
    });
  }
  while (!std::filesystem::exists(id)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  const std::string child = testing::read_text(id);
  for (int wait = 0; wait < 5000 && state_of(child) != 'Z'; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(state_of(child), 'Z');
}

TEST(ChildProgram, SeveralThreadsAtOnce) {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (char name = 'a'; name < 'e'; ++name) {
    threads.emplace_back([&right, name] {
      const std::string text = "echo " + std::string(100'000, name);
      for (int turn = 0; turn < 5; ++turn) right += ask(text) == text;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
}

/// What a confined program may not do fails with EPERM; what it may finds no file.
TEST(ConfinedProgram, CanDoNoMoreThanItNeeds) {
  const std::string allowed = "read " + std::to_string(ENOENT) + "\nthread 0\n",
                    found = ask("confined 0");
  if (found.empty()) GTEST_SKIP() << "this system has no filter of calls";
  const auto lines = [](const std::vector<std::string>& names, int error) {
    std::string all;
    for (const std::string& name : names) all += name + " " + std::to_string(error) + "\n";
    return all;
  };
  const std::string never = lines({"run", "fork", "socket", "signal", "trace"}, EPERM);
  const std::vector<std::string> changes{"write",  "both", "create", "truncate", "remove",
                                         "rename", "link", "folder", "mode",     "owner"};
  EXPECT_EQ(found, allowed + never + lines(changes, EPERM));
  EXPECT_EQ(ask("confined 1"), allowed + never + lines(changes, ENOENT));
}

/// Some programs let the system collect their children.
TEST(ChildProgram, NeedsNoStatus) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(ask("echo x"), "echo x");
  EXPECT_THROW(ask("exit 1"), ChildDied);
  std::signal(SIGCHLD, before);
}

TEST(ChildProgram, ThatCannotBeStartedIsASystemError) {
  EXPECT_THROW(run_child("/nowhere/child", {}), std::system_error);
}

}  // namespace
}  // namespace rankine::meshes
