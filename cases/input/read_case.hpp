// Reads a case file (TOML, version 1) into a Case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/case_file.hpp"

namespace rankine::cases {

/// `overrides` are `key=value` texts with dotted keys, applied in order after the file is parsed.
/// Relative paths are resolved against the folder of the case file. Throws InputError with
/// FILE:LINE:COLUMN for anything that is unknown, missing, of the wrong type or out of range.
Case read_case(const CaseFile& file, const std::vector<std::string>& overrides = {});

/// Throws InputError where a boundary names a patch that the mesh does not have.
void check_patches(const Case& flow_case, const std::vector<std::string>& patch_names);

}  // namespace rankine::cases
