// A case file named by the user: a regular file, or a pipe (/dev/stdin, <(...)), which can be read
// only once.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace rankine::cases {

/// The path and, for a pipe, its text, so that it can be read repeatedly.
class CaseFile : public std::filesystem::path {
 public:
  CaseFile() = default;
  /// Reads a pipe to its end. Throws InputError if it cannot be read or is too long.
  CaseFile(const std::filesystem::path& path);
  CaseFile(const std::string& file) : CaseFile(std::filesystem::path(file)) {}
  CaseFile(const char* file) : CaseFile(std::filesystem::path(file)) {}

  /// Whether this names a case: NAME.toml or a pipe.
  bool is_case() const { return piped_ != nullptr || extension() == ".toml"; }

  /// Throws InputError if the file does not exist, is empty or cannot be read.
  std::string text() const;

  /// The path of the file; for a pipe "case" in the working directory. Its folder is the base of
  /// relative paths in the case, and its stem is the default title.
  std::filesystem::path place() const { return piped_ ? "case" : path(*this); }

 private:
  std::shared_ptr<const std::string> piped_;
};

}  // namespace rankine::cases
