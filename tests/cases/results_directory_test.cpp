// A results directory belongs to one run, whole, whatever happens to the runs that write into it.
#include "cases/output/results_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cases/output/checkpoint.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/folder_events.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
namespace fs = std::filesystem;

using ResultsDirectoryTest = FolderTest;

const RunFiles declared{.names = {"surface.vtp", "odd.vti", "even.vti", "view.py"}},
    forced{.names = declared.names, .force = true};

/// What a solve leaves when it is interrupted.
const std::string iterate = "rankine-checkpoint 2\n";

/// The files of run `run`, each of which says whose it is. Odd runs have a probe, even ones
/// another.
void write_run(ResultsDirectory& results, int run) {
  const std::string text = std::to_string(run);
  const std::string probe = run % 2 == 1 ? "odd.vti" : "even.vti";
  for (const std::string& name : {std::string("surface.vtp"), probe, std::string("view.py")})
    results.write_text(name, text);
  results.write_text(summary_name, R"({"run": )" + text + R"(, "files": ["surface.vtp", ")" +
                                       probe + R"(", "view.py", "summary.json"]})");
}

void run_whole(const fs::path& folder, int run, const RunFiles& files = declared) {
  ResultsDirectory results(folder, files);
  write_run(results, run);
  results.commit();
}

/// The run whose results these are, whole and alone; 0 where there is no summary.
int owner(const fs::path& folder) {
  const std::string summary = read_text(folder / summary_name);
  if (summary.empty()) return 0;
  const int run = std::stoi(summary.substr(summary.find(':') + 1));
  std::set<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) {
    return name.starts_with(staging_prefix) || name == unfinished_name || name == checkpoint_name;
  });
  EXPECT_EQ(names, (std::set<std::string>{"surface.vtp", run % 2 == 1 ? "odd.vti" : "even.vti",
                                          "view.py", summary_name}));
  names.erase(summary_name);
  for (const std::string& name : names) EXPECT_EQ(read_text(folder / name), std::to_string(run));
  return run;
}

/// The folder holds the results of this run and nothing else.
void expect_alone(const fs::path& folder, int run) {
  EXPECT_EQ(owner(folder), run);
  EXPECT_EQ(entries(folder), 4u);
}

TEST_F(ResultsDirectoryTest, ShowsNothingBeforeTheCommit) {
  const fs::path place = in_folder("a/b");
  {
    ResultsDirectory results(place, declared);
    write_run(results, 1);
    EXPECT_FALSE(fs::exists(place / "surface.vtp"));
    results.commit();
  }
  expect_alone(place, 1);
}

TEST_F(ResultsDirectoryTest, ReplacesWhatAnEarlierRunLeftAndNothingElse) {
  run_whole(folder().path(), 1);
  folder().write("notes.txt", "mine");
  folder().write("picture.png", "mine");
  folder().write("checkpoint.bin", iterate);
  run_whole(folder().path(), 2);
  EXPECT_EQ(names_in(folder().path()),
            (std::set<std::string>{"surface.vtp", "even.vti", "view.py", "summary.json",
                                   "checkpoint.bin", "notes.txt", "picture.png"}));
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
  expect_alone(folder().path(), 1);
}

TEST_F(ResultsDirectoryTest, ACheckpointIsInPlaceAtOnceAndStaysUntilItIsRemoved) {
  run_whole(folder().path(), 1);
  {
    ResultsDirectory results(folder().path());
    results.write_beside("checkpoint.bin",
                         [&](const fs::path& path) { std::ofstream(path) << iterate; });
    EXPECT_EQ(read_text(in_folder("checkpoint.bin")), iterate);
  }
  EXPECT_EQ(entries(folder().path()), 5u) << "an interrupted run leaves its checkpoint";
  run_whole(folder().path(), 2);
  EXPECT_EQ(entries(folder().path()), 5u) << "a solve that did not converge goes on from there";
  ResultsDirectory(folder().path(), declared).remove_checkpoint();
  expect_alone(folder().path(), 2);
}

TEST_F(ResultsDirectoryTest, LeavesNoTraceWhereNothingWasWritten) {
  { const ResultsDirectory results(in_folder("a/b/")); }
  require_writable(in_folder("a/b"), declared);
  EXPECT_EQ(entries(folder().path()), 0u);
}

TEST_F(ResultsDirectoryTest, TwoRunsAreKeptApart) {
  const ResultsDirectory first(folder().path());
  EXPECT_TRUE(says(message_of<InputError>([&] { const ResultsDirectory second(folder().path()); }),
                   "another run is writing there"));
  EXPECT_NO_THROW(require_writable(folder().path(), declared)) << "it can be written to";
  EXPECT_EQ(entries(folder().path()), 1u) << "the staging folder of the first";
}

