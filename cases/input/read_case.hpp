// Reads a case file (TOML, version 1) into a Case, and writes it back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/case_file.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

/// `overrides` are `key=value` texts with dotted keys, applied in order after the file is parsed.
/// Relative paths are resolved against the folder of the case file. Throws one InputError that has,
/// with FILE:LINE:COLUMN, everything that is unknown, missing, of the wrong type or out of range.
Case read_case(const CaseFile& file, const std::vector<std::string>& overrides = {});

/// The text of a case file that would lie in `folder`, with every default: case.resolved.toml,
/// which solves the same case. Paths are written relative to `folder`.
std::string write_case(const Case& flow_case, const std::filesystem::path& folder);

/// All tables of a case of a surface.
std::vector<TableText> surface_tables();

/// The keys before the first table, with the names of the tables that a file may have.
void head_keys(Keys& keys, std::string& title);

/// Throws InputError where a boundary names a patch that the mesh does not have.
void check_patches(const Case& flow_case, const std::vector<std::string>& patch_names);

}  // namespace rankine::cases
