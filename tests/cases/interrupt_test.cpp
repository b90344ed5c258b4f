// A solve that is asked to stop or killed, and disks that are full: what it leaves, and what the
// next one makes of it.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Names and contents.
std::set<std::pair<std::string, std::string>> files_in(const fs::path& folder) {
  std::set<std::pair<std::string, std::string>> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files.emplace(entry.path().filename().string(),
                  entry.is_regular_file() ? read_text(entry.path()) : "a folder");
  }
  return files;
}

/// A sphere in a stream of `speed`, by which its results are known, with a plane.
std::vector<std::string> sphere(int panels, const fs::path& results, int speed) {
  return set(with({"solve"}, small_sphere(panels, results.string())),
             {"problem.velocity=[" + std::to_string(speed) + ".0, 0.0, 0.0]",
              "output.probe=[{name=\"p" + std::to_string(speed) +
                  "\", kind=\"plane\", origin=[-2, -2, 0], size=[4, 4, 0], cells=[40, 40, 1]}]",
              "solver.tolerance=1e-9"});
}

/// The results of one run alone: files listed, files there, and what they say.
void expect_whole(const fs::path& folder, int speed) {
  const Json summary = Json::parse(read_text(folder / "summary.json"), nullptr, false);
  ASSERT_FALSE(summary.is_discarded());
  EXPECT_EQ(summary["problem"]["velocity"][0], speed);
  const std::set<std::string> names = names_in(folder);
  EXPECT_EQ(names, summary["files"].get<std::set<std::string>>());
  EXPECT_TRUE(names.contains("p" + std::to_string(speed) + ".vti"));
  EXPECT_TRUE(says(read_text(folder / "case.resolved.toml"), "[" + std::to_string(speed) + ".0,"));
}

