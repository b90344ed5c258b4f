// Files of code have at most 400 lines of 100 columns; prose in Markdown has at most 110 columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace rankine::structure {
namespace {

namespace fs = std::filesystem;

/// Calls visit(path, extension) for every file of the source tree. Results and builds are left out.
template <class Visit>
void for_each_file(const Visit& visit) {
  static const std::set<std::string> left_out = {"build", "results", "__pycache__"};
  fs::recursive_directory_iterator entry(RANKINE_SOURCE_DIR);
  for (; entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || left_out.contains(name)) entry.disable_recursion_pending();
    if (entry->is_regular_file() && !name.starts_with('.'))
      visit(entry->path(), name == "CMakeLists.txt" ? ".cmake" : entry->path().extension());
  }
}

/// Characters of a line in UTF-8.
std::ptrdiff_t columns(const std::string& line) {
  return std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

TEST(LineLengths, OfCode) {
  const std::set<std::string> kinds = {".cpp", ".hpp", ".cu",  ".cuh",  ".h",
                                       ".py",  ".sh",  ".f90", ".cmake"};
  int files = 0;
  for_each_file([&](const fs::path& path, const std::string& extension) {
    if (!kinds.contains(extension)) return;
    ++files;
    std::ifstream stream(path);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      EXPECT_LE(columns(line), 100) << path << ":" << number;
    }
    EXPECT_LE(number, 400) << path;
  });
  EXPECT_GT(files, 0) << "no files under " << RANKINE_SOURCE_DIR;
}

// Tables, pictures and what programs print or read are no prose.
TEST(LineLengths, OfProse) {
  for_each_file([&](const fs::path& path, const std::string& extension) {
    if (extension != ".md") return;
    std::ifstream stream(path);
    bool shown = false;
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
      if (text.starts_with("```")) shown = !shown;
      if (shown || text.starts_with('|') || text.starts_with("![")) continue;
      EXPECT_LE(columns(line), 110) << path << ":" << number;
    }
  });
}

}  // namespace
}  // namespace rankine::structure
