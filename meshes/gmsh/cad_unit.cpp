#include "rankine/meshes/gmsh/cad_unit.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::meshes {
namespace {

/// The text of a file in upper case, without blanks and line ends.
std::string packed(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) {
    const auto letter = static_cast<unsigned char>(*at);
    if (std::isspace(letter) == 0) text += static_cast<char>(std::toupper(letter));
  }
  return text;
}

/// ISO 10303-41: a length unit is an SI unit with a prefix, or a named conversion-based unit.
std::string step_unit(const std::string& text) {
  static const std::array<std::pair<std::string, std::string>, 9> names{
      {{"CONVERSION_BASED_UNIT('INCH", "inches"},
       {"CONVERSION_BASED_UNIT('FOOT", "feet"},
       {"CONVERSION_BASED_UNIT('FEET", "feet"},
       {"SI_UNIT(.MILLI.,.METRE.)", "millimetres"},
       {"SI_UNIT(.CENTI.,.METRE.)", "centimetres"},
       {"SI_UNIT(.MICRO.,.METRE.)", "micrometres"},
       {"SI_UNIT(.KILO.,.METRE.)", "kilometres"},
       {"SI_UNIT($,.METRE.)", "metres"},
       {"SI_UNIT(.DECI.,.METRE.)", "decimetres"}}};
  for (const auto& [word, name] : names) {
    if (text.find(word) != std::string::npos) return name;
  }
  return {};
}

/// The parameters of the global section (columns 1 to 72 of lines with G in column 73). Strings are
/// in Hollerith form: 5Hplate.
std::vector<std::string> iges_global(const std::filesystem::path& path) {
  constexpr std::size_t columns = 72;
  std::ifstream file(path, std::ios::binary);
  std::string section;
  for (std::string line; std::getline(file, line);) {
    if (line.size() > columns && line[columns] == 'G') section += line.substr(0, columns);
    if (line.size() > columns && line[columns] == 'D') break;
  }
  std::vector<std::string> parameters(1);
  for (std::size_t at = 0; at < section.size(); ++at) {
    const char letter = section[at];
    const std::string& number = parameters.back();
    const bool counted = letter == 'H' && !number.empty() && number.size() < 4 &&
                         std::all_of(number.begin(), number.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
    if (counted) {
      const auto length = static_cast<std::size_t>(std::stoi(number));
      parameters.back() = section.substr(at + 1, length);
      at += length;
    } else if (letter == ',') {
      parameters.emplace_back();
    } else if (letter != ' ') {
      parameters.back() += letter;
    }
  }
  return parameters;
}

/// IGES 5.3, section 2.2.4.3.14: the unit flag is the 14th parameter of the global section.
std::string iges_unit(const std::filesystem::path& path) {
  static const std::array<const char*, 11> names{"inches",      "millimetres", "",           "feet",
                                                 "miles",       "metres",      "kilometres", "mils",
                                                 "micrometres", "centimetres", "microinches"};
  constexpr std::size_t flag = 13;
  const std::vector<std::string> parameters = iges_global(path);
  if (parameters.size() <= flag || parameters[flag].size() > 2) return {};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (parameters[flag] == std::to_string(k + 1)) return names[k];
  }
  return {};
}

}  // namespace

std::string cad_unit(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  if (extension == ".step" || extension == ".stp") return step_unit(packed(path));
  if (extension == ".iges" || extension == ".igs") return iges_unit(path);
  return {};
}

}  // namespace rankine::meshes
