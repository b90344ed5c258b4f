// Bodies in the binary format of TIPSY, which many N-body programs write: a header, then records of
// gas, dark matter and stars in single precision.
//
//   header   time (double), bodies, dimensions, gas, dark, star (int), and 4 unused bytes, if any
//   record   mass, x y z, vx vy vz, and 5, 2 or 4 more values (float)
//
// Numbers may have either byte order: the one in which the header says three dimensions is right.
#pragma once

#include <filesystem>
#include <vector>

#include "cases/solve/values_file.hpp"

namespace rankine::cases {

/// Columns mass, x, y, z, vx, vy, vz. Throws InputError for files that are not of this format or
/// cut off.
std::vector<Column> read_tipsy(const std::filesystem::path& path);

}  // namespace rankine::cases
