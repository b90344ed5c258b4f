// The document parsed by toml++ that a Section refers to. Only the sources of Section include this
// header.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "cases/input/section.hpp"
#include "cases/input/toml.hpp"

namespace rankine::cases {

/// The parsed document, shared by all its sections, and one table of it.
struct Section::Node {
  std::shared_ptr<const toml::table> document;
  const toml::table* table = nullptr;  ///< null: the file has no such table
  std::string path;                    ///< dotted, empty at the root
  std::filesystem::path folder;        ///< base of relative paths
};

/// FILE:LINE:COLUMN, or FILE if the line is unknown. `fallback`: FILE if the source has no path.
std::string place(const toml::source_region& source, const std::string& fallback);
/// Describes a value in words.
std::string describe(const toml::node& node);
std::string dotted(const std::string& path, std::string_view key);

}  // namespace rankine::cases
