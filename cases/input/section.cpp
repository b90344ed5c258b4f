#include "cases/input/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cases/input/section_node.hpp"
#include "cases/input/suggest.hpp"
#include "rankine/meshes/shapes/wing_section.hpp"

namespace rankine::cases {
namespace {

/// A value of the file, the name of its key or component, and its permitted range.
struct Given {
  const Section& section;
  const toml::node& node;
  std::string name;
  Range range;

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {} {}", place(node.source(), "case file"), name, message));
  }
  /// Throws InputError: the value found and what it must be.
  [[noreturn]] void refuse(const std::string& must_be) const {
    fail(fmt::format("must be {}, found {}", must_be, describe(node)));
  }
};

void take(const Given& given, double& value) {
  const toml::node& node = given.node;
  if (!node.is_number()) given.refuse("a number");
  const Range& range = given.range;
  value = *node.value<double>();
  if (!std::isfinite(value)) given.refuse("finite");
  const bool low = range.above_least ? value <= range.least : value < range.least;
  if (low || value > range.most) given.refuse(describe(range));
}

/// Accepts 2e4 as a whole number.
void take(const Given& given, int& value) {
  const std::optional<double> number =
      given.node.is_number() ? given.node.value<double>() : std::nullopt;
  if (!number || (std::isfinite(*number) && *number != std::floor(*number)))
    given.refuse("a whole number");
  double in_range = 0.0;
  take(given, in_range);
  if (std::abs(in_range) > std::numeric_limits<int>::max())
    given.fail(fmt::format("is too large: {}", in_range));
  value = static_cast<int>(in_range);
}

void take(const Given& given, bool& value) {
  if (!given.node.is_boolean()) given.refuse("true or false");
  value = given.node.as_boolean()->get();
}

void take(const Given& given, std::string& value) {
  if (!given.node.is_string()) given.refuse("a string");
  value = given.node.as_string()->get();
  if (value.empty()) given.fail("is empty; give a value, or leave the key out");
}

void take(const Given& given, std::filesystem::path& value) {
  std::string text;
  take(given, text);
  value = given.section.beside(text);
}

void take(const Given& given, DigitsOrFile& value) {
  std::string text;
  take(given, text);
  value = meshes::names_naca_section(text) ? DigitsOrFile{text, {}}
                                           : DigitsOrFile{"", given.section.beside(text)};
}

/// Reads an array of fixed length.
template <class T>
std::vector<T> take_numbers(const Given& given, std::size_t size) {
  const toml::array* array = given.node.as_array();
  if (array == nullptr || array->size() != size)
    given.refuse(size == 2 ? "an array of two numbers" : "an array of three numbers");
  std::vector<T> numbers(size);
  for (std::size_t i = 0; i < size; ++i)
    take({given.section, *array->get(i), fmt::format("{}[{}]", given.name, i), given.range},
         numbers[i]);
  return numbers;
}

void take(const Given& given, std::pair<double, double>& value) {
  const auto numbers = take_numbers<double>(given, 2);
  value = {numbers[0], numbers[1]};
}

template <class T>
void take(const Given& given, OneOrTwo<T>& value) {
  if (!given.node.is_array()) return take(given, value.first);
  const auto numbers = take_numbers<T>(given, 2);
  value = {numbers[0], numbers[1]};
}

template <class T>
void take(const Given& given, Vec3<T>& value) {
  const auto numbers = take_numbers<T>(given, 3);
  value = {numbers[0], numbers[1], numbers[2]};
}

void take(const Given& given, std::vector<std::string>& value) {
  const toml::array* array = given.node.as_array();
  if (array == nullptr) given.refuse("a list of words such as [\"hull\"]");
  value.clear();
  for (const toml::node& each : *array) {
    const std::optional<std::string> text = each.value_exact<std::string>();
    if (!text || text->empty())
      given.fail("must be a list of words, found " + describe(each) + " in it");
    value.push_back(*text);
  }
}

void take(const Given& given, std::vector<Vec3d>& value) {
  const toml::array* array = given.node.as_array();
  if (array == nullptr || array->empty())
    given.refuse("a list of points such as [[0.0, 0.0, 2.0]]");
  value.clear();
  for (std::size_t k = 0; k < array->size(); ++k) {
    take({given.section, *array->get(k), fmt::format("{}[{}]", given.name, k), given.range},
         value.emplace_back());
  }
}

/// Refuses control characters, which TOML forbids: toml++ ends the process at some of them.
void require_text(const std::string& text, const std::string& file) {
  std::size_t line = 1, column = 1;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\t' && c != '\n' && c != '\r') || code == 0x7f) {
      throw InputError(
          fmt::format("{}:{}:{}: found the control character 0x{:02x}; a case file is "
                      "text, write it again with a text editor",
                      file, line, column, code));
    }
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n' ? 1 : 0;
  }
}

