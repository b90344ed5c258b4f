#include "tests/structure/source_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace rankine::structure {

std::vector<Include> find_includes(std::string_view text) {
  std::vector<Include> includes;
  std::istringstream stream{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::string_view rest = line;
    const auto skip = [&](std::string_view word) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      const bool found = rest.starts_with(word);
      if (found) rest.remove_prefix(word.size());
      return found;
    };
    if (!skip("#") || !skip("include")) continue;
    const bool quoted = skip("\"");
    if (!quoted && !skip("<")) continue;
    const std::size_t end = rest.find_first_of("\">");
    if (end != rest.npos) includes.push_back({std::string(rest.substr(0, end)), quoted, number});
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
