#include "cases/input/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/input/suggest.hpp"
#include "cases/input/toml.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

/// The parsed document, which lives as long as any section of it, and one table within.
struct Section::Node {
  std::shared_ptr<const toml::table> document;
  const toml::table* table = nullptr;  ///< null: the file has no such table
  std::string path;                    ///< dotted, empty at the root
};

namespace {

std::string place(const toml::source_region& source, const std::string& fallback) {
  std::string path = source.path ? *source.path : fallback;
  if (source.begin.line == 0 || path.starts_with("--set")) return path;
  return fmt::format("{}:{}:{}", path, source.begin.line, source.begin.column);
}

std::string describe(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return fmt::format("an array of {} values", node.as_array()->size());
    case toml::node_type::string:
      return fmt::format("the string \"{}\"", node.as_string()->get());
    case toml::node_type::integer:
      return fmt::format("{}", node.as_integer()->get());
    case toml::node_type::floating_point:
      return fmt::format("{}", node.as_floating_point()->get());
    case toml::node_type::boolean:
      return node.as_boolean()->get() ? "true" : "false";
    default:
      return "a date or time";
  }
}

std::string describe(const Range& range) {
  if (std::isfinite(range.least) && std::isfinite(range.most)) {
    return fmt::format("between {} and {}", range.least, range.most);
  }
  if (range.above_least) return fmt::format("greater than {}", range.least);
  return fmt::format("at least {}", range.least);
}

std::string dotted(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

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
  if (low || *value > range.most) {
    throw InputError(
        fmt::format("{}: {} must be {}, found {}", where, name, describe(range), *value));
  }
  return *value;
}

