#include "cases/solve/values_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cases/input/suggest.hpp"
#include "cases/output/printable.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/vtk/vtk_arrays.hpp"

namespace rankine::cases {
namespace {

std::vector<std::string> words_of(std::string line) {
  line.resize(std::min(line.find('#'), line.size()));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  std::vector<std::string> words;
  std::string_view rest = line;
  for (std::string_view word = meshes::take_word(rest); !word.empty();
       word = meshes::take_word(rest))
    words.emplace_back(word);
  return words;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& each : columns) names.push_back(each.name);
  return names;
}

/// Empty columns, named by the header or, without a header, numbered.
std::vector<Column> begin_columns(const std::vector<std::string>& words, bool header) {
  std::vector<Column> columns;
  for (const std::string& each : words)
    columns.push_back({header ? each : fmt::format("column {}", columns.size() + 1), {}});
  return columns;
}

std::vector<Column> read_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!std::filesystem::is_regular_file(path) || !file)
    throw InputError(fmt::format("{}: no such file of values", path.string()));
  std::vector<Column> columns;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const auto fail = [&](const std::string& what) {
      throw InputError(fmt::format("{}:{}: {}", path.string(), number, what));
    };
    double value = 0.0;
    if (columns.empty()) {
      const bool header = !meshes::to_number(std::string_view(words.front()), value);
      columns = begin_columns(words, header);
      if (header) continue;
    }
    if (words.size() != columns.size())
      fail(fmt::format("found {} values where {} are needed, one for each column", words.size(),
                       columns.size()));
    for (std::size_t c = 0; c < words.size(); ++c) {
      if (!meshes::to_number(std::string_view(words[c]), value) || !std::isfinite(value))
        fail(fmt::format("\"{}\" is not a finite number; give one for every column",
                         short_printable(words[c], 100)));
      columns[c].values.push_back(value);
    }
  }
  if (columns.empty() || columns.front().values.empty())
    throw InputError(fmt::format("{}: holds no values; give one a line", path.string()));
  return columns;
}

}  // namespace

std::vector<Column> read_columns(const std::filesystem::path& path) {
  if (path.extension() != ".vtp") return read_csv(path);
  std::vector<Column> columns;
  for (meshes::ScalarArray& array : meshes::read_vtp_scalars(path))
    columns.push_back({std::move(array.name), std::move(array.values)});
  return columns;
}

Column pick_column(const std::filesystem::path& path, const std::string& name) {
  std::vector<Column> columns = read_columns(path);
  const std::vector<std::string> names = names_of(columns);
  if (name.empty() && columns.size() == 1) return std::move(columns.front());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end())
    return std::move(columns[static_cast<std::size_t>(found - names.begin())]);
  if (name.empty()) {
    throw InputError(
        fmt::format("{}: holds {} columns ({}); name the one to take with array = \"...\"",
                    path.string(), columns.size(), fmt::join(names, ", ")));
  }
  throw InputError(
      fmt::format("{}: has no column \"{}\"{}", path.string(), name, did_you_mean(name, names)));
}

std::vector<double> per_panel(const meshes::SurfaceMesh& mesh, const Column& column,
                              const std::filesystem::path& path) {
  const std::vector<double>& values = column.values;
  if (values.size() == mesh.elements.size()) return values;
  if (values.size() != mesh.nodes.size()) {
    throw InputError(fmt::format(
        "{}: \"{}\" has {} values, the mesh {} panels and {} nodes; give one for each panel or "
        "each "
        "node of the whole mesh, in its order",
        path.string(), column.name, values.size(), mesh.elements.size(), mesh.nodes.size()));
  }
  std::vector<double> means;
  for (const meshes::Element& element : mesh.elements) {
    const int corners = meshes::corner_count(element);
    double sum = 0.0;
    for (int k = 0; k < corners; ++k)
      sum += values[static_cast<std::size_t>(element[static_cast<std::size_t>(k)])];
    means.push_back(sum / corners);
  }
  return means;
}

}  // namespace rankine::cases
