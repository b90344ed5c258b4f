// Reads bodies in the binary format TIPSY of many N-body programs: a header, then records of gas,
// dark matter and stars in single precision.
//
//   header   time (double), bodies, dimensions, gas, dark, star (int), and 4 unused bytes, if any
//   record   mass, x y z, vx vy vz, and 5, 2 or 4 more values (float)
//
// The byte order is the one in which the header has three dimensions.
#pragma once

#include <filesystem>
#include <vector>

#include "cases/solve/values_file.hpp"

namespace rankine::cases {

/// Columns mass, x, y, z, vx, vy, vz. Throws InputError for files of another format and for
/// truncated files.
std::vector<Column> read_tipsy(const std::filesystem::path& path);

}  // namespace rankine::cases
