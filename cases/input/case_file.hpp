// The case file that a user names: a file, or a pipe (/dev/stdin, <(...)), which can be read once
// only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace rankine::cases {

/// The path; of a pipe the text as well, so that copies are read again and again.
class CaseFile : public std::filesystem::path {
 public:
  CaseFile() = default;
  /// Reads a pipe to its end. Throws InputError if it cannot be read or is too long.
  CaseFile(const std::filesystem::path& path);
  CaseFile(const std::string& file) : CaseFile(std::filesystem::path(file)) {}
  CaseFile(const char* file) : CaseFile(std::filesystem::path(file)) {}

  /// Whether it is a case by its name: NAME.toml, or a pipe.
  bool is_case() const { return piped_ != nullptr || extension() == ".toml"; }

  /// Throws InputError if there is no such file, or it is empty or cannot be read.
  std::string text() const;

  /// A path whose folder is the one that paths in the case are relative to, and whose stem is the
  /// default title: of a pipe "case" in the working directory.
  std::filesystem::path place() const { return piped_ ? "case" : path(*this); }

 private:
  std::shared_ptr<const std::string> piped_;
};

}  // namespace rankine::cases
