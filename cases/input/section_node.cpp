#include "cases/input/section_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace rankine::cases {
namespace {

ListOfValues::Value value_of(const toml::node& node) {
  std::ostringstream stream;
  node.visit([&](const auto& each) { stream << toml::toml_formatter{each}; });
  ListOfValues::Value value{stream.str(), {}};
  std::replace(value.text.begin(), value.text.end(), '\n', ' ');
  if (node.is_number()) value.numbers.push_back(*node.value<double>());
  if (node.is_array() && node.as_array()->is_homogeneous()) {
    for (const toml::node& each : *node.as_array()) {
      if (each.is_number()) value.numbers.push_back(*each.value<double>());
    }
  }
  return value;
}

using PlacedList = std::pair<toml::source_position, ListOfValues>;

void collect_lists(const toml::table& table, const std::string& path, const std::string& file,
                   const std::vector<std::string>& left_out, std::vector<PlacedList>& lists) {
  for (auto&& [key, node] : table) {
    const std::string name = dotted(path, key.str());
    if (std::find(left_out.begin(), left_out.end(), name) != left_out.end()) continue;
    if (node.is_table()) {
      collect_lists(*node.as_table(), name, file, left_out, lists);
      continue;
    }
    ListOfValues list{name, {}, place(node.source(), file)};
    const toml::array* array = node.as_array();
    if (array == nullptr || array->empty()) {
      throw InputError(fmt::format("{}: sweep.{} must be a list of values such as [1, 2], found {}",
                                   list.where, name, describe(node)));
    }
    for (const toml::node& each : *array) list.values.push_back(value_of(each));
    lists.emplace_back(node.source().begin, std::move(list));
  }
}

}  // namespace

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

std::string dotted(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::vector<ListOfValues> Section::lists(const std::vector<std::string>& left_out) const {
  if (node_->table == nullptr) return {};
  std::vector<PlacedList> placed;
  const auto& file = node_->document->source().path;
  collect_lists(*node_->table, "", file ? *file : "case file", left_out, placed);
  std::stable_sort(placed.begin(), placed.end(), [](const PlacedList& a, const PlacedList& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::vector<ListOfValues> lists;
  for (PlacedList& each : placed) lists.push_back(std::move(each.second));
  return lists;
}

}  // namespace rankine::cases