TEST_F(ResultsDirectoryTest, RefusesAFileInItsPlaceAndWhatCannotBeMade) {
  const fs::path file = folder().write("results", "");
  EXPECT_EQ(message_of<InputError>([&] { const ResultsDirectory results(file); }),
            file.string() + ": is a file, not a directory; choose another with --output DIR");
  EXPECT_EQ(message_of<InputError>([&] {
              const ResultsDirectory results("/proc/rankine/results");
            }).find("/proc/rankine/results: the results directory cannot be made: "),
            0u);
}

TEST_F(ResultsDirectoryTest, RefusesAFolderInTheWayBeforeItTouchesAnything) {
  run_whole(folder().path(), 1);
  {
    ResultsDirectory results(folder().path(), declared);
    write_run(results, 2);
    fs::create_directory(in_folder("even.vti"));
    EXPECT_TRUE(says(message_of<InputError>([&] { results.commit(); }), "a folder has that name"));
    EXPECT_TRUE(says(answer_of<InputError>([&] { require_writable(folder().path(), declared); }),
                     "a folder has that name"));
  }
  fs::remove(in_folder("even.vti"));
  EXPECT_EQ(owner(folder().path()), 1);
}

/// What a run answers that finds the folder as it is; "accepted" if it begins.
std::string answer(const fs::path& folder, const RunFiles& files) {
  const std::string begun =
      answer_of<InputError>([&] { const ResultsDirectory results(folder, files); });
  EXPECT_EQ(answer_of<InputError>([&] { require_writable(folder, files); }), begun);
  return begun;
}

TEST_F(ResultsDirectoryTest, RefusesFilesThatNoEarlierRunHasListed) {
  for (const char* name :
       {"odd.vti", "view.py", "summary.json", "checkpoint.bin", "unfinished.json"}) {
    const fs::path mine = folder().write(name, "mine");
    EXPECT_TRUE(says(answer(folder().path(), declared), mine.string() + ": exists, and no"));
    EXPECT_EQ(read_text(mine), "mine") << name;
    EXPECT_EQ(answer(folder().path(), forced), "accepted") << name;
    fs::remove(mine);
  }
  // A file that appears while the run computes.
  ResultsDirectory results(folder().path(), declared);
  write_run(results, 1);
  folder().write("odd.vti", "mine");
  EXPECT_TRUE(says(message_of<InputError>([&] { results.commit(); }), "--force"));
  EXPECT_EQ(read_text(in_folder("odd.vti")), "mine");
}

TEST_F(ResultsDirectoryTest, ForceReplacesThem) {
  folder().write("odd.vti", "mine");
  folder().write("notes.txt", "mine");
  run_whole(folder().path(), 1, forced);
  EXPECT_EQ(read_text(in_folder("odd.vti")), "1");
  EXPECT_EQ(read_text(in_folder("notes.txt")), "mine");
}

// By whatever name or link the case reaches it, listed by an earlier run or not, forced or not.
TEST_F(ResultsDirectoryTest, RefusesToReplaceAnInput) {
  const testing::TemporaryFolder other;
  const fs::path place = folder().path();
  run_whole(place, 1);
  const fs::path hard = other.path() / "hard.vtp", soft = other.path() / "soft.vtp",
                 through = other.path() / "through";
  fs::create_hard_link(place / "surface.vtp", hard);
  fs::create_symlink(place / "surface.vtp", soft);
  fs::create_directory_symlink(place, through);
  for (const fs::path& input :
       {place / "surface.vtp", hard, soft, through / "surface.vtp", place / "." / "odd.vti"}) {
    for (const bool force : {false, true}) {
      // Run 2 does not write odd.vti, but would remove it.
      EXPECT_TRUE(says(answer(place, {{"", "nowhere", input}, {"surface.vtp"}, {}, force}),
                       "is an input of the case (" + input.string() + ")"));
    }
  }
  EXPECT_EQ(answer(place, {{other.write("else.vtp", "")}, declared.names, {}, false}), "accepted");
}

TEST_F(ResultsDirectoryTest, KnowsTheFilesOfASeries) {
  const RunFiles files{.series = {"particles.vtp", "a_b.vti"}};
  for (const char* name : {"particles_000000.vtp", "particles_1234567.vtp", "a_b_000010.vti"})
    EXPECT_TRUE(files.writes(name)) << name;
  for (const char* name : {"particles_.vti", "particles_x.vtp", "particles.vtp", "particles000.vtp",
                           "b_000010.vti", "0123.vtp", "particles_000000.vti"})
    EXPECT_FALSE(files.writes(name)) << name;
}

