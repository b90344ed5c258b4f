// docs/library*.md show the examples as they are built and run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace rankine::structure {
namespace {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The contents of all blocks ```language ... ``` of a page.
std::multiset<std::string> code_blocks(const std::string& page, const std::string& language) {
  const std::string begin = "\n```" + language + "\n", end = "```\n";
  std::multiset<std::string> blocks;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    blocks.insert(page.substr(at, page.find(end, at) - at));
  }
  return blocks;
}

TEST(LibraryPage, ShowsTheExamplesAsTheyAre) {
  const std::filesystem::path root = RANKINE_SOURCE_DIR;
  const std::map<std::string, std::string> languages = {
      {".cpp", "cpp"}, {".c", "c"}, {".f90", "fortran"}, {".py", "python"}, {".txt", "cmake"}};
  std::map<std::string, std::multiset<std::string>> files;
  for (const auto& entry : std::filesystem::directory_iterator(root / "examples"))
    files[languages.at(entry.path().extension())].insert(read_text(entry.path()));
  ASSERT_GE(files["cpp"].size(), 3u);
  ASSERT_EQ(files["cmake"].size(), 1u);
  std::string page;
  for (const char* const name : {"library.md", "library-boundaries.md", "library-c.md",
                                 "library-loaded.md", "library-petsc.md"})
    page += read_text(root / "docs" / name);
  for (const auto& [extension, language] : languages)
    EXPECT_EQ(code_blocks(page, language), files[language]) << language;
}

}  // namespace
}  // namespace rankine::structure
