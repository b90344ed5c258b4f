// One table of a case file, read key by key. Every reader checks type and range. A wrong value
// throws an InputError with FILE:LINE:COLUMN, the key, the value and the permitted values. toml++
// parses the file; only section.cpp, section_node.cpp and keys.cpp include it.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/input/case_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

/// The numbers that a key accepts.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;  ///< the bound itself is excluded
};
/// For example "between 0 and 1", "at least 0"; empty if unbounded.
std::string describe(const Range& range);
inline Range at_least(double least) {
  return {least, std::numeric_limits<double>::infinity(), false};
}
inline Range positive() { return {0.0, std::numeric_limits<double>::infinity(), true}; }
inline Range between(double least, double most) { return {least, most, false}; }

/// One value or two: `4` or `[4, 5]`.
template <class T>
struct OneOrTwo {
  T first{};
  std::optional<T> second{};
};

/// Four digits or a file.
struct DigitsOrFile {
  std::string digits{};
  std::filesystem::path file{};
};

/// Words that a key accepts, each with its value.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

template <class T>
std::vector<std::string> words_of(const Choices<T>& choices) {
  std::vector<std::string> words;
  for (const auto& each : choices) words.push_back(each.first);
  return words;
}

/// The word of an enumerator; empty if it has none.
template <class T>
std::string word(const Choices<T>& choices, T value) {
  for (const auto& [text, each] : choices) {
    if (each == value) return text;
  }
  return {};
}

/// The errors of one file, which are reported together.
class Errors {
 public:
  /// Runs `step` and stores its InputError; returns whether it succeeded.
  template <class Step>
  bool collect(Step step) {
    try {
      step();
      return true;
    } catch (const InputError& error) {
      text_ += (text_.empty() ? "" : "\n") + std::string(error.what());
      return false;
    }
  }
  bool empty() const { return text_.empty(); }
  /// Throws one InputError with a line for each error, if there are any.
  void raise() const {
    if (!empty()) throw InputError(text_);
  }

 private:
  std::string text_;
};

/// A key with a list of values of any type.
struct ListOfValues {
  struct Value {
    std::string text;             ///< TOML, on one line
    std::vector<double> numbers;  ///< for a number or an array of numbers; else empty
  };
  std::string key;  ///< dotted, below the table
  std::vector<Value> values;
  std::string where;  ///< FILE:LINE:COLUMN
};

class Section {
 public:
  /// Parses `file` and applies the `--set key=value` overrides (dotted keys, TOML values) in order.
  static Section parse_file(const CaseFile& file, const std::vector<std::string>& overrides);
  /// The string `table.key`, without checks of the rest; empty if there is none.
  std::string peek(std::string_view table, std::string_view key) const;

  /// The table `key`, empty if the file has none.
  Section table(std::string_view key) const;
  /// The tables of the array `[[key]]`, in order; none if the file has none.
  std::vector<Section> tables(std::string_view key) const;

  bool has(std::string_view key) const;

  /// Sets `value` if the file has the key. T: int, double, bool, string, path, vector, OneOrTwo, or
  /// a list of strings or of points.
  template <class T>
  void read(std::string_view key, T& value, Range range = {}) const;
  template <class T>
  void read(std::string_view key, std::optional<T>& value, Range range = {}) const {
    if (has(key)) read(key, value.emplace(), range);
  }
  /// A list of strings, or one string.
  void read_one_or_more(std::string_view key, std::vector<std::string>& value) const;
  /// One word of `known`, or a list of them.
  void read_word(std::string_view key, std::string& word,
                 const std::vector<std::string>& known) const;
  void read_words(std::string_view key, std::vector<std::string>& words,
                  const std::vector<std::string>& known) const;

  /// All keys of this table and its subtables except `left_out`, as lists of values in file order.
  /// Throws for a key that is not a list, and for an empty list.
  std::vector<ListOfValues> lists(const std::vector<std::string>& left_out) const;

  /// Throws if the table has a key that is not in `known`.
  void check_keys(const std::vector<std::string>& known) const;
  /// Throws if the key is absent.
  void require(std::string_view key, std::string_view example) const;
  /// `path`, resolved against the folder of the case.
  std::filesystem::path beside(const std::filesystem::path& path) const;
  /// FILE:LINE:COLUMN of the key, or of its table if the key is absent; FILE if the table is absent
  /// too.
  std::string position(std::string_view key) const;
  /// Throws InputError with position(key).
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;
  /// Throws if the table has one of these keys; `reason` says why it is excluded.
  void refuse(const std::vector<std::string>& keys, const std::string& reason) const;

 private:
  struct Node;
  explicit Section(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

}  // namespace rankine::cases
