#include "tests/structure/source_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace rankine::structure {

std::vector<Include> find_includes(std::string_view text) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::vector<Include> includes;
  std::istringstream stream{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) {
      includes.push_back({match[2], match[1] == "\"", number});
    }
  }
  return includes;
}

std::vector<SourceFile> read_source_files(const std::string& root,
                                          const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    const fs::path top = fs::path(root) / folder;
    if (!fs::is_directory(top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp" && extension != ".cuh" && extension != ".cu") {
        continue;
      }
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      SourceFile file;
      file.path = fs::relative(entry.path(), root).generic_string();
      file.folder = folder;
      file.extension = extension;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
        file.code += line.substr(0, line.find("//")) + "\n";
      file.includes = find_includes(text);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace rankine::structure
