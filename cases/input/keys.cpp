#include "cases/input/keys.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>

#include "cases/input/toml.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

template <class T>
std::string formatted(const T& value) {
  std::ostringstream text;
  text << toml::toml_formatter{toml::value<T>(value)};
  return text.str();
}

template <class T>
std::string list(const std::vector<T>& values) {
  std::string text;
  for (const T& each : values) text += (text.empty() ? "" : ", ") + toml_text(each);
  return "[" + text + "]";
}

template <class T>
std::string one_or_two(const OneOrTwo<T>& value) {
  return value.second ? list(std::vector{value.first, *value.second}) : toml_text(value.first);
}

class Reader : public Keys {
 public:
  explicit Reader(const Section& section) { section_ = &section; }

  void holds(const std::vector<std::string>& tables, const std::string& example) override {
    known_.insert(known_.end(), tables.begin(), tables.end());
    if (!example.empty()) missing_.collect([&] { section_->require(tables.front(), example); });
  }

  void check(bool right, const std::string& key, const std::string& message) override {
    if (!right && gives(key) && sound()) errors_.collect([&] { section_->fail(key, message); });
  }

  /// Reports unknown keys first: a missing key may be a misspelt one.
  void finish() {
    Errors unknown;
    unknown.collect([&] { section_->check_keys(known_); });
    errors_.collect([&] { unknown.raise(); });
    if (unknown.empty()) errors_.collect([&] { missing_.raise(); });
    errors_.raise();
  }

 private:
  /// Whether rules between keys can be checked: no error so far, and the kind that they depend on
  /// is known.
  bool sound() const { return !wrong_ && !undecided_; }

  void row(const Row& row) override {
    known_.push_back(row.name);
    if (gives(row.name) && allowed_) {
      wrong_ = !errors_.collect([&] { row.read(*section_); }) || wrong_;
    } else if (gives(row.name) && sound()) {
      errors_.collect([&] { section_->refuse({row.name}, reason_); });
    } else if (allowed_ && !row.about.example.empty() && !wrong_) {
      missing_.collect([&] { section_->require(row.name, row.about.example); });
      undecided_ = undecided_ || row.type == "word" || row.type == "path";
    }
  }

  std::vector<std::string> known_;
  Errors errors_, missing_;
  bool wrong_ = false, undecided_ = false;
};

class Writer : public Keys {
 public:
  explicit Writer(const fs::path& folder = {}) { folder_ = folder; }

  void table(const std::string& path, const std::string&, bool list) override {
    header = list ? fmt::format("\n[[{}]]\n", path) : fmt::format("\n[{}]\n", path);
  }

  std::string header;
  std::vector<std::pair<std::string, std::string>> lines;

 private:
  void row(const Row& row) override {
    if (allowed_ && row.about.written && !row.value.empty())
      lines.emplace_back(row.name, row.value);
  }
};

class Describer : public Keys {
 public:
  void table(const std::string& path, const std::string& text, bool list) override {
    described.path = path;
    described.text = text;
    described.list = list;
  }
  TableText described;

 private:
  void row(const Row& row) override {
    described.rows.push_back(row);
    described.rows.back().read = nullptr;
  }
};

}  // namespace

std::string toml_text(double value) { return formatted(value); }
std::string toml_text(int value) { return formatted<std::int64_t>(value); }
std::string toml_text(bool value) { return formatted(value); }
std::string toml_text(const std::string& value) { return value.empty() ? "" : formatted(value); }
std::string toml_text(const fs::path& value) { return toml_text(value.generic_string()); }
std::string toml_text(const Vec3d& value) { return list(std::vector{value.x, value.y, value.z}); }
std::string toml_text(const Vec3<int>& value) {
  return list(std::vector{value.x, value.y, value.z});
}
std::string toml_text(const std::pair<double, double>& value) {
  return list(std::vector{value.first, value.second});
}
std::string toml_text(const OneOrTwo<double>& value) { return one_or_two(value); }
std::string toml_text(const OneOrTwo<int>& value) { return one_or_two(value); }
std::string toml_text(const std::vector<std::string>& value) { return list(value); }
std::string toml_text(const std::vector<Vec3d>& value) { return list(value); }
std::string key_line(const std::string& key, const std::string& text) {
  return fmt::format("{:<14} = {}\n", key, text);
}

std::string Keys::text_of(const fs::path& value) const {
  if (value.empty() || !folder_) return toml_text(value);
  const fs::path target = fs::weakly_canonical(value),
                 relative = target.lexically_relative(fs::weakly_canonical(*folder_));
  return toml_text(relative.empty() ? target : relative);
}

void read_keys(const Section& section, const KeyTable& table) {
  Reader reader(section);
  table(reader);
  reader.finish();
}

std::string write_keys(const fs::path& folder, const KeyTable& table) {
  Writer writer(folder);
  table(writer);
  std::string text = writer.header;
  for (const auto& [key, value] : writer.lines) text += key_line(key, value);
  return text;
}

std::string write_inline(const KeyTable& table) {
  Writer writer;
  table(writer);
  std::string text;
  for (const auto& [key, value] : writer.lines)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, value);
  return text.empty() ? text : "{ " + text + " }";
}

TableText describe_keys(const KeyTable& table) {
  Describer describer;
  table(describer);
  return describer.described;
}

}  // namespace rankine::cases
