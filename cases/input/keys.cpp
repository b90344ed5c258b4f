#include "cases/input/keys.hpp"

#include <cstdint>
#include <sstream>

#include "cases/input/toml.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

template <class Value>
std::string formatted(const Value& value) {
  std::ostringstream text;
  text << toml::toml_formatter{toml::value<Value>(value)};
  return text.str();
}

template <class Value>
std::string list(const std::vector<Value>& values) {
  std::string text;
  for (const Value& each : values) text += (text.empty() ? "" : ", ") + toml_text(each);
  return "[" + text + "]";
}

}  // namespace

void read_value(const Section& section, const std::string& key, const Range& range, double& value) {
  value = section.number(key, value, range);
}
void read_value(const Section& section, const std::string& key, const Range& range, int& value) {
  value = section.integer(key, value, range);
}
void read_value(const Section& section, const std::string& key, const Range&, bool& value) {
  value = section.boolean(key, value);
}
void read_value(const Section& section, const std::string& key, const Range&, std::string& value) {
  value = section.text(key, value);
}
void read_value(const Section& section, const std::string& key, const Range&, fs::path& value) {
  if (section.has(key)) value = section.path(key);
}
void read_value(const Section& section, const std::string& key, const Range& range, Vec3d& value) {
  value = section.vector(key, value, range);
}
void read_value(const Section& section, const std::string& key, const Range& range,
                Vec3<int>& value) {
  value = section.integers(key, value, range);
}
void read_value(const Section& section, const std::string& key, const Range& range,
                std::pair<double, double>& value) {
  value = section.two(key, value, range);
}
void read_value(const Section& section, const std::string& key, const Range&,
                std::vector<std::string>& value) {
  if (section.has(key)) value = section.texts(key);
}
void read_value(const Section& section, const std::string& key, const Range&,
                std::vector<Vec3d>& value) {
  if (section.has(key)) value = section.vectors(key);
}
void read_value(const Section& section, const std::string& key, const Range& range,
                std::optional<double>& value) {
  if (section.has(key)) value = section.number(key, 0.0, range);
}

std::string toml_text(double value, const Folder&) { return formatted(value); }
std::string toml_text(int value, const Folder&) { return formatted<std::int64_t>(value); }
std::string toml_text(bool value, const Folder&) { return formatted(value); }
std::string toml_text(const std::string& value, const Folder&) {
  return value.empty() ? value : formatted(value);
}
std::string toml_text(const fs::path& value, const Folder& folder) {
  if (value.empty() || folder.empty()) return toml_text(value.generic_string());
  const fs::path target = fs::weakly_canonical(value),
                 relative = target.lexically_relative(fs::weakly_canonical(folder));
  return toml_text((relative.empty() ? target : relative).generic_string());
}
std::string toml_text(const Vec3d& value, const Folder&) {
  return list(std::vector{value.x, value.y, value.z});
}
std::string toml_text(const Vec3<int>& value, const Folder&) {
  return list(std::vector{value.x, value.y, value.z});
}
std::string toml_text(const std::pair<double, double>& value, const Folder&) {
  return list(std::vector{value.first, value.second});
}
std::string toml_text(const std::vector<std::string>& value, const Folder&) { return list(value); }
std::string toml_text(const std::vector<Vec3d>& value, const Folder&) { return list(value); }
std::string toml_text(const std::optional<double>& value, const Folder&) {
  return value ? toml_text(*value) : std::string{};
}

std::string key_line(const std::string& key, const std::string& text) {
  return fmt::format("{:<14} = {}\n", key, text);
}

}  // namespace rankine::cases
