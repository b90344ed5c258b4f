// A results directory belongs to one run, whole, whatever happens to the runs that write into it.
#include "cases/output/results_directory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "cases/output/commit.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::entries;
using testing::FolderTest;
using testing::message_of;
using testing::names_in;
using testing::read_text;
using testing::says;

namespace fs = std::filesystem;

using ResultsDirectoryTest = FolderTest;

/// The files of run `run`, each of which says whose it is. Odd runs have a probe, even ones another.
void write_run(ResultsDirectory& results, int run) {
  const std::string text = std::to_string(run);
  const std::string probe = run % 2 == 1 ? "odd.vti" : "even.vti";
  for (const std::string& name : {std::string("surface.vtp"), probe, std::string("view.py")})
    results.write_text(name, text);
  results.write_text(summary_name, R"({"run": )" + text + R"(, "files": ["surface.vtp", ")" +
                                       probe + R"(", "view.py", "summary.json"]})");
}

void run_whole(const fs::path& folder, int run) {
  ResultsDirectory results(folder);
  write_run(results, run);
  results.commit();
}

/// The run whose results these are, whole and alone; 0 where there is no summary.
int owner(const fs::path& folder) {
  const std::string summary = read_text(folder / summary_name);
  if (summary.empty()) return 0;
  const int run = std::stoi(summary.substr(summary.find(':') + 1));
  std::set<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) { return name.starts_with(staging_prefix); });
  EXPECT_EQ(names, (std::set<std::string>{"surface.vtp", run % 2 == 1 ? "odd.vti" : "even.vti",
                                          "view.py", summary_name}));
  names.erase(summary_name);
  for (const std::string& name : names) EXPECT_EQ(read_text(folder / name), std::to_string(run));
  return run;
}

TEST_F(ResultsDirectoryTest, ShowsNothingBeforeTheCommit) {
  const fs::path place = in_folder("a/b");
  ResultsDirectory results(place);
  write_run(results, 1);
  EXPECT_FALSE(fs::exists(place / "surface.vtp"));
  results.commit();
  EXPECT_EQ(owner(place), 1);
  EXPECT_EQ(entries(place), 4u);
}

TEST_F(ResultsDirectoryTest, ReplacesWhatAnEarlierRunLeftAndNothingElse) {
  run_whole(folder().path(), 1);
  folder().write("notes.txt", "mine");
  folder().write("picture.png", "mine");
  folder().write("checkpoint.bin", "of an interrupted run");
  run_whole(folder().path(), 2);
  EXPECT_EQ(names_in(folder().path()),
            (std::set<std::string>{"surface.vtp", "even.vti", "view.py", "summary.json",
                                   "notes.txt", "picture.png"}));
}

TEST_F(ResultsDirectoryTest, AFailureLeavesTheEarlierResults) {
  run_whole(folder().path(), 1);
  {
    ResultsDirectory results(folder().path());
    write_run(results, 2);
    EXPECT_THROW(results.write("half.vtp",
                               [](const fs::path& path) {
                                 std::ofstream(path) << "half";
                                 throw std::runtime_error("no");
                               }),
                 std::runtime_error);
    const testing::FileSizeLimit full(100);
    EXPECT_EQ(message_of<InputError>([&] {
                results.write_text("residuals.csv", std::string(1000, 'x'));
              }).find("cannot write " + (folder().path() / "residuals.csv").string()),
              0u);
  }
  EXPECT_EQ(owner(folder().path()), 1);
  EXPECT_EQ(entries(folder().path()), 4u);
}

TEST_F(ResultsDirectoryTest, WhatLiesBesideTheResultsAppearsAtOnce) {
  run_whole(folder().path(), 1);
  const auto write = [](const fs::path& path) { std::ofstream(path) << "iterate"; };
  {
    ResultsDirectory results(folder().path());
    results.write_beside("checkpoint.bin", write);
    EXPECT_EQ(read_text(in_folder("checkpoint.bin")), "iterate");
  }
  EXPECT_EQ(entries(folder().path()), 5u) << "an interrupted run leaves its checkpoint";
  run_whole(folder().path(), 2);
  EXPECT_EQ(owner(folder().path()), 2);
}

TEST_F(ResultsDirectoryTest, LeavesNoTraceWhereNothingWasWritten) {
  { const ResultsDirectory results(in_folder("a/b/")); }
  require_writable(in_folder("a/b"));
  EXPECT_EQ(entries(folder().path()), 0u);
}

TEST_F(ResultsDirectoryTest, TwoRunsAreKeptApart) {
  const ResultsDirectory first(folder().path());
  EXPECT_TRUE(says(message_of<InputError>([&] { const ResultsDirectory second(folder().path()); }),
                   "another run is writing there"));
  EXPECT_NO_THROW(require_writable(folder().path())) << "it can be written to";
  EXPECT_EQ(entries(folder().path()), 1u) << "the staging folder of the first";
}

TEST_F(ResultsDirectoryTest, RefusesAFileInItsPlace) {
  const fs::path file = folder().write("results", "");
  EXPECT_EQ(message_of<InputError>([&] { const ResultsDirectory results(file); }),
            file.string() + ": is a file, not a directory; choose another with --output DIR");
}

TEST_F(ResultsDirectoryTest, RefusesWhatCannotBeMade) {
  EXPECT_EQ(message_of<InputError>([&] {
              const ResultsDirectory results("/proc/rankine/results");
            }).find("/proc/rankine/results: the results directory cannot be made: "),
            0u);
}

TEST_F(ResultsDirectoryTest, RefusesAFolderInTheWayBeforeItTouchesAnything) {
  run_whole(folder().path(), 1);
  {
    ResultsDirectory results(folder().path());
    write_run(results, 2);
    fs::create_directory(in_folder("even.vti"));
    EXPECT_TRUE(says(message_of<InputError>([&] { results.commit(); }), "a folder has that name"));
  }
  fs::remove(in_folder("even.vti"));
  EXPECT_EQ(owner(folder().path()), 1);
}

// kill -9 at random moments of a process that does nothing but replace results: most hit a commit.
TEST_F(ResultsDirectoryTest, AKilledRunNeverMixesItsFilesWithAnothers) {
  std::mt19937 random(1);
  int begun = 0;
  for (int kill = 0; kill < 100; ++kill) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int run = 2 * kill + 1;; ++run) run_whole(folder().path(), run % 1000 + 1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + random() % 4000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    begun += owner(folder().path()) == 0 ? 1 : 0;
    // The next run carries out or removes what was left.
    { const ResultsDirectory next(folder().path()); }
    const std::set<std::string> names = names_in(folder().path());
    if (!names.empty()) {
      EXPECT_GT(owner(folder().path()), 0);
    }
    EXPECT_TRUE(names.empty() || names.size() == 4) << ::testing::PrintToString(names);
    if (HasFailure()) break;
  }
  EXPECT_GT(begun, 0) << "no kill hit a commit: the test shows nothing";
}

}  // namespace
}  // namespace rankine::cases
