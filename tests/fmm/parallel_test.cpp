// Loops on several threads: every iteration runs once, on the number of threads asked for, and
// exceptions reach the caller.
#include "rankine/fmm/core/parallel.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace rankine {
namespace {

/// Calls work() with this number of threads.
template <class Work>
auto on_threads(int threads, Work&& work) {
  return Execution{.threads = threads}.run(work);
}

TEST(Execution, AppliesToTheCallingThreadWhileItsWorkRuns) {
  const int before = thread_count();
  on_threads(1, [&] {
    EXPECT_EQ(thread_count(), 1);
    on_threads(3, [] {
      EXPECT_EQ(thread_count(), 3);
      on_threads(0, [] { EXPECT_EQ(thread_count(), 3) << "0: no change"; });
    });
    EXPECT_THROW(on_threads(2, [] { throw std::runtime_error("ends it"); }), std::runtime_error);
    EXPECT_EQ(thread_count(), 1);
    int elsewhere = 0;
    std::thread([&] { elsewhere = thread_count(); }).join();
    EXPECT_EQ(elsewhere, before) << "another thread is not affected";
  });
  EXPECT_EQ(thread_count(), before);
}

// Members are made before the body of a constructor, and go after that of the destructor.
TEST(Execution, AppliesToMembersOfWhatIsMadeInIt) {
  struct Member {
    int made_on = thread_count();
    int* gone_on;
    explicit Member(int* gone) : gone_on(gone) {}
    ~Member() { *gone_on = thread_count(); }
  };
  struct Owner {
    Member member;
  };
  int gone_on = 0;
  on_threads(7, [&] {
    const Owner owner{Member(&gone_on)};
    EXPECT_EQ(owner.member.made_on, 7);
  });
  EXPECT_EQ(gone_on, 7);
}

TEST(Parallel, LoopsRunOnTheThreadsAskedFor) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> parts(static_cast<std::size_t>(threads), 0);
    on_threads(threads, [&] {
      parallel_parts(100,
                     [&](const Part& part) { ++parts[static_cast<std::size_t>(part.thread)]; });
    });
    EXPECT_EQ(parts, std::vector<int>(static_cast<std::size_t>(threads), 1));
  }
}

TEST(Parallel, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto term = [](std::size_t i) { return 1.0 / (1.0 + static_cast<double>(i)); };
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{4097}, std::size_t{100'000}}) {
    long double exact = 0.0;
    for (std::size_t i = 0; i < n; ++i) exact += static_cast<long double>(term(i));
    std::vector<double> sums;
    for (const int threads : {1, 2, 5}) {
      sums.push_back(on_threads(threads, [&] { return parallel_sum(n, term); }));
    }
    EXPECT_EQ(sums[1], sums[0]);
    EXPECT_EQ(sums[2], sums[0]);
    EXPECT_NEAR(sums[0], static_cast<double>(exact), 1e-12);  // 12, rounded once a block's term
  }
}

