// The version is that of CMakeLists.txt, from which packages and the program take it. Two files for
// people repeat it.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace rankine::structure {
namespace {

/// The version in the first line of a file in which it follows `before`.
std::string version_in(const std::string& file, const std::string& before) {
  std::ifstream stream(RANKINE_SOURCE_DIR "/" + file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(before)) continue;
    const std::string rest = line.substr(before.size());
    const std::string version = rest.substr(0, rest.find_first_not_of("0123456789."));
    if (!version.empty()) return version;
  }
  return {};
}

TEST(Version, IsTheSameInEveryFile) {
  const std::string version = version_in("CMakeLists.txt", "project(rankine VERSION ");
  EXPECT_FALSE(version.empty());
  EXPECT_EQ(version_in("CITATION.cff", "version: "), version);
  EXPECT_EQ(version_in("CHANGELOG.md", "## ["), version) << "the newest section";
}

}  // namespace
}  // namespace rankine::structure
