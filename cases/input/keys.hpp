// The table of keys: what a case file may hold, each key once. A row has the name of the key, the
// member that it sets, type, range, default, unit, words and a line of text. It reads the key,
// writes it back (case.resolved.toml) and describes it (rankine keys).
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cases/input/section.hpp"
#include "cases/input/words.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

/// A key as a person or an editor reads it.
struct KeyText {
  std::string name, type;
  Range range{};
  std::vector<std::string> words{};  ///< all that the key accepts; empty: any value of its type
  std::string otherwise{};           ///< the default in TOML, or in words; empty: none
  std::string unit{}, text{};
  bool required = false;
};

/// A table of the case file with its keys.
struct TableText {
  std::string path;   ///< dotted; empty: the keys before the first table
  bool list = false;  ///< [[path]], any number
  std::string text;
  std::vector<KeyText> keys;
};

/// The name of a value's type.
inline const char* type_of(double) { return "number"; }
inline const char* type_of(int) { return "whole number"; }
inline const char* type_of(bool) { return "true or false"; }
inline const char* type_of(const std::string&) { return "text"; }
inline const char* type_of(const std::filesystem::path&) { return "path"; }
inline const char* type_of(const Vec3d&) { return "three numbers"; }
inline const char* type_of(const Vec3<int>&) { return "three whole numbers"; }
inline const char* type_of(const std::pair<double, double>&) { return "two numbers"; }
inline const char* type_of(const std::vector<std::string>&) { return "list of names"; }
inline const char* type_of(const std::vector<Vec3d>&) { return "list of points"; }
inline const char* type_of(const std::optional<double>&) { return "number"; }

// Each replaces `value` if the section has the key. Throw InputError as Section does.
void read_value(const Section& section, const std::string& key, const Range& range, double& value);
void read_value(const Section& section, const std::string& key, const Range& range, int& value);
void read_value(const Section& section, const std::string& key, const Range&, bool& value);
void read_value(const Section& section, const std::string& key, const Range&, std::string& value);
void read_value(const Section& section, const std::string& key, const Range&,
                std::filesystem::path& value);
void read_value(const Section& section, const std::string& key, const Range& range, Vec3d& value);
void read_value(const Section& section, const std::string& key, const Range& range,
                Vec3<int>& value);
void read_value(const Section& section, const std::string& key, const Range& range,
                std::pair<double, double>& value);
void read_value(const Section& section, const std::string& key, const Range&,
                std::vector<std::string>& value);
void read_value(const Section& section, const std::string& key, const Range&,
                std::vector<Vec3d>& value);
void read_value(const Section& section, const std::string& key, const Range& range,
                std::optional<double>& value);

// The value in TOML, with all its digits; a path relative to `folder`. Empty: not to be written.
using Folder = std::filesystem::path;
std::string toml_text(double value, const Folder& = {});
std::string toml_text(int value, const Folder& = {});
std::string toml_text(bool value, const Folder& = {});
std::string toml_text(const std::string& value, const Folder& = {});
std::string toml_text(const std::filesystem::path& value, const Folder& folder = {});
std::string toml_text(const Vec3d& value, const Folder& = {});
std::string toml_text(const Vec3<int>& value, const Folder& = {});
std::string toml_text(const std::pair<double, double>& value, const Folder& = {});
std::string toml_text(const std::vector<std::string>& value, const Folder& = {});
std::string toml_text(const std::vector<Vec3d>& value, const Folder& = {});
std::string toml_text(const std::optional<double>& value, const Folder& = {});

/// The line `key = text`.
std::string key_line(const std::string& key, const std::string& text);

/// The keys of a table that fills a T. A member is a pointer to one, or a function that returns a
/// reference to what a key sets; modifiers are of the key added last.
template <class T>
class Table {
 public:
  using Test = std::function<bool(const T&)>;
  using Reason = std::function<std::string(const T&)>;
  using Read = std::function<void(const Section&, T&)>;
  using Write = std::function<std::string(const T&, const Folder&)>;

  Table(std::string path, std::string text, bool list = false)
      : text_{std::move(path), list, std::move(text), {}} {}

  template <class Member>
  Table& key(const std::string& name, Member member, const std::string& text, Range range = {}) {
    const auto initial = std::invoke(member, initial_);
    return add({name, type_of(initial), range, {}, toml_text(initial), {}, text},
               [=](const Section& section, T& t) {
                 read_value(section, name, range, std::invoke(member, t));
               },
               [=](const T& t, const Folder& folder) {
                 return toml_text(std::invoke(member, t), folder);
               });
  }
  template <class Member, class Value>
  Table& key(const std::string& name, Member member, const Choices<Value>& choices,
             const std::string& text) {
    const auto in_toml = [=](const T& t, const Folder& = {}) {
      return toml_text(word(choices, std::invoke(member, t)));
    };
    return add({name, "word", {}, words_of(choices), in_toml(initial_), {}, text},
               [=](const Section& section, T& t) {
                 std::invoke(member, t) = section.choice(name, std::invoke(member, t), choices);
               },
               in_toml);
  }
  /// A key that is more than one member.
  Table& add(KeyText text, Read read, Write write) {
    keys_.push_back({std::move(text), std::move(read), std::move(write), {}, {}, {}, {}});
    return *this;
  }

