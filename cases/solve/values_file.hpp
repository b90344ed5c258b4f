// Values per panel or node that a user gives in a file: text in columns.
//
// Columns are parted by commas, semicolons or blanks; a first line that is not numbers names them;
// what follows # is passed over.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

struct Column {
  std::string name;  ///< of the header, or "column 1", ...
  std::vector<double> values;
};

/// Columns of a .csv file, or the arrays of one number per cell or point of a .vtp file, all of the
/// same length. Throws InputError with FILE:LINE for what cannot be read.
std::vector<Column> read_columns(const std::filesystem::path& path);

/// The column called `name`; where that is empty, the only one. Throws InputError.
Column pick_column(const std::filesystem::path& path, const std::string& name);

/// Per panel: the values themselves, or where there is one per node of the mesh, means over the
/// corners. Throws InputError where their number is neither that of panels nor of nodes.
std::vector<double> per_panel(const meshes::SurfaceMesh& mesh, const Column& column,
                              const std::filesystem::path& path);

}  // namespace rankine::cases
