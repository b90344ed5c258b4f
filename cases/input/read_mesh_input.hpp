// The table [mesh] of a case file.
#pragma once

#include <filesystem>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

/// A mesh file or a built-in shape, with defaults filled in. Throws InputError at the position of what is
/// wrong.
MeshInput read_mesh_input(const Section& root, const std::filesystem::path& case_file);

}  // namespace rankine::cases
