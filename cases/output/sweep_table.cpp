#include "cases/output/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "cases/output/netcdf.hpp"

namespace rankine::cases {
namespace {

using Figures = std::vector<std::pair<std::string, double>>;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool is_numbers(const Json& list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](const Json& each) { return each.is_number(); });
}

void collect(const std::string& name, const Json& value, Figures& figures) {
  constexpr std::size_t most_rows = 24;
  if (value.is_number()) {
    figures.emplace_back(name, value.get<double>());
  } else if (value.is_object()) {
    for (const auto& [key, each] : value.items()) {
      if (key != "name") collect(name + "." + key, each, figures);
    }
  } else if (is_numbers(value) && value.size() == 3) {
    for (std::size_t k = 0; k < 3; ++k) collect(name + "_" + "xyz"[k], value[k], figures);
  } else if (value.is_array() && value.size() <= most_rows) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      const Json& each = value[k];
      if (each.is_object() && each.contains("name")) {
        collect(name + "." + each["name"].get<std::string>(), each, figures);
      } else if (is_numbers(each)) {  // a row of a matrix
        for (std::size_t j = 0; j < each.size() && each.size() <= most_rows; ++j)
          collect(fmt::format("{}_{}_{}", name, k + 1, j + 1), each[j], figures);
      }
    }
  }
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

/// The text of a value; strings without quotes.
std::string plain(const ListOfValues::Value& value) {
  const std::string& text = value.text;
  const bool string = text.size() >= 2 && (text.front() == '"' || text.front() == '\'');
  return string ? text.substr(1, text.size() - 2) : text;
}

/// The names of the columns of a key; a vector has three.
std::vector<std::string> columns_of(const SweptKey& key) {
  const bool vectors =
      std::all_of(key.values.begin(), key.values.end(),
                  [](const ListOfValues::Value& each) { return each.numbers.size() == 3; });
  if (!vectors) return {key.name};
  return {key.name + "_x", key.name + "_y", key.name + "_z"};
}

bool is_numeric(const SweptKey& key) {
  return std::all_of(key.values.begin(), key.values.end(), [&](const ListOfValues::Value& each) {
    return each.numbers.size() == columns_of(key).size();
  });
}

/// The names of all figures, in order of first appearance.
std::vector<std::string> names_of(const std::vector<Figures>& figures) {
  std::vector<std::string> names;
  std::map<std::string, bool> known;
  for (const Figures& each : figures) {
    for (const auto& [name, value] : each) {
      if (!std::exchange(known[name], true)) names.push_back(name);
    }
  }
  return names;
}

std::vector<Figures> all_figures(const std::vector<SweptCase>& cases) {
  std::vector<Figures> figures;
  for (const SweptCase& each : cases) figures.push_back(figures_of(each.summary));
  return figures;
}

double value_of(const Figures& figures, const std::string& name) {
  for (const auto& [each, value] : figures) {
    if (each == name) return value;
  }
  return none;
}

/// Converts a name to one that NetCDF allows.
std::string netcdf_name(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  }
  return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "_" + name
                                                                                     : name;
}

/// Adds the values of a key along a dimension.
void add_key(const SweptKey& key, const std::string& dimension,
             std::vector<NetcdfVariable>& variables) {
  const std::vector<std::string> columns = columns_of(key);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    NetcdfVariable variable{netcdf_name(columns[c]), {dimension}, std::vector<double>{}};
    if (is_numeric(key)) {
      std::vector<double> numbers;
      for (const ListOfValues::Value& each : key.values) numbers.push_back(each.numbers[c]);
      variable.values = std::move(numbers);
    } else {
      std::vector<std::string> texts;
      for (const ListOfValues::Value& each : key.values) texts.push_back(plain(each));
      variable.values = std::move(texts);
    }
    variables.push_back(std::move(variable));
  }
}

}  // namespace

Figures figures_of(const Json& summary) {
  Figures figures;
  if (summary.contains("results")) {
    for (const auto& [key, value] : summary["results"].items()) {
      const bool twice = key == "capacitance" || key == "charges";  // also in the matrix and in the
                                                                    // results of conductors
      if (!twice) collect(key, value, figures);
    }
  }
  if (summary.contains("solver") && summary["solver"].contains("iterations")) {
    for (const char* key : {"iterations", "true_residual"})
      collect(key, summary["solver"][key], figures);
  }
  return figures;
}

std::string show_values(const Sweep& sweep, std::size_t k) {
  std::string text;
  const std::vector<std::size_t> at = sweep.values_of(k);
  for (std::size_t i = 0; i < at.size(); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sweep.keys[i].name,
                        plain(sweep.keys[i].values[at[i]]));
  }
  return text;
}

std::string sweep_csv(const Sweep& sweep, const std::vector<SweptCase>& cases) {
  const std::vector<Figures> figures = all_figures(cases);
  const std::vector<std::string> names = names_of(figures);
  std::string text = "case";
  for (const SweptKey& key : sweep.keys) {
    for (const std::string& column : columns_of(key)) text += "," + quoted(column);
  }
  text += ",status,exit_code,warnings";
  for (const std::string& name : names) text += "," + quoted(name);
  text += ",message\n";
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const SweptCase& each = cases[k];
    text += each.folder;
    const std::vector<std::size_t> at = sweep.values_of(k);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const ListOfValues::Value& value = sweep.keys[i].values[at[i]];
      if (columns_of(sweep.keys[i]).size() == 1) {
        text += "," + quoted(plain(value));
      } else {
        for (const double number : value.numbers) text += fmt::format(",{}", number);
      }
    }
    const std::size_t warnings =
        each.summary.contains("warnings") ? each.summary["warnings"].size() : 0;
    text += fmt::format(",{},{},{}", each.status, each.exit_code, warnings);
    for (const std::string& name : names) {
      const double value = value_of(figures[k], name);
      text += value == value ? fmt::format(",{}", value) : ",";
    }
    text += "," + quoted(each.message) + "\n";
  }
  return text;
}

std::string sweep_netcdf(const Sweep& sweep, const std::vector<SweptCase>& cases) {
  std::vector<std::pair<std::string, std::int32_t>> dimensions;
  std::vector<NetcdfVariable> variables;
  std::vector<std::string> over;
  const auto dimension = [&](const std::string& name, std::size_t count) {
    over.push_back(name);
    dimensions.emplace_back(name, static_cast<std::int32_t>(count));
  };
  const bool product = sweep.combine == Combine::product;
  if (!product) dimension("case", cases.size());
  for (const SweptKey& key : sweep.keys) {
    if (product) dimension(netcdf_name(key.name), key.values.size());
    add_key(key, over.back(), variables);
  }
  std::vector<std::string> folders;
  std::vector<double> codes;
  for (const SweptCase& each : cases) {
    folders.push_back(each.folder);
    codes.push_back(each.exit_code);
  }
  variables.push_back({"folder", over, std::move(folders)});
  variables.push_back({"exit_code", over, std::move(codes)});
  const std::vector<Figures> figures = all_figures(cases);
  for (const std::string& name : names_of(figures)) {
    std::vector<double> values;
    for (const Figures& each : figures) values.push_back(value_of(each, name));
    variables.push_back({netcdf_name(name), over, std::move(values)});
  }
  return netcdf(dimensions, {{"source", "rankine sweep"}}, variables);
}

}  // namespace rankine::cases
