// Reads a case file (TOML, version 1) into a Case, and writes it back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/case_file.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

/// `overrides` are `key=value` texts with dotted keys, applied in order to the parsed file.
/// Relative paths refer to the folder of the case file. Throws one InputError that lists, with
/// FILE:LINE:COLUMN, every key that is unknown, missing, of the wrong type or out of range.
Case read_case(const CaseFile& file, const std::vector<std::string>& overrides = {});

/// The text of case.resolved.toml: the same case with every default written out. Paths are relative
/// to `folder`.
std::string write_case(const Case& flow_case, const std::filesystem::path& folder);

/// All tables of a case with a surface.
std::vector<TableText> surface_tables();

/// The keys before the first table, and the names of all tables.
void head_keys(Keys& keys, std::string& title);

/// Throws InputError if a boundary condition names a patch that the mesh does not have.
void check_patches(const Case& flow_case, const std::vector<std::string>& patch_names);

}  // namespace rankine::cases
