// Writes results as VTK XML files for ParaView.
//
// Data are inline Base64 with LZ4 and 64-bit headers; ParaView 5.11 of Debian 12 cannot open an
// appended section. Each file is written completely or not at all. All functions throw InputError
// if the file cannot be written.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// A named array with `components` values (1 or 3) per cell or point, cell by cell or point by
/// point. Values of "vtkGhostType" are flags: 2 hides a point.
struct Field {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct Fields {
  std::vector<Field> cell;
  std::vector<Field> point;
};

/// Names and texts for field data, such as title, version and units.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Writes nodes and panels with the cell array `patch` (integer) and the field data `patch_names`.
/// `lines` from node to node precede the panels in cell arrays; their patch is -1.
void write_surface_vtp(const std::filesystem::path& path, const SurfaceMesh& mesh,
                       const Fields& fields, const Metadata& metadata = {},
                       std::span<const std::array<std::int32_t, 2>> lines = {});

/// The points origin + (i, j, k) spacing, i < points[0], …; i varies fastest. A single layer is a
/// plane.
struct Grid {
  Vec3d origin, spacing;
  std::array<int, 3> points{1, 1, 1};
};

void write_volume_vti(const std::filesystem::path& path, const Grid& grid, const Fields& fields,
                      const Metadata& metadata = {});

/// Writes points, each as a vertex cell.
void write_points_vtp(const std::filesystem::path& path, const std::vector<Vec3d>& points,
                      const Fields& fields, const Metadata& metadata = {});

/// Writes polylines; line k has the next sizes[k] points.
void write_lines_vtp(const std::filesystem::path& path, const std::vector<Vec3d>& points,
                     const std::vector<std::size_t>& sizes, const Fields& fields,
                     const Metadata& metadata = {});

/// Writes a ParaView collection: the time (or parameter) and file of each step, relative to the
/// collection.
void write_collection_pvd(const std::filesystem::path& path,
                          const std::vector<std::pair<double, std::filesystem::path>>& steps);

}  // namespace rankine::meshes
