// The case file that a user names: a file, or a pipe (/dev/stdin, <(...)), which can be read once
// only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace rankine::cases {

/// The path, and the text of a pipe, so that it can be read several times.
class CaseFile : public std::filesystem::path {
 public:
  CaseFile() = default;
  /// Reads a pipe to its end. Throws InputError if it cannot be read or is too long.
  CaseFile(const std::filesystem::path& path);
  CaseFile(const std::string& file) : CaseFile(std::filesystem::path(file)) {}
  CaseFile(const char* file) : CaseFile(std::filesystem::path(file)) {}

  /// Whether the name is that of a case: NAME.toml, or a pipe.
  bool is_case() const { return piped_ != nullptr || extension() == ".toml"; }

  /// Throws InputError if there is no such file, or it is empty or cannot be read.
  std::string text() const;

  /// The path of the file; for a pipe "case" in the working directory. Paths in the case are
  /// relative to its folder, and its stem is the default title.
  std::filesystem::path place() const { return piped_ ? "case" : path(*this); }

 private:
  std::shared_ptr<const std::string> piped_;
};

}  // namespace rankine::cases
