// The project's own source files and what they include, read from the source tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankine::structure {

struct Include {
  std::string name;  ///< as written between the quotes or angle brackets
  bool quoted = false;
  int line = 0;
};

struct SourceFile {
  std::string path;    ///< relative to the repository root, with '/'
  std::string folder;  ///< first part of the path
  std::string extension;
  std::string code;  ///< the text without what follows `//`
  std::vector<Include> includes;
};

/// The #include lines of a text, in order; those behind `//` are not counted.
std::vector<Include> find_includes(std::string_view text);

/// Every .hpp, .cpp, .cuh and .cu file in `folders` below `root`, sorted by path.
std::vector<SourceFile> read_source_files(const std::string& root,
                                          const std::vector<std::string>& folders);

}  // namespace rankine::structure