toml::table parse(const std::string& text, const std::string& source) {
  require_text(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}: {}", place(error.source(), source), error.description()));
  }
}

toml::table parse_override(const std::string& text) {
  const std::string source = "--set " + text;
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(
        fmt::format("{}: expected KEY=VALUE, for example --set solver.tolerance=1e-8", source));
  }
  require_text(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error&) {
    // An unquoted word, as in --set mesh.file=wing.msh.
  }
  const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
  try {
    return toml::parse(fmt::format("{} = '{}'", key, value), source);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}: not a TOML value: {}", source, error.description()));
  }
}

/// Moves every value of `from` to `into`, table by table; copies would lose the source positions.
void merge(toml::table& into, toml::table&& from) {
  for (auto&& [key, value] : from) {
    toml::node* present = into.get(key.str());
    if (value.is_table() && present != nullptr && present->is_table()) {
      merge(*present->as_table(), std::move(*value.as_table()));
    } else {
      into.insert_or_assign(key, std::move(value));
    }
  }
}

}  // namespace

std::string describe(const Range& range) {
  if (std::isfinite(range.least) && std::isfinite(range.most))
    return fmt::format("between {} and {}", range.least, range.most);
  if (range.above_least) return fmt::format("greater than {}", range.least);
  return std::isfinite(range.least) ? fmt::format("at least {}", range.least) : "";
}

std::string Section::peek(std::string_view table, std::string_view key) const {
  const toml::table* const found = has(table) ? node_->table->get(table)->as_table() : nullptr;
  const toml::node* const value = found == nullptr ? nullptr : found->get(key);
  return value == nullptr || !value->is_string() ? std::string{} : value->as_string()->get();
}

Section Section::parse_file(const CaseFile& file, const std::vector<std::string>& overrides) {
  const std::string text = file.text();
  auto document = std::make_shared<toml::table>();
  try {
    *document = parse(text, file.string());
  } catch (const InputError& error) {
    if (file.is_case()) throw;
    throw InputError(fmt::format(
        "{2}\n{0} is no case file, which is expected here; of a mesh write one, {1}.toml, with the "
        "lines\n  version = 1\n  [mesh]\n  file = \"{0}\"\nor inspect it: rankine check {0}",
        file.string(), file.stem().string(), error.what()));
  }
  for (const std::string& each : overrides) merge(*document, parse_override(each));
  const toml::table* const root = document.get();
  return Section(
      std::make_shared<Node>(Node{std::move(document), root, "", file.place().parent_path()}));
}

Section Section::table(std::string_view key) const {
  const toml::table* table = nullptr;
  if (has(key)) {
    const toml::node& node = *node_->table->get(key);
    table = node.as_table();
    if (table == nullptr) fail(key, "must be a table, found " + describe(node));
  }
  return Section(std::make_shared<Node>(
      Node{node_->document, table, dotted(node_->path, key), node_->folder}));
}

std::vector<Section> Section::tables(std::string_view key) const {
  if (!has(key)) return {};
  const toml::node& node = *node_->table->get(key);
  const std::string path = dotted(node_->path, key);
  const toml::array* array = node.as_array();
  if (array == nullptr || (!array->empty() && !array->is_homogeneous<toml::table>())) {
    fail(key, fmt::format("must be a list of tables, each headed [[{}]], found {}", path,
                          describe(node)));
  }
  std::vector<Section> sections;
  for (const toml::node& each : *array) {
    sections.push_back(Section(
        std::make_shared<Node>(Node{node_->document, each.as_table(), path, node_->folder})));
  }
  return sections;
}

