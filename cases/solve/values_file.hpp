// Values per panel or node from a user's file, text in columns.
//
// Columns are separated by commas, semicolons or blanks. A first line that is not numeric has their
// names. Text after # is a comment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

struct Column {
  std::string name;  ///< from the header, or "column 1", ...
  std::vector<double> values;
};

/// The columns of a .csv file, or the scalar cell or point arrays of a .vtp file; all have the same
/// length. Throws InputError with FILE:LINE for text that is not valid.
std::vector<Column> read_columns(const std::filesystem::path& path);

/// The column `name`, or the only column if `name` is empty. Throws InputError.
Column pick_column(const std::filesystem::path& path, const std::string& name);

/// Values per panel: those of the column, or with one value per node the means over the corners.
/// Throws InputError if their number is neither that of panels nor that of nodes.
std::vector<double> per_panel(const meshes::SurfaceMesh& mesh, const Column& column,
                              const std::filesystem::path& path);

}  // namespace rankine::cases
