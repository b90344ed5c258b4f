// Signals of a process that is busy, stuck or saving.
#include "cases/signal_watch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>

#include "rankine/fmm/core/parallel.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::FolderTest;
using testing::read_text;

namespace fs = std::filesystem;

/// Background jobs and nohup ignore signals.
class SignalWatchTest : public FolderTest {
 protected:
  void SetUp() override {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  }
};

constexpr auto ready = "ready";

/// Far longer than anything here takes, so that a hung process fails the test.
void sleep_long() { std::this_thread::sleep_for(std::chrono::seconds(60)); }

/// How the process ended that did `work` and received `signals` one after the other as soon as it
/// was ready.
int exit_code_of(const fs::path& folder, const std::vector<int>& signals,
                 const std::function<void(SignalWatch&)>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    SignalWatch watch;
    watch.clean_up_with([&] { std::ofstream(folder / "cleaned"); });
    std::ofstream(folder / ready).close();
    work(watch);
    ::_exit(7);
  }
  while (!fs::exists(folder / ready)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const int signal : signals) {
    ::kill(child, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  fs::remove(folder / ready);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(SignalWatchTest, ABusyMainThreadStopsByItself) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const int code = exit_code_of(folder().path(), {signal}, [](SignalWatch& watch) {
      try {
        Execution{.stop = watch.token()}.run([] {
          parallel_chunks(1000000, 1, [](std::size_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          });
        });
      } catch (const Stopped&) {
        ::_exit(watch.requested() ? 5 : 6);
      }
    });
    EXPECT_EQ(code, 5) << "signal " << signal;
  }
  EXPECT_FALSE(fs::exists(in_folder("cleaned")));
}

TEST_F(SignalWatchTest, AStuckMainThreadIsEndedAndCleanedUpAfter) {
  EXPECT_EQ(exit_code_of(folder().path(), {SIGTERM}, [](SignalWatch&) { sleep_long(); }), 130);
  EXPECT_TRUE(fs::exists(in_folder("cleaned")));
}

TEST_F(SignalWatchTest, WhatSavesIsWaitedFor) {
  EXPECT_EQ(exit_code_of(folder().path(), {SIGTERM},
                         [](SignalWatch& watch) {
                           const SignalWatch::Hold hold(watch);
                           std::this_thread::sleep_for(std::chrono::milliseconds(2500));
                         }),
            7);
  EXPECT_EQ(exit_code_of(folder().path(), {SIGTERM, SIGINT},
                         [](SignalWatch& watch) {
                           const SignalWatch::Hold hold(watch);
                           sleep_long();
                         }),
            130)
      << "a second signal ends at once";
  EXPECT_TRUE(fs::exists(in_folder("cleaned")));
}

TEST_F(SignalWatchTest, KeepsWhatIsIgnored) {
  // nohup ignores SIGHUP.
  std::signal(SIGHUP, SIG_IGN);
  EXPECT_EQ(exit_code_of(
                folder().path(), {SIGHUP},
                [](SignalWatch&) { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }),
            7);
  std::signal(SIGHUP, SIG_DFL);
}

TEST_F(SignalWatchTest, GivesTheSignalsBack) {
  EXPECT_EQ(exit_code_of(folder().path(), {},
                         [](SignalWatch& watch) {
                           watch.~SignalWatch();
                           std::raise(SIGTERM);
                         }),
            -SIGTERM);
}

}  // namespace
}  // namespace rankine::cases
