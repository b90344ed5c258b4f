// The results directory and tables.
#include <gtest/gtest.h>

#include <stdexcept>

#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/show.hpp"
#include "cases/output/table.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::entries;
using testing::read_text;
using testing::TemporaryFolder;

namespace fs = std::filesystem;

TEST(ResultsDirectory, WritesWholeFilesOnly) {
  const TemporaryFolder folder;
  ResultsDirectory results(folder.path() / "a/b");
  results.write_text("one.txt", "1");
  EXPECT_THROW(results.write("two.txt",
                             [](const fs::path& path) {
                               std::ofstream(path) << "half";
                               throw std::runtime_error("interrupted");
                             }),
               std::runtime_error);
  EXPECT_EQ(read_text(results.path() / "one.txt"), "1");
  EXPECT_EQ(entries(results.path()), 1u);
  EXPECT_EQ(results.files(), std::vector<std::string>{"one.txt"});
}

TEST(ResultsDirectory, LeavesNoTraceWhereNothingWasWritten) {
  const TemporaryFolder folder;
  { const ResultsDirectory results(folder.path() / "a/b/"); }
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(ResultsDirectory, RefusesAFileInItsPlace) {
  const TemporaryFolder folder;
  const auto file = folder.write("results", "");
  try {
    const ResultsDirectory results(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              file.string() + ": is a file, not a directory; choose another with --output DIR");
  }
}

TEST(ResultsDirectory, RefusesWhatCannotBeMade) {
  try {
    const ResultsDirectory results("/proc/rankine/results");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("/proc/rankine/results: the results directory cannot be made: "),
              0u)
        << error.what();
  }
}

// FIPS 180-4, the example messages "abc" and "".
TEST(Table, AlignsNumbersRightAndWordsLeft) {
  Table table({"what", "value"});
  table.add({"a", "1.5"});
  table.add({"longer", "-10.25"});
  EXPECT_EQ(table.text(),
            "what     value\n"
            "--------------\n"
            "a          1.5\n"
            "longer  -10.25\n");
}

TEST(Log, UnitsReadWell) {
  EXPECT_EQ(show_count(20480), "20 480");
  EXPECT_EQ(show_count(1000000), "1 000 000");
  EXPECT_EQ(show_count(-12), "-12");
  EXPECT_EQ(show_bytes(340e6), "340 MB");
  EXPECT_EQ(show_bytes(1.25e9), "1.2 GB");
  EXPECT_EQ(show_bytes(12.0), "12 B");
  EXPECT_EQ(show_seconds(0.0456), "45.6 ms");
  EXPECT_EQ(show_seconds(1.234), "1.23 s");
}

}  // namespace
}  // namespace rankine::cases
