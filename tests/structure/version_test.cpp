// The version is that of CMakeLists.txt, from which packages and the program take it. Two files for
// people repeat it.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

namespace rankine::structure {
namespace {

/// What the first line with the pattern has in its parentheses; empty if there is none.
std::string first_match(const std::string& file, const std::string& pattern) {
  std::ifstream stream(RANKINE_SOURCE_DIR "/" + file);
  std::smatch found;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_search(line, found, std::regex(pattern))) return found[1];
  }
  return {};
}

TEST(Version, IsTheSameInEveryFile) {
  const std::string version = first_match("CMakeLists.txt", "project\\(rankine VERSION ([0-9.]+) ");
  EXPECT_FALSE(version.empty());
  EXPECT_EQ(first_match("CITATION.cff", "^version: (.*)$"), version);
  EXPECT_EQ(first_match("CHANGELOG.md", "^## \\[([0-9.]+)\\]"), version) << "the newest section";
}

}  // namespace
}  // namespace rankine::structure
