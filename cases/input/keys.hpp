// The keys of a case file. Each key is one row: name, the member that it sets, type, range,
// default, unit, permitted words and a line of text. One function lists the rows of one table; the
// Keys passed to it reads them, writes them (case.resolved.toml) or describes them (rankine keys):
//
//   void sphere_keys(Keys& keys, Sphere& sphere) {
//     keys.table("sphere", "A sphere.");
//     keys.key("radius", sphere.radius, {"Of the sphere.", "m", positive()});
//   }
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/section.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

/// Further data of a row besides name, member and words.
struct About {
  std::string text;
  std::string unit{};
  Range range{};
  std::string otherwise{};  ///< the default in words, if it depends on other keys
  std::string example{};    ///< of a required key
  bool written = true;      ///< whether case.resolved.toml contains the key
};

struct Row {
  std::string name, type;
  About about;
  std::vector<std::string> words;            ///< permitted values; empty: any
  std::string value;                         ///< of the member, in TOML; empty: none
  std::function<void(const Section&)> read;  ///< sets the member from a section
};

/// Description of a table of the case file, for `rankine keys`.
struct TableText {
  std::string path;  ///< dotted; empty for the keys before the first table
  std::string text;
  bool list = false;  ///< an array of tables, [[path]]
  std::vector<Row> rows;
};

// The value in TOML with full precision; empty if there is none.
std::string toml_text(double value);
std::string toml_text(int value);
std::string toml_text(bool value);
std::string toml_text(const std::string& value);
std::string toml_text(const std::filesystem::path& value);
std::string toml_text(const Vec3d& value);
std::string toml_text(const Vec3<int>& value);
std::string toml_text(const std::pair<double, double>& value);
std::string toml_text(const OneOrTwo<double>& value);
std::string toml_text(const OneOrTwo<int>& value);
std::string toml_text(const std::vector<std::string>& value);
std::string toml_text(const std::vector<Vec3d>& value);
template <class T>
std::string toml_text(const std::optional<T>& value) {
  return value ? toml_text(*value) : "";
}

/// The name of the type, for descriptions.
inline const char* type_of(double) { return "number"; }
inline const char* type_of(int) { return "whole number"; }
inline const char* type_of(bool) { return "true or false"; }
inline const char* type_of(const std::string&) { return "text"; }
inline const char* type_of(const std::filesystem::path&) { return "path"; }
inline const char* type_of(const Vec3d&) { return "three numbers"; }
inline const char* type_of(const Vec3<int>&) { return "three whole numbers"; }
inline const char* type_of(const std::pair<double, double>&) { return "two numbers"; }
inline const char* type_of(const OneOrTwo<double>&) { return "number or two numbers"; }
inline const char* type_of(const OneOrTwo<int>&) { return "whole number or two of them"; }
inline const char* type_of(const DigitsOrFile&) { return "text"; }
inline const char* type_of(const std::vector<std::string>&) { return "list of names"; }
inline const char* type_of(const std::vector<Vec3d>&) { return "list of points"; }
template <class T>
const char* type_of(const std::optional<T>&) {
  return type_of(T{});
}

class Keys {
 public:
  virtual ~Keys() = default;

  /// Begins the rows of the table [path], or of each table [[path]].
  virtual void table(const std::string& /*path*/, const std::string& /*text*/,
                     bool /*list*/ = false) {}
  /// Names the tables within this one. Tables with an example are required.
  virtual void holds(const std::vector<std::string>& /*tables*/,
                     const std::string& /*example*/ = {}) {}
  /// Until the next call, keys are read and written only if `allowed`; otherwise a key is an error:
  /// it has "no meaning REASON".
  void only(bool allowed = true, const std::string& reason = {}) {
    allowed_ = allowed;
    reason_ = reason;
  }

  template <class T>
  void key(const std::string& name, T& value, const About& about) {
    row({name, type_of(value), about, {}, text_of(value), [&](const Section& section) {
           section.read(name, value, about.range);
         }});
  }
  /// One of the words of `choices`.
  template <class T>
  void key(const std::string& name, T& value, const Choices<T>& choices, const About& about) {
    const std::string now = word(choices, value);
    row({name, "word", about, words_of(choices), now.empty() ? "" : toml_text(now),
         [&](const Section& section) {
           std::string found;
           section.read_word(name, found, words_of(choices));
           for (const auto& [text, each] : choices) {
             if (text == found) value = each;
           }
         }});
  }
  /// A list of words.
  void words(const std::string& name, std::vector<std::string>& value,
             const std::vector<std::string>& known, const About& about) {
    row({name, "list of words", about, known, toml_text(value),
         [&](const Section& section) { section.read_words(name, value, known); }});
  }
  /// A name, or a list of names.
  void names(const std::string& name, std::vector<std::string>& value, const About& about) {
    row({name,
         "name or list of names",
         about,
         {},
         value.size() == 1 ? toml_text(value.front()) : toml_text(value),
         [&](const Section& section) { section.read_one_or_more(name, value); }});
  }
  /// Reports an error at `key` unless `right`, if the file contains the key and its table has no
  /// other error.
  virtual void check(bool /*right*/, const std::string& /*key*/, const std::string& /*message*/) {}

  bool reading() const { return section_ != nullptr; }
  /// Whether the file contains the key, and its position there.
  bool gives(const std::string& key) const { return reading() && section_->has(key); }
  std::string position(const std::string& key) const {
    return reading() ? section_->position(key) : "";
  }

 protected:
  virtual void row(const Row& row) = 0;

  const Section* section_ = nullptr;             ///< the section being read
  std::optional<std::filesystem::path> folder_;  ///< the base of written relative paths
  bool allowed_ = true;
  std::string reason_;

 private:
  template <class T>
  std::string text_of(const T& value) const {
    return toml_text(value);
  }
  std::string text_of(const std::filesystem::path& value) const;
  std::string text_of(const DigitsOrFile& value) const {
    return value.file.empty() ? toml_text(value.digits) : text_of(value.file);
  }
};

using KeyTable = std::function<void(Keys&)>;

/// Reads the keys of the section. Throws one InputError with all errors in the table.
void read_keys(const Section& section, const KeyTable& table);
/// The header and the key lines of the table, for a file in `folder`.
std::string write_keys(const std::filesystem::path& folder, const KeyTable& table);
/// "{ key = value, ... }"; empty if there is nothing to write.
std::string write_inline(const KeyTable& table);
TableText describe_keys(const KeyTable& table);

template <class T>
void read_keys(const Section& section, void (*table)(Keys&, T&), T& value) {
  read_keys(section, [&](Keys& keys) { table(keys, value); });
}
template <class T>
std::string write_keys(const std::filesystem::path& folder, void (*table)(Keys&, T&), T value) {
  return write_keys(folder, [&](Keys& keys) { table(keys, value); });
}
template <class T>
TableText describe_keys(void (*table)(Keys&, T&), T value = {}) {
  return describe_keys([&](Keys& keys) { table(keys, value); });
}

/// The line `key = text` of a case file.
std::string key_line(const std::string& key, const std::string& text);

}  // namespace rankine::cases
