// The document that toml++ parsed, on which a Section stands. Only the sources of Section include
// it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "cases/input/section.hpp"
#include "cases/input/toml.hpp"

namespace rankine::cases {

/// The parsed document, which lives as long as any section of it, and one table within.
struct Section::Node {
  std::shared_ptr<const toml::table> document;
  const toml::table* table = nullptr;  ///< null: the file has no such table
  std::string path;                    ///< dotted, empty at the root
  std::filesystem::path folder;        ///< to which paths are relative
};

/// FILE:LINE:COLUMN.
std::string place(const toml::source_region& source, const std::string& fallback);
/// A value, in words.
std::string describe(const toml::node& node);
std::string dotted(const std::string& path, std::string_view key);

}  // namespace rankine::cases
