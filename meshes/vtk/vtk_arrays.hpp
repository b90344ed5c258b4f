// Reads arrays and points of VTK files with VTK in rankine-vtk-reader.
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

/// The scalar arrays of a .vtp file, cell arrays first; a point array with the name of a cell array
/// is omitted. Throws InputError if the file is missing or damaged, has no such array, or has a
/// value that is not finite.
std::vector<ScalarArray> read_vtp_scalars(const std::filesystem::path& path);

/// The points of a .vtp file as x, y and z, and its point arrays: scalars under their names,
/// vectors as NAME_x, NAME_y and NAME_z. Throws as read_vtp_scalars().
std::vector<ScalarArray> read_vtp_point_columns(const std::filesystem::path& path);

/// The points of a .vtp, .vtu or .vtk file with any cells, m. Throws InputError if the file is
/// missing, damaged or of another kind, or has no points or one that is not finite.
std::vector<Vec3d> read_vtk_points(const std::filesystem::path& path);

}  // namespace rankine::meshes
