// Writes a case file: values in TOML syntax, lines of tables.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/words.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

/// One value in TOML syntax, quoted and escaped, numbers with all their digits: of double,
/// std::int64_t, bool and std::string.
template <class T>
std::string value(const T& each);
std::string value(const Vec3d& v);
/// A path relative to `folder`.
std::string value(const std::filesystem::path& path, const std::filesystem::path& folder);
std::string list(const std::vector<std::string>& each);

/// Lines `key = value`, the equals signs of one table aligned.
class CaseWriter {
 public:
  void header(const std::string& name) { text_ += fmt::format("\n{}\n", name); }
  void line(const std::string& key, const std::string& text) {
    text_ += fmt::format("{:<14} = {}\n", key, text);
  }
  template <class T>
  void line(const std::string& key, const Choices<T>& words, T each) {
    line(key, value(word(words, each)));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// The table [fmm].
void write_fmm(CaseWriter& out, const FmmInput& fmm);

}  // namespace rankine::cases