bool Section::has(std::string_view key) const {
  return node_->table != nullptr && node_->table->contains(key);
}

template <class T>
void Section::read(std::string_view key, T& value, Range range) const {
  if (has(key)) take({*this, *node_->table->get(key), dotted(node_->path, key), range}, value);
}
template void Section::read(std::string_view, double&, Range) const;
template void Section::read(std::string_view, int&, Range) const;
template void Section::read(std::string_view, bool&, Range) const;
template void Section::read(std::string_view, std::string&, Range) const;
template void Section::read(std::string_view, std::filesystem::path&, Range) const;
template void Section::read(std::string_view, std::pair<double, double>&, Range) const;
template void Section::read(std::string_view, OneOrTwo<double>&, Range) const;
template void Section::read(std::string_view, OneOrTwo<int>&, Range) const;
template void Section::read(std::string_view, DigitsOrFile&, Range) const;
template void Section::read(std::string_view, Vec3d&, Range) const;
template void Section::read(std::string_view, Vec3<int>&, Range) const;
template void Section::read(std::string_view, std::vector<std::string>&, Range) const;
template void Section::read(std::string_view, std::vector<Vec3d>&, Range) const;

void Section::read_one_or_more(std::string_view key, std::vector<std::string>& value) const {
  if (has(key) && node_->table->get(key)->is_string()) {
    std::string one;
    read(key, one);
    value = {one};
  } else {
    read(key, value);
  }
}

void Section::read_word(std::string_view key, std::string& word,
                        const std::vector<std::string>& known) const {
  if (!has(key)) return;
  std::string found;
  read(key, found);
  if (std::find(known.begin(), known.end(), found) == known.end())
    fail(key, fmt::format("cannot be \"{}\"{}", found, did_you_mean(found, known)));
  word = found;
}

void Section::read_words(std::string_view key, std::vector<std::string>& words,
                         const std::vector<std::string>& known) const {
  std::vector<std::string> given = words;
  read(key, given);
  for (const std::string& found : given) {
    if (std::find(known.begin(), known.end(), found) != known.end()) continue;
    fail(key, fmt::format("is a list of {}, found \"{}\"{}", fmt::join(known, ", "), found,
                          did_you_mean(found, known)));
  }
  words = given;
}

void Section::check_keys(const std::vector<std::string>& known) const {
  if (node_->table == nullptr) return;
  Errors errors;
  for (auto&& [key, value] : *node_->table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const auto& source = key.source().begin.line > 0 ? key.source() : value.source();
    const std::string table = node_->path.empty() ? "" : fmt::format(" in [{}]", node_->path);
    errors.collect([&, &name = key] {
      throw InputError(fmt::format("{}: unknown key \"{}\"{}{}", place(source, "case file"),
                                   name.str(), table, did_you_mean(name.str(), known)));
    });
  }
  errors.raise();
}

void Section::require(std::string_view key, std::string_view example) const {
  if (!has(key)) fail(key, fmt::format("is missing; give for example: {}", example));
}

std::string Section::position(std::string_view key) const {
  toml::source_region source{};
  if (has(key)) {
    source = node_->table->get(key)->source();
  } else if (node_->table != nullptr) {
    source = node_->table->source();
  }
  const auto& file = node_->document->source().path;
  return place(source, file ? *file : "case file");
}

void Section::fail(std::string_view key, const std::string& message) const {
  throw InputError(fmt::format("{}: {} {}", position(key), dotted(node_->path, key), message));
}

void Section::refuse(const std::vector<std::string>& keys, const std::string& reason) const {
  for (const std::string& key : keys) {
    if (has(key)) fail(key, "has no meaning " + reason + "; remove it");
  }
}

std::filesystem::path Section::beside(const std::filesystem::path& path) const {
  return (node_->folder / path).lexically_normal();
}

}  // namespace rankine::cases