// A summary may have been edited, or come from elsewhere.
TEST_F(ResultsDirectoryTest, RemovesNothingOutsideTheFolder) {
  const fs::path place = in_folder("results"), outside = folder().write("outside.csv", "mine");
  fs::create_directories(place / "sub");
  std::ofstream(place / "sub/inner.csv") << "mine";
  std::ofstream(place / "notes.txt") << "mine";
  fs::create_symlink(outside, place / "link.csv");
  std::ofstream(place / "summary.json")
      << R"({"files": ["../outside.csv", ")" << outside.string()
      << R"(", "sub/inner.csv", "notes.txt", "link.csv", "..", "", 3, "summary.json"]})";
  run_whole(place, 1);
  EXPECT_EQ(read_text(outside), "mine");
  EXPECT_EQ(read_text(place / "sub/inner.csv"), "mine");
  EXPECT_EQ(read_text(place / "notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(fs::symlink_status(place / "link.csv"))) << "the link itself";
}

// Each would have to be opened, and would make the run wait for ever.
TEST_F(ResultsDirectoryTest, OpensNoPipesAndNoLinks) {
  const fs::path list = folder().write("list", R"({"files": ["odd.vti"]})");
  const std::vector<std::function<void(const fs::path&)>> kinds{
      [](const fs::path& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); },
      [&](const fs::path& path) { fs::create_symlink(list, path); },
      [](const fs::path& path) { fs::create_symlink("/dev/zero", path); },
      [&](const fs::path& path) {
        std::ofstream(path) << (path.extension() == ".bin" ? iterate : read_text(list));
        if (::chown(path.c_str(), 12345, 12345) != 0) fs::remove(path);  // only root may
      }};
  const fs::path place = in_folder("results");
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (const char* name : {"summary.json", "unfinished.json", "checkpoint.bin"}) {
      fs::create_directory(place);
      kinds[kind](place / name);
      if (!fs::exists(fs::symlink_status(place / name))) continue;
      std::ofstream(place / "odd.vti") << "mine";
      EXPECT_NE(answer(place, declared), "accepted") << kind << " " << name;
      EXPECT_TRUE(says(answer_of<InputError>([&] { read_checkpoint(place / name, "", "", 0); }),
                       "not a readable regular file of this user"));
      run_whole(place, 1, forced);
      ResultsDirectory(place, forced).remove_checkpoint();
      EXPECT_EQ(owner(place), 1) << kind << " " << name;
      EXPECT_EQ(read_text(list), R"({"files": ["odd.vti"]})");
      fs::remove_all(place);
    }
  }
}

// What other users leave is neither carried out nor removed; nor is what a link leads to.
TEST_F(ResultsDirectoryTest, TouchesNoStagingFolderOfOthers) {
  const testing::TemporaryFolder other;
  other.write("plan", "old odd.vti\nnew view.py\n");
  other.write("summary.json", "{}");
  fs::create_directory_symlink(other.path(), in_folder(std::string(staging_prefix) + "aaaaaa"));
  const fs::path planted = in_folder(std::string(staging_prefix) + "bbbbbb");
  fs::create_directory(planted);
  std::ofstream(planted / "plan") << "old odd.vti\nnew view.py\nnew summary.json\n";
  std::ofstream(planted / "view.py") << "evil";
  std::ofstream(planted / "summary.json") << R"({"files": ["odd.vti"]})";
  const bool root = ::chown(planted.c_str(), 12345, 12345) == 0;
  { const ResultsDirectory results(folder().path(), declared); }
  EXPECT_FALSE(fs::exists(in_folder("view.py")));
  EXPECT_EQ(entries(other.path()), 2u);
  EXPECT_EQ(fs::exists(planted / "plan"), root) << "one's own is removed";
}

// The order on which the states after a kill depend. The summary of a run stays until the same run
// replaces it.
TEST_F(ResultsDirectoryTest, FilesAreMovedBetweenTheSummaries) {
  run_whole(folder().path(), 1);
  ResultsDirectory results(folder().path(), declared);
  const testing::FolderEvents events(folder().path());
  using Names = std::vector<std::string>;
  write_run(results, 2);
  results.commit();
  EXPECT_EQ(events.read(), (Names{"+unfinished.json", "-summary.json", "-odd.vti", "+surface.vtp",
                                  "+even.vti", "+view.py", "+summary.json", "-unfinished.json"}));
  write_run(results, 2);
  results.commit();
  EXPECT_EQ(events.read(), (Names{"+unfinished.json", "+surface.vtp", "+even.vti", "+view.py",
                                  "+summary.json", "-unfinished.json"}));
}

