// The cell data of a surface.vtp.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rankine::testing {

/// Every array of doubles by name, its components one after the other; empty where the file cannot
/// be read.
std::map<std::string, std::vector<double>> read_surface_data(const std::filesystem::path& file);

}  // namespace rankine::testing
