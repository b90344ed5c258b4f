// The length unit declared in a CAD file, as text for messages; the CAD kernel does the conversion.
#pragma once

#include <filesystem>
#include <string>

namespace rankine::meshes {

/// "millimetres", "inches", ... for a STEP or IGES file; empty if the unit is missing or unknown.
std::string cad_unit(const std::filesystem::path& path);

}  // namespace rankine::meshes