// Even for a value that is not neutral the result does not depend on the number of threads.
TEST(Parallel, ReductionsHaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::size_t n : {std::size_t{10}, std::size_t{100'000}}) {
    std::vector<std::size_t> sums;
    for (const int threads : {1, 2, 5}) {
      sums.push_back(on_threads(threads, [n] {
        return parallel_reduce(
            n, std::size_t{1}, [](std::size_t i, std::size_t& value) { value = 3 * value + i; },
            [](std::size_t& all, std::size_t part) { all = 5 * all + part; });
      }));
    }
    EXPECT_EQ(sums[1], sums[0]);
    EXPECT_EQ(sums[2], sums[0]);
  }
}

// Several threads begin loops at once, each with its own team. Loops inside loops run on one
// thread.
TEST(Parallel, LoopsOfSeveralThreadsDoNotMeet) {
  std::vector<std::thread> callers;
  std::vector<std::size_t> sums(4, 0);
  for (std::size_t caller = 0; caller < sums.size(); ++caller) {
    const auto work = [&sums, caller] {
      for (int repeat = 0; repeat < 500; ++repeat) {
        std::vector<std::size_t> inner(7, 0);
        parallel_chunks(inner.size(), 1, [&](std::size_t i) {
          parallel_parts(10, [&](const Part& part) { inner[i] += part.end - part.begin; });
        });
        for (const std::size_t each : inner) sums[caller] += each;
      }
    };
    callers.emplace_back([caller, work] { on_threads(static_cast<int>(caller) + 1, work); });
  }
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(sums, std::vector<std::size_t>(4, std::size_t{500} * 70));
}

// Threads that wait must not use processor time after a loop.
TEST(Parallel, ThreadsThatWaitSleep) {
  on_threads(8, [] { parallel_for(8, [](std::size_t) {}); });
  const auto processor_seconds = [] {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(processor_seconds() - before, 0.05);
}

TEST(Parallel, EveryIterationRunsOnce) {
  const auto expect_once = [] {
    for (const std::size_t n : {0, 1, 3, 1000}) {
      std::vector<int> times(n, 0), chunk_times(n, 0);
      parallel_for(n, [&](std::size_t i) { ++times[i]; });
      parallel_chunks(n, 7, [&](std::size_t i) { ++chunk_times[i]; });
      EXPECT_EQ(times, std::vector<int>(n, 1));
      EXPECT_EQ(chunk_times, std::vector<int>(n, 1));
      const std::size_t sum = parallel_reduce(
          n, std::size_t{0}, [](std::size_t i, std::size_t& value) { value += i; },
          [](std::size_t& all, std::size_t part) { all += part; });
      EXPECT_EQ(sum, n * (n - std::min<std::size_t>(n, 1)) / 2);
    }
  };
  for (const int threads : {1, 2, 5}) on_threads(threads, expect_once);
}

TEST(Parallel, CarriesAnExceptionOut) {
  on_threads(4, [&] {
    const auto fail_at = [](std::size_t bad) {
      return [bad](std::size_t i) {
        if (i == bad) throw std::runtime_error("iteration " + std::to_string(i));
      };
    };
    for (const std::size_t bad : {0, 57, 99}) {
      EXPECT_THROW(parallel_for(100, fail_at(bad)), std::runtime_error);
      EXPECT_THROW(parallel_chunks(100, 3, fail_at(bad)), std::runtime_error);
    }
    EXPECT_NO_THROW(parallel_for(100, fail_at(100)));
  });
}

TEST(Parallel, CarriesLackOfMemoryOutOfEveryLoop) {
  on_threads(4, [&] {
    const auto no_memory = [](auto&&...) { throw std::bad_alloc(); };
    EXPECT_THROW(on_every_thread(no_memory), std::bad_alloc);
    EXPECT_THROW(parallel_parts(100, no_memory), std::bad_alloc);
    EXPECT_THROW(parallel_for(100, no_memory), std::bad_alloc);
    EXPECT_THROW(parallel_chunks(100, 7, no_memory), std::bad_alloc);
    EXPECT_THROW(parallel_reduce(100, 0, no_memory, [](int&, int) {}), std::bad_alloc);
    const auto no_workspace = []() -> int { throw std::bad_alloc(); };
    EXPECT_THROW(parallel_chunks(100, 7, no_workspace, [](std::size_t, int) {}), std::bad_alloc);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which end the process
    // A workspace that the allocator refuses.
    const auto too_large = [] { return std::vector<double>(std::size_t{1} << 58); };
    EXPECT_THROW(parallel_chunks(100, 7, too_large, [](std::size_t, std::vector<double>&) {}),
                 std::bad_alloc);
#endif
    EXPECT_NO_THROW(parallel_for(100, [](std::size_t) {})) << "and the next loop runs";
  });
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Runs a loop on more threads than memory permits; exits with 6 if that throws DeviceError.
[[noreturn]] void start_threads_without_memory() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  const rlim_t enough = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{64} << 20);
  const rlimit limit{enough, enough};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(1);
  try {
    on_threads(64, [] { parallel_for(1000, [](std::size_t) {}); });
  } catch (const DeviceError& error) {
    on_threads(1, [] { parallel_for(1000, [](std::size_t) {}); });
    std::fputs(error.what(), stderr);
    std::exit(6);
  }
  std::exit(0);
}

TEST(Parallel, SaysWhenThreadsCannotBeStarted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(start_threads_without_memory(), ::testing::ExitedWithCode(6),
              "of 64 threads could be started.*--threads");
}
#endif

TEST(Execution, EndsLoopsWhenAStopIsRequested) {
  std::stop_source source;
  const auto ask_at = [&](std::size_t when) {
    return [&source, when](std::size_t i) {
      if (i == when) source.request_stop();
    };
  };
  Execution{3, source.get_token()}.run([&] {
    EXPECT_NO_THROW(parallel_for(1 << 20, [](std::size_t) {}));
    EXPECT_THROW(parallel_for(1 << 20, ask_at(5)), Stopped);
    EXPECT_THROW(parallel_for(1, [](std::size_t) {}), Stopped) << "still asked to";
    EXPECT_THROW(throw_if_stopped(), Stopped);
    EXPECT_THROW(on_threads(1, [] { throw_if_stopped(); }), Stopped) << "no token: the outer one";
    EXPECT_NO_THROW(Execution::uninterrupted().run([] {
      EXPECT_EQ(thread_count(), 3);
      parallel_for(10, [](std::size_t) {});
    }));
    source = {};
    EXPECT_THROW(
        Execution{.stop = source.get_token()}.run([&] { parallel_chunks(1 << 16, 4, ask_at(5)); }),
        Stopped);
  });
  EXPECT_NO_THROW(parallel_for(10, [](std::size_t) {})) << "the execution has ended";
}

// The first of 1000 iterations is done when the second asks, so that 999 times the seconds until
// then are left; the loop inside must not count.
TEST(Execution, SaysHowLongItsLoopWillTake) {
  using namespace std::chrono_literals;
  LoopProgress progress;
  const auto before = LoopProgress::Clock::now();
  Execution{1, {}, &progress}.run([&] {
    parallel_chunks(1000, 1, [&](std::size_t i) {
      if (i != 1) return;
      parallel_chunks(5, 1, [](std::size_t) {});
      const auto after = LoopProgress::Clock::now();  // the loop began between `before` and this
      EXPECT_EQ(progress.seconds_left(before + 499ms), 0.0);
      EXPECT_GE(progress.seconds_left(after + 2s), 999.0 * 2.0);
      EXPECT_LE(progress.seconds_left(before + 2s), 999.0 * 2.0);
    });
  });
  EXPECT_EQ(progress.seconds_left(before + 2s), 0.0) << "no loop runs";
}

/// The child of a process that has a team has none of its threads.
TEST(Parallel, LoopsRunInTheChildOfAFork) {
  const auto sum = [] { return parallel_sum(1000, [](std::size_t i) { return double(i); }); };
  on_threads(3, [&] {
    const double of_parent = sum();
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);  // ends a child that waits for threads which do not exist
      ::_exit(thread_count() == 3 && sum() == of_parent ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_EQ(sum(), of_parent) << "the parent's team is whole";
  });
}

}  // namespace
}  // namespace rankine
