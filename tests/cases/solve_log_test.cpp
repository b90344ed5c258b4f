// The whole log of the small cases in the folder logs/, with its numbers of panels, elements and
// unknowns. Other numbers, which the tests of results check, are replaced by #.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <utility>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;

std::string masked(std::string log) {
  const std::pair<const char*, const char*> masks[] = {
      {"rankine +[^\n]*", "rankine #"},
      {"cpu: [^\n]*", "cpu: #"},
      {"\\d[\\d.]* (us|ms|s|min|kB|MB|GB)\\b", "#"},
      {"\\(\\d+ panels\\), at worst by \\d+ %, element \\d+ at [^:]*", "(# panels), at worst by #"},
      {"-?\\d+(\\.\\d+)?e[+-]\\d+|-?\\d+\\.\\d+", "#"},
      {"\\(-?[#\\d]+, -?[#\\d]+, -?[#\\d]+\\) N", "(#, #, #) N"}};  // zeros have rounding errors
  for (const auto& [pattern, mask] : masks)
    log = std::regex_replace(log, std::regex(pattern), mask);
  return log;
}

class SolveLog : public ::testing::TestWithParam<std::string> {};

TEST_P(SolveLog, IsThatOfItsFile) {
  const fs::path case_file = example("../tests/cases/logs/" + GetParam() + ".toml");
  const TemporaryFolder folder;
  const Outcome run =
      run_program({"solve", case_file.string(), "--output", (folder.path() / "results").string(),
                   "--backend", "cpu", "--threads", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::string log = run.err;
  for (const fs::path& path : {folder.path(), case_file.parent_path()})
    log = std::regex_replace(log, std::regex(path.string()), "FOLDER");
  EXPECT_EQ(masked(log), read_text(fs::path(case_file).replace_extension(".log")));
}

INSTANTIATE_TEST_SUITE_P(, SolveLog, ::testing::Values("conductor", "sphere", "vessel", "wing"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace rankine::cases