int checked_integer(const toml::node& node, const std::string& name, const Range& range) {
  if (!node.is_integer()) {
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

const toml::array& checked_triple(const toml::node& node, const std::string& name) {
  return checked_array(node, name, 3);
}

void check_keys(const toml::table& table, const std::string& path,
                const std::vector<std::string>& known) {
  for (auto&& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const auto& source = key.source().begin.line > 0 ? key.source() : value.source();
    throw InputError(fmt::format("{}: unknown key \"{}\"{}{}", place(source, "case file"),
                                 key.str(), path.empty() ? "" : fmt::format(" in [{}]", path),
                                 did_you_mean(key.str(), known)));
  }
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

Section Section::parse_file(const CaseFile& file, const std::vector<std::string>& overrides,
                            const std::vector<std::string>& known_keys) {
  Section root = parse_file(file, overrides);
  check_keys(*root.node_->table, "", known_keys);
  return root;
}

std::string Section::peek(std::string_view table, std::string_view key) const {
  const toml::table* const found = has(table) ? node_->table->get(table)->as_table() : nullptr;
  const toml::node* const value = found == nullptr ? nullptr : found->get(key);
  return value == nullptr || !value->is_string() ? std::string{} : value->as_string()->get();
}

Section Section::parse_file(const CaseFile& file, const std::vector<std::string>& overrides) {
  const std::string text = file.text();
  require_text(text, file.string());
  auto document = std::make_shared<toml::table>();
  try {
    *document = toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw InputError(
        fmt::format("{}: {}", place(error.source(), file.string()), error.description()));
  }
  for (const std::string& each : overrides) merge(*document, parse_override(each));
  auto node = std::make_shared<Node>();
  node->table = document.get();
  node->document = std::move(document);
  return Section(std::move(node));
}

Section Section::table(std::string_view key, const std::vector<std::string>& known_keys) const {
  auto node = std::make_shared<Node>(Node{node_->document, nullptr, dotted(node_->path, key)});
  if (has(key)) {
    node->table = node_->table->get(key)->as_table();
    if (node->table == nullptr) {
      fail(key, "must be a table, found " + describe(*node_->table->get(key)));
    }
    check_keys(*node->table, node->path, known_keys);
  }
  return Section(std::move(node));
}

std::vector<Section> Section::tables(std::string_view key,
                                     const std::vector<std::string>& known_keys) const {
  if (!has(key)) return {};
  const toml::node& node = *node_->table->get(key);
  const std::string path = dotted(node_->path, key);
  const toml::array* array = node.as_array();
  if (array == nullptr || (!array->empty() && !array->is_homogeneous<toml::table>())) {
    fail(key, fmt::format("must be a list of tables, each headed [[{}]], found {}", path,
                          describe(node)));
  }
  std::vector<Section> sections;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::table* entry = array->get(i)->as_table();
    check_keys(*entry, path, known_keys);
    sections.push_back(Section(std::make_shared<Node>(Node{node_->document, entry, path})));
  }
  return sections;
}

bool Section::has(std::string_view key) const {
  return node_->table != nullptr && node_->table->contains(key);
}

double Section::number(std::string_view key, double otherwise, Range range) const {
  return has(key) ? checked_number(*node_->table->get(key), dotted(node_->path, key), range)
                  : otherwise;
}

int Section::integer(std::string_view key, int otherwise, Range range) const {
  return has(key) ? checked_integer(*node_->table->get(key), dotted(node_->path, key), range)
                  : otherwise;
}

bool Section::boolean(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const toml::node& node = *node_->table->get(key);
  if (!node.is_boolean()) fail(key, "must be true or false, found " + describe(node));
  return node.as_boolean()->get();
}

std::string Section::text(std::string_view key, const std::string& otherwise) const {
  if (!has(key)) return otherwise;
  const toml::node& node = *node_->table->get(key);
  if (!node.is_string()) fail(key, "must be a string, found " + describe(node));
  return node.as_string()->get();
}

std::pair<double, double> Section::two(std::string_view key, std::pair<double, double> otherwise,
                                       Range range) const {
  if (!has(key)) return otherwise;
  const std::string name = dotted(node_->path, key);
  const toml::array& array = checked_array(*node_->table->get(key), name, 2);
  return {checked_number(*array.get(0), name + "[0]", range),
          checked_number(*array.get(1), name + "[1]", range)};
}

Vec3d Section::vector(std::string_view key, const Vec3d& otherwise, Range range) const {
  if (!has(key)) return otherwise;
  const std::string name = dotted(node_->path, key);
  const toml::array& array = checked_triple(*node_->table->get(key), name);
  Vec3d value;
  for (int i = 0; i < 3; ++i) {
    value[i] = checked_number(*array.get(static_cast<std::size_t>(i)),
                              fmt::format("{}[{}]", name, i), range);
  }
  return value;
}

Vec3<int> Section::integers(std::string_view key, const Vec3<int>& otherwise, Range range) const {
  if (!has(key)) return otherwise;
  const std::string name = dotted(node_->path, key);
  const toml::array& array = checked_triple(*node_->table->get(key), name);
  Vec3<int> value;
  for (int i = 0; i < 3; ++i) {
    value[i] = checked_integer(*array.get(static_cast<std::size_t>(i)),
                               fmt::format("{}[{}]", name, i), range);
  }
  return value;
}

std::vector<std::string> Section::text_or_texts(std::string_view key) const {
  if (has(key) && node_->table->get(key)->is_string()) return {text(key, {})};
  return texts(key);
}

std::vector<std::string> Section::texts(std::string_view key) const {
  if (!has(key)) return {};
  const toml::array* array = node_->table->get(key)->as_array();
  if (array == nullptr) {
    fail(key,
         "must be a list of words such as [\"hull\"], found " + describe(*node_->table->get(key)));
  }
  std::vector<std::string> texts;
  for (const toml::node& each : *array) {
    const std::optional<std::string> text = each.value_exact<std::string>();
    if (!text) fail(key, "must be a list of words, found " + describe(each) + " in it");
    texts.push_back(*text);
  }
  return texts;
}

std::vector<Vec3d> Section::vectors(std::string_view key) const {
  if (!has(key)) return {};
  const toml::array* array = node_->table->get(key)->as_array();
  if (array == nullptr || array->empty()) {
    fail(key, "must be a list of points such as [[0.0, 0.0, 2.0]], found " +
                  describe(*node_->table->get(key)));
  }
  std::vector<Vec3d> points;
  for (std::size_t k = 0; k < array->size(); ++k) {
    const std::string name = fmt::format("{}[{}]", dotted(node_->path, key), k);
    const toml::array& triple = checked_triple(*array->get(k), name);
    Vec3d& point = points.emplace_back();
    for (int i = 0; i < 3; ++i)
      point[i] = checked_number(*triple.get(static_cast<std::size_t>(i)), name, {});
  }
  return points;
}

int Section::word_index(std::string_view key, const std::vector<std::string>& words) const {
  if (!has(key)) return -1;
  const std::string word = text(key, {});
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end())
    fail(key, fmt::format("cannot be \"{}\"{}", word, did_you_mean(word, words)));
  return static_cast<int>(found - words.begin());
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

void refuse(const Section& section, const std::vector<std::string>& keys,
            const std::string& reason) {
  for (const std::string& key : keys) {
    if (section.has(key)) section.fail(key, "has no meaning " + reason + "; remove it");
  }
}

std::filesystem::path path_beside(const std::filesystem::path& case_file, const std::string& path) {
  return (case_file.parent_path() / path).lexically_normal();
}

}  // namespace rankine::cases
