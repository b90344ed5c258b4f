#include "cases/input/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cases/input/section_node.hpp"
#include "cases/input/suggest.hpp"

namespace rankine::cases {
namespace {

/// A number checked against its range; `name` is the key or the component it belongs to.
double checked_number(const toml::node& node, const std::string& name, const Range& range) {
  const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
  const std::string where = place(node.source(), "case file");
  if (!value)
    throw InputError(fmt::format("{}: {} must be a number, found {}", where, name, describe(node)));
  if (!std::isfinite(*value)) {
    throw InputError(fmt::format("{}: {} must be finite, found {}", where, name, *value));
  }
  const bool low = range.above_least ? *value <= range.least : *value < range.least;
  if (low || *value > range.most)
    throw InputError(
        fmt::format("{}: {} must be {}, found {}", where, name, describe(range), *value));
  return *value;
}

/// 2e4 is a whole number, too.
int checked_integer(const toml::node& node, const std::string& name, const Range& range) {
  const std::optional<double> given = node.is_number() ? node.value<double>() : std::nullopt;
  if (!given || (std::isfinite(*given) && *given != std::floor(*given))) {
    throw InputError(fmt::format("{}: {} must be a whole number, found {}",
                                 place(node.source(), "case file"), name, describe(node)));
  }
  const double value = checked_number(node, name, range);
  if (std::abs(value) > std::numeric_limits<int>::max()) {
    throw InputError(
        fmt::format("{}: {} is too large: {}", place(node.source(), "case file"), name, value));
  }
  return static_cast<int>(value);
}

const toml::array& checked_array(const toml::node& node, const std::string& name,
                                 std::size_t size) {
  const toml::array* array = node.as_array();
  if (array == nullptr || array->size() != size) {
    throw InputError(fmt::format("{}: {} must be an array of {} numbers, found {}",
                                 place(node.source(), "case file"), name,
                                 size == 2 ? "two" : "three", describe(node)));
  }
  return *array;
}

template <class T, class Checked>
Vec3<T> checked_vector(const toml::node& node, const std::string& name, const Range& range,
                       Checked checked) {
  const toml::array& array = checked_array(node, name, 3);
  Vec3<T> value;
  for (int i = 0; i < 3; ++i) {
    value[i] =
        checked(*array.get(static_cast<std::size_t>(i)), fmt::format("{}[{}]", name, i), range);
  }
  return value;
}

template <class T, class Checked>
OneOrTwo<T> checked_one_or_two(const toml::node& node, const std::string& name, const Range& range,
                               Checked checked) {
  if (!node.is_array()) return {checked(node, name, range), std::nullopt};
  const toml::array& array = checked_array(node, name, 2);
  return {checked(*array.get(0), name + "[0]", range), checked(*array.get(1), name + "[1]", range)};
}

/// toml++ ends the process at some control characters, all of which TOML forbids.
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
    // A bare word, as a shell leaves it: --set mesh.file=wing.msh
  }
  const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
  try {
    return toml::parse(fmt::format("{} = '{}'", key, value), source);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}: not a TOML value: {}", source, error.description()));
  }
}

/// Moves every value of `from` into `into`, table by table; a copy would lose the source positions.
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

void Section::read(std::string_view key, double& value, Range range) const {
  if (has(key)) value = checked_number(*node_->table->get(key), dotted(node_->path, key), range);
}

void Section::read(std::string_view key, int& value, Range range) const {
  if (has(key)) value = checked_integer(*node_->table->get(key), dotted(node_->path, key), range);
}

void Section::read(std::string_view key, bool& value, Range) const {
  if (!has(key)) return;
  const toml::node& node = *node_->table->get(key);
  if (!node.is_boolean()) fail(key, "must be true or false, found " + describe(node));
  value = node.as_boolean()->get();
}

void Section::read(std::string_view key, std::string& value, Range) const {
  if (!has(key)) return;
  const toml::node& node = *node_->table->get(key);
  if (!node.is_string()) fail(key, "must be a string, found " + describe(node));
  value = node.as_string()->get();
}

void Section::read(std::string_view key, std::filesystem::path& value, Range) const {
  std::string text;
  read(key, text);
  if (has(key)) value = beside(text);
}

void Section::read(std::string_view key, std::pair<double, double>& value, Range range) const {
  if (!has(key)) return;
  const std::string name = dotted(node_->path, key);
  const toml::array& array = checked_array(*node_->table->get(key), name, 2);
  value = {checked_number(*array.get(0), name + "[0]", range),
           checked_number(*array.get(1), name + "[1]", range)};
}

void Section::read(std::string_view key, OneOrTwo<double>& value, Range range) const {
  if (has(key))
    value = checked_one_or_two<double>(*node_->table->get(key), dotted(node_->path, key), range,
                                       checked_number);
}

void Section::read(std::string_view key, OneOrTwo<int>& value, Range range) const {
  if (has(key))
    value = checked_one_or_two<int>(*node_->table->get(key), dotted(node_->path, key), range,
                                    checked_integer);
}

void Section::read(std::string_view key, Vec3d& value, Range range) const {
  if (has(key))
    value = checked_vector<double>(*node_->table->get(key), dotted(node_->path, key), range,
                                   checked_number);
}

void Section::read(std::string_view key, Vec3<int>& value, Range range) const {
  if (has(key))
    value = checked_vector<int>(*node_->table->get(key), dotted(node_->path, key), range,
                                checked_integer);
}

void Section::read(std::string_view key, std::vector<std::string>& value, Range) const {
  if (!has(key)) return;
  const toml::node& node = *node_->table->get(key);
  if (!node.is_array())
    fail(key, "must be a list of words such as [\"hull\"], found " + describe(node));
  value.clear();
  for (const toml::node& each : *node.as_array()) {
    const std::optional<std::string> text = each.value_exact<std::string>();
    if (!text) fail(key, "must be a list of words, found " + describe(each) + " in it");
    value.push_back(*text);
  }
}

void Section::read(std::string_view key, std::vector<Vec3d>& value, Range range) const {
  if (!has(key)) return;
  const toml::node& node = *node_->table->get(key);
  const toml::array* array = node.as_array();
  if (array == nullptr || array->empty())
    fail(key, "must be a list of points such as [[0.0, 0.0, 2.0]], found " + describe(node));
  value.clear();
  for (std::size_t k = 0; k < array->size(); ++k) {
    value.push_back(checked_vector<double>(
        *array->get(k), fmt::format("{}[{}]", dotted(node_->path, key), k), range, checked_number));
  }
}

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
