// Standard output and error that are full, closed or read no more.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;

TEST(StandardError, MayBeFullOrClosed) {
  for (const std::string err : {"/dev/full", "-"}) {
    const TemporaryFolder folder;
    const std::string results = (folder.path() / "results").string();
    const Outcome solved = run_program(with({"solve"}, small_sphere(320, results)), {.err = err});
    EXPECT_EQ(solved.exit_code, 0);
    EXPECT_EQ(entries(results), 5u);
    EXPECT_EQ(run_program({"solve", "/nowhere/case.toml"}, {.err = err}).exit_code, 2);
  }
}

TEST(StandardOutput, ThatIsFullOrClosedIsAnErrorWhereAResultWasAskedFor) {
  const TemporaryFolder folder;
  const std::vector<std::string> solve =
      with({"solve"}, small_sphere(320, (folder.path() / "results").string()));
  const auto expect_error = [](const std::vector<std::string>& arguments, const std::string& out) {
    const Outcome outcome = run_program(arguments, {.out = out});
    EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_TRUE(says(outcome.err, "cannot be written to standard output"));
  };
  for (const std::string out : {"/dev/full", "-"}) {
    EXPECT_EQ(run_program(solve, {.out = out}).exit_code, 0) << "nothing to print";
    expect_error(with(solve, {"--json", "-"}), out);
  }
  expect_error(with(solve, {"--dry-run"}), "/dev/full");
  expect_error({"info", "--json", "-"}, "/dev/full");
  expect_error({"bench", "--n", "1000", "--repeat", "1", "--backend", "cpu"}, "/dev/full");
  expect_error({"--help"}, "/dev/full");
}

// A file of ours must not get the number of a stream that is closed: its text would land there.
TEST(StandardStreams, ThatAreClosedReceiveNoFile) {
  const TemporaryFolder folder;
  const fs::path file = octahedron_case(folder);
  const std::vector<std::string> solve{"solve", file.string(), "--output",
                                       (folder.path() / "a").string()};
  ASSERT_EQ(run_program(solve).exit_code, 0);
  ASSERT_EQ(run_program({"solve", file.string(), "--output", (folder.path() / "b").string()},
                        {.out = "-", .err = "-"})
                .exit_code,
            0);
  for (const char* name : {"surface.vtp", "residuals.csv", "case.resolved.toml", "view.py"})
    EXPECT_EQ(read_text(folder.path() / "b" / name), read_text(folder.path() / "a" / name));
}

// head(1) closes its end of the pipe.
TEST(StandardOutput, ThatNobodyReadsEndsTheProgramQuietly) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] { std::ifstream(pipe).close(); });
  const Outcome outcome = run_program({"info"}, {.out = pipe.string()});
  reader.join();
  EXPECT_EQ(outcome.exit_code, 128 + SIGPIPE) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

TEST(StandardError, ThatNobodyReadsDoesNotEndASolve) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe", results = folder.path() / "results";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] { std::ifstream(pipe).close(); });
  const Outcome outcome =
      run_program(with({"solve"}, small_sphere(320, results.string())), {.err = pipe.string()});
  reader.join();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(entries(results), 5u);
}

/// A pipe is read once; its paths are relative to the working directory.
TEST(CaseFromAPipe, IsSolvedAsTheFile) {
  const TemporaryFolder folder;
  const std::string text = read_text(octahedron_case(folder));
  const fs::path pipe = folder.path() / "pipe", before = fs::current_path();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::current_path(folder.path());
  const auto run_piped = [&](const std::vector<std::string>& arguments) {
    std::thread writer([&] { std::ofstream(pipe) << text; });
    const Outcome outcome = run_program(arguments);
    writer.join();
    return outcome;
  };
  const Outcome dry = run_piped({"solve", "pipe", "--dry-run"}),
                checked = run_piped({"check", "pipe"}), solved = run_piped({"solve", "pipe"}),
                file = run_program({"solve", "case.toml", "--output", "from_file"});
  fs::current_path(before);
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  ASSERT_EQ(file.exit_code, 0) << file.err;
  const auto summary = [&](const char* results) {
    return nlohmann::json::parse(read_text(folder.path() / results / "summary.json"));
  };
  EXPECT_EQ(summary("results")["case"]["sha256"], summary("from_file")["case"]["sha256"]);
  EXPECT_EQ(summary("results")["results"], summary("from_file")["results"]);
}

}  // namespace
}  // namespace rankine::cases
