// Numbers that a .vtp file holds for its cells and points.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

struct ScalarArray {
  std::string name;
  std::vector<double> values;  ///< one per cell or point
};

/// The arrays of one component, those of cells first; a point array with the name of one of them is left
/// out. Read in a child process, which a damaged file may crash. Throws InputError where the file is
/// missing, damaged, or holds none, or a value that is not finite.
std::vector<ScalarArray> read_vtp_scalars(const std::filesystem::path& path);

/// The points of a .vtp file as x, y and z, and its point arrays: of one component under their own names,
/// of three as NAME_x, NAME_y and NAME_z. As read_vtp_scalars otherwise.
std::vector<ScalarArray> read_vtp_point_columns(const std::filesystem::path& path);

/// The points of a .vtp, .vtu or .vtk file, whatever cells it has, m. Read in a child process. Throws InputError where
/// the file is missing, damaged, of another kind, or holds none, or one that is not finite.
std::vector<Vec3d> read_vtk_points(const std::filesystem::path& path);

}  // namespace rankine::meshes