  Table& unit(const std::string& unit) { return change([&](Row& row) { row.text.unit = unit; }); }
  /// The default, where it follows from other keys.
  Table& otherwise(const std::string& text) {
    return change([&](Row& row) { row.text.otherwise = text; });
  }
  /// The key must be there.
  Table& required(const std::string& example) {
    return change([&](Row& row) {
      row.text.required = true;
      row.text.otherwise.clear();
      row.example = example;
    });
  }
  /// The same where `test` holds, after all keys have been read.
  Table& required_if(Test test, const std::string& example) {
    return change([&](Row& row) {
      row.needed = std::move(test);
      row.text.otherwise.clear();
      row.example = example;
    });
  }
  /// Where `test` does not hold, the key is refused ("has no meaning REASON") and not written.
  Table& only(Test test, Reason reason) {
    return change([&](Row& row) { row.conditions.emplace_back(std::move(test), reason); });
  }
  Table& only(Test test, const char* reason) {
    return only(std::move(test), [=](const T&) { return std::string(reason); });
  }
  /// Written only where `test` holds.
  Table& written(Test test) { return change([&](Row& row) { row.written = std::move(test); }); }
  /// Reads the key otherwise.
  Table& reads(Read read) { return change([&](Row& row) { row.read = std::move(read); }); }
  /// Tables within this one.
  Table& holds(const std::vector<std::string>& tables) {
    within_ = tables;
    return *this;
  }
  /// Every key of `other`, whose struct `member` is one of T.
  template <class U, class Member>
  Table& include(const Table<U>& other, Member member) {
    for (const auto& row : other.rows()) {
      add(row.text, [=](const Section& s, T& t) { row.read(s, std::invoke(member, t)); },
          [=](const T& t, const Folder& f) { return row.write(std::invoke(member, t), f); });
      const auto within = [=](const std::function<bool(const U&)>& test) -> Test {
        if (!test) return {};
        return [=](const T& t) { return test(std::invoke(member, t)); };
      };
      for (const auto& [test, reason] : row.conditions)
        only(within(test), [=](const T& t) { return reason(std::invoke(member, t)); });
      keys_.back().needed = within(row.needed);
      keys_.back().written = within(row.written);
      keys_.back().example = row.example;
    }
    return *this;
  }

  /// The table in `parent`, and all tables of a list. Throw InputError for keys that are unknown.
  Section in(const Section& parent) const { return parent.table(last_name(), names()); }
  std::vector<Section> all_in(const Section& parent) const {
    return parent.tables(last_name(), names());
  }

  /// Sets what the section holds; the rest of `t` stays. Throws InputError.
  void read(const Section& section, T& t) const {
    for (const Row& row : keys_) {
      if (row.text.required) section.require(row.text.name, row.example);
      row.read(section, t);
    }
    for (const Row& row : keys_) {
      for (const auto& [test, reason] : row.conditions) {
        if (!test(t)) refuse(section, {row.text.name}, reason(t));
      }
      if (row.needed && row.needed(t)) section.require(row.text.name, row.example);
    }
  }

  /// Header and lines.
  std::string write(const T& t, const Folder& folder) const {
    std::string text = fmt::format(text_.list ? "\n[[{}]]\n" : "\n[{}]\n", text_.path);
    for (const Row& row : keys_) {
      bool wanted = !row.written || row.written(t);
      for (const auto& condition : row.conditions) wanted = wanted && condition.first(t);
      const std::string value = wanted ? row.write(t, folder) : std::string{};
      if (!value.empty()) text += key_line(row.text.name, value);
    }
    return text;
  }

  TableText text() const {
    TableText text = text_;
    for (const Row& row : keys_) text.keys.push_back(row.text);
    return text;
  }

  struct Row {
    KeyText text;
    Read read;
    Write write;
    std::vector<std::pair<Test, Reason>> conditions;
    Test needed, written;
    std::string example;
  };
  const std::vector<Row>& rows() const { return keys_; }

 private:
  template <class Change>
  Table& change(Change change) {
    change(keys_.back());
    return *this;
  }
  std::string last_name() const { return text_.path.substr(text_.path.rfind('.') + 1); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Row& row : keys_) names.push_back(row.text.name);
    names.insert(names.end(), within_.begin(), within_.end());
    return names;
  }

  T initial_{};
  TableText text_;
  std::vector<std::string> within_;
  std::vector<Row> keys_;
};

}  // namespace rankine::cases
