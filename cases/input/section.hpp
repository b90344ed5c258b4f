// One table of a case file, read key by key. Every reader checks type and range; a wrong value is
// an InputError that begins with FILE:LINE:COLUMN, names the key, the value found and what is
// allowed. TOML itself is parsed by toml++, which only section.cpp includes.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/input/case_file.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

/// The numbers that a key accepts.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;  ///< the bound itself is excluded
};
inline Range at_least(double least) {
  return {least, std::numeric_limits<double>::infinity(), false};
}
inline Range positive() { return {0.0, std::numeric_limits<double>::infinity(), true}; }
inline Range between(double least, double most) { return {least, most, false}; }

/// Words that a key accepts, each with the value it stands for.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

class Section {
 public:
  /// Parses `file` and applies `--set key=value` overrides (dotted keys,
  /// TOML values) in the order given.
  static Section parse_file(const CaseFile& file, const std::vector<std::string>& overrides,
                            const std::vector<std::string>& known_keys);

  /// The same, without a look at its keys.
  static Section parse_file(const CaseFile& file, const std::vector<std::string>& overrides);
  /// The string `table.key`, whatever else the table holds; empty where there is none.
  std::string peek(std::string_view table, std::string_view key) const;

  /// The table `key`, empty where the file has none. Throws where it holds a key that is not known.
  Section table(std::string_view key, const std::vector<std::string>& known_keys) const;
  /// The tables of the array `[[key]]`, in order; none where the file has none.
  std::vector<Section> tables(std::string_view key,
                              const std::vector<std::string>& known_keys) const;

  bool has(std::string_view key) const;

  // The value of a key, or `otherwise` where the file does not give it.
  double number(std::string_view key, double otherwise, Range range = {}) const;
  int integer(std::string_view key, int otherwise, Range range = {}) const;
  bool boolean(std::string_view key, bool otherwise) const;
  std::string text(std::string_view key, const std::string& otherwise) const;
  std::vector<std::string> texts(std::string_view key) const;  ///< none where it is not given
  /// The same, or one string alone.
  std::vector<std::string> text_or_texts(std::string_view key) const;
  std::pair<double, double> two(std::string_view key, std::pair<double, double> otherwise,
                                Range range = {}) const;
  Vec3d vector(std::string_view key, const Vec3d& otherwise, Range range = {}) const;
  Vec3<int> integers(std::string_view key, const Vec3<int>& otherwise, Range range = {}) const;
  std::vector<Vec3d> vectors(std::string_view key) const;

  template <class T>
  T choice(std::string_view key, T otherwise, const Choices<T>& choices) const {
    std::vector<std::string> words;
    for (const auto& each : choices) words.push_back(each.first);
    const int found = word_index(key, words);
    return found < 0 ? otherwise : choices[static_cast<std::size_t>(found)].second;
  }

  /// Throws where the key is absent.
  void require(std::string_view key, std::string_view example) const;
  /// FILE:LINE:COLUMN of a key, of its table where it is absent; FILE where the table is, too.
  std::string position(std::string_view key) const;
  /// Throws InputError at the position of `key` (of the table where it is absent).
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;

 private:
  struct Node;
  explicit Section(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  int word_index(std::string_view key, const std::vector<std::string>& words) const;

  std::shared_ptr<const Node> node_;
};

/// Refuses keys of one kind of entry that were given for another.
void refuse(const Section& section, const std::vector<std::string>& keys,
            const std::string& reason);

/// A path of a case file, which is relative to the file.
std::filesystem::path path_beside(const std::filesystem::path& case_file, const std::string& path);

}  // namespace rankine::cases