TEST(Interrupt, LeavesACheckpointFromWhichTheSolveGoesOn) {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "results";
  ASSERT_EQ(run_program(sphere(320, results, 1)).exit_code, 0);
  const auto before = files_in(results);

  const Outcome stopped =
      run_program(sphere(40500, results, 2), {.signal = SIGINT, .when = "residual"});
  EXPECT_TRUE(ended(stopped, 130, "stopping: "));
  EXPECT_TRUE(says(stopped.err, "--resume"));
  auto after = files_in(results);
  EXPECT_EQ(std::erase_if(after, [](const auto& file) { return file.first == "checkpoint.bin"; }),
            1u);
  EXPECT_EQ(after, before) << "the results of the run before";

  const Outcome resumed = run_program(with(sphere(40500, results, 2), {"--resume", "--json", "-"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_LE(Json::parse(resumed.out)["solver"]["true_residual"].get<double>(), 1e-9);
  expect_whole(results, 2);  // without the checkpoint, which would mislead
}

TEST(Interrupt, IsObeyedInSetUpAndLeavesNothing) {
  const TemporaryFolder folder;
  for (const std::string phase : {"stream", "box", "near field"}) {
    const Outcome stopped = run_program(sphere(81920, folder.path() / "results", 2),
                                        {.signal = SIGTERM, .when = phase});
    EXPECT_TRUE(ended(stopped, 130, "before there was anything to save"));
    EXPECT_EQ(entries(folder.path()), 0u);
  }
}

TEST(Kill, LeavesOneRunsResultsOrNone) {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "results";
  int speed = 1;
  ASSERT_EQ(run_program(sphere(1280, results, speed)).exit_code, 0);
  for (const int delay : {0, 3, 6, 10}) {
    // Evaluation, writing and the exchange of the files follow the far field's line.
    run_program(
        sphere(1280, results, speed + 1),
        {.signal = SIGKILL, .when = "far field  ", .delay = std::chrono::milliseconds(delay)});
    const std::string summary = read_text(results / "summary.json");
    if (!summary.empty()) {
      const Json written = Json::parse(summary);
      const int owner = written["problem"]["velocity"][0];
      for (const auto& name : written["files"])
        EXPECT_TRUE(fs::exists(results / name.get<std::string>())) << name << " of run " << owner;
      EXPECT_FALSE(fs::exists(results /
                              ("p" + std::to_string(owner == speed ? speed + 1 : speed) + ".vti")));
    }
    speed += 2;
    ASSERT_EQ(run_program(sphere(1280, results, speed)).exit_code, 0);
    expect_whole(results, speed);
  }
}

TEST(FullDisk, LeavesTheEarlierResultsAndSaysSo) {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "results", fresh = folder.path() / "new";
  ASSERT_EQ(run_program(sphere(1280, results, 1)).exit_code, 0);
  const auto before = files_in(results);
  const auto but_checkpoint = [](const fs::path& place) {
    auto files = files_in(place);
    std::erase_if(files, [](const auto& file) { return file.first == "checkpoint.bin"; });
    return files;
  };
  for (const rlim_t room : {0, 1000, 11000, 30000}) {
    const Outcome outcome = run_program(sphere(1280, results, 2), {.file_size = room});
    EXPECT_EQ(outcome.exit_code, 2) << room << "\n" << outcome.err;
    EXPECT_FALSE(says(outcome.err, "vtk"));
    EXPECT_TRUE(but_checkpoint(results) == before) << "with room for " << room;
  }
  const Outcome outcome = run_program(sphere(1280, fresh, 2), {.file_size = 11000});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_TRUE(but_checkpoint(fresh).empty());
  EXPECT_TRUE(says(outcome.err, "/new/surface.vtp: File too large"));
  EXPECT_TRUE(says(outcome.err, "--resume")) << "a checkpoint had room";
}

TEST(Memory, ExhaustedExitsWithSixAndSaysWhatAskedForIt) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers take addresses of their own";
#endif
  const TemporaryFolder folder;
  const Outcome outcome = run_program(with(sphere(320, folder.path() / "results", 1),
                                           {"--threads", "1", "--set",
                                            "output.probe=[{name='b', kind='box', origin=[2, 0, "
                                            "0], size=[1, 1, 1], cells=[300, 300, 300]}]"}),
                                      {.memory = rlim_t{1} << 30});
  EXPECT_TRUE(ended(outcome, 6, "out of memory (points off walls: "));
  EXPECT_TRUE(says(outcome.err, "asked for"));
  EXPECT_TRUE(says(outcome.err, "--resume"));
}

TEST(Memory, ExhaustedByAnyVerbExitsWithSix) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers take addresses of their own";
#endif
  const Outcome outcome =
      run_program({"bench", "--n", "1e9", "--backend", "cpu"}, {.memory = rlim_t{1} << 30});
  EXPECT_TRUE(ended(outcome, 6, "out of memory (bench: 24 GB asked for)"));
}

// Counted, not made: 10^9 points alone would take 24 GB.
TEST(Memory, ProbesThatDoNotFitAreRefusedBeforeTheyAreMade) {
  const TemporaryFolder folder;
  Surroundings small;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  small.memory = rlim_t{4} << 30;
#endif
  for (const char* verb : {"check", "solve"}) {
    std::vector<std::string> arguments = sphere(320, folder.path() / "results", 1);
    arguments[0] = "solve";
    if (verb == std::string("check")) arguments.emplace_back("--dry-run");
    const Outcome outcome =
        run_program(with(arguments, {"--set",
                                     "output.probe=[{name='b', kind='box', origin=[2, 0, 0], "
                                     "size=[1, 1, 1], cells=[1200, 1200, 1200]}]",
                                     "--backend", "cpu"}),
                    small);
    EXPECT_TRUE(ended(outcome, 6, "the evaluation at 1 732 323 601 probe points needs about"));
    EXPECT_FALSE(says(outcome.out, "can be solved"));
    EXPECT_EQ(entries(folder.path()), 0u);
  }
}

}  // namespace
}  // namespace rankine::cases
