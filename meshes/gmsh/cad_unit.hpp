// The unit of length that a CAD file names, as text to be read by people; the CAD kernel converts.
#pragma once

#include <filesystem>
#include <string>

namespace rankine::meshes {

/// "millimetres", "inches", ... of a STEP or an IGES file; empty where the file names none that is
/// known.
std::string cad_unit(const std::filesystem::path& path);

}  // namespace rankine::meshes