TEST_F(ResultsDirectoryTest, ACommitThatFailsLeavesAListOfBothRunsFiles) {
  run_whole(folder().path(), 1);
  {
    ResultsDirectory results(folder().path(), declared);
    write_run(results, 2);
    results.write("surface.vtp", [](const fs::path& path) {
      fs::remove(path);
      fs::create_directory(path);  // which cannot replace a file
    });
    EXPECT_TRUE(says(message_of<InputError>([&] { results.commit(); }), "cannot be put in place"));
  }
  EXPECT_FALSE(fs::exists(in_folder(summary_name)));
  const std::string list = read_text(in_folder(unfinished_name));
  for (const char* name : {"surface.vtp", "odd.vti", "even.vti", "view.py", "summary.json"})
    EXPECT_TRUE(says(list, '"' + std::string(name) + '"'));
  EXPECT_TRUE(says(list, "not complete"));
  run_whole(folder().path(), 3);
  expect_alone(folder().path(), 3);
}

// Every state that a kill can leave, made step by step as a run makes them: what the folder holds,
// what is said about it, and what the next run makes of it.
TEST_F(ResultsDirectoryTest, EveryStateOfAKilledRunIsWholeOrKnownToBeUnfinished) {
  const fs::path place = folder().path(), staging = in_folder(std::string(staging_prefix) + "x");
  const auto stage = [&](const std::string& name, const std::string& text) {
    return [=] { std::ofstream(staging / name) << text; };
  };
  const auto move = [&](const std::string& name) {
    return [=] { fs::rename(staging / name, place / name); };
  };
  const auto remove = [&](const fs::path& path) { return [=] { fs::remove_all(path); }; };
  const std::string summary = R"({"run": 2, "files": ["surface.vtp", "even.vti", "view.py",
                                  "summary.json"]})";
  const std::string list = R"({"files": ["surface.vtp", "odd.vti", "even.vti", "view.py",
                               "summary.json"]})";
  const std::vector<std::pair<std::function<void()>, int>> steps{
      {[] {}, 1},
      {[=] { fs::create_directory(staging); }, 1},
      {stage(".surface.123.vtp", "half a fi"), 1},
      {stage("surface.vtp", "2"), 1},
      {stage(checkpoint_name, iterate), 1},
      {move(checkpoint_name), 1},
      {stage("even.vti", "2"), 1},
      {stage("view.py", "2"), 1},
      {stage(summary_name, summary), 1},
      {stage(unfinished_name, list), 1},
      {move(unfinished_name), 1},
      {remove(place / summary_name), 0},
      {remove(place / "odd.vti"), 0},
      {move("surface.vtp"), 0},
      {move("even.vti"), 0},
      {move("view.py"), 0},
      {move(summary_name), 2},
      {remove(place / unfinished_name), 2},
      {remove(staging), 2},
      {remove(place / checkpoint_name), 2}};
  for (std::size_t killed_after = 0; killed_after < steps.size(); ++killed_after) {
    SCOPED_TRACE(killed_after);
    fs::remove_all(place);
    fs::create_directory(place);
    run_whole(place, 1);
    for (std::size_t step = 0; step <= killed_after; ++step) steps[step].first();
    const int of = steps[killed_after].second;
    const bool checkpoint = fs::exists(place / checkpoint_name);
    const auto warnings = [&] {
      const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::tmpfile(), &std::fclose);
      Log log(Log::Level::quiet, nowhere.get());
      warn_of_unfinished(place, log);
      return log.warnings().size();
    };
    EXPECT_EQ(owner(place), of);
    EXPECT_EQ(warnings(), of == 0 ? 1u : 0u);
    EXPECT_EQ(answer(place, declared), "accepted");  // and nothing is committed
    EXPECT_EQ(owner(place), of);
    EXPECT_EQ(warnings(), of == 0 ? 1u : 0u) << "it is still unfinished";
    EXPECT_FALSE(fs::exists(staging));
    EXPECT_EQ(is_checkpoint(place / checkpoint_name), checkpoint) << "for --resume";
    run_whole(place, 3);
    EXPECT_EQ(owner(place), 3);
    EXPECT_EQ(entries(place), checkpoint ? 5u : 4u);
  }
}

}  // namespace
}  // namespace rankine::cases
