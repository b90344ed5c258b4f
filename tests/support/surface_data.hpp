// The cell data of a surface.vtp, for comparison.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rankine::cases {

/// Every array of doubles by name, its components one after the other; empty where the file cannot
/// be read.
std::map<std::string, std::vector<double>> read_surface_data(const std::filesystem::path& file);

/// |a - b| / |b| in the 2-norm; infinite where the sizes differ.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace rankine::cases
