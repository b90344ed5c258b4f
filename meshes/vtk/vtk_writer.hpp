// Results as VTK XML files for ParaView.
//
// Inline base64 with LZ4 and 64-bit headers, never an appended section, which ParaView 5.11 of
// Debian 12 cannot open. Each file appears whole or not at all. All functions throw InputError when
// the file cannot be written.
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

/// A named array, `components` values (1 or 3) per cell or point, one after the other.
/// Values of points or cells; those of "vtkGhostType" are flags: 2 hides a point.
struct Field {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct Fields {
  std::vector<Field> cell;
  std::vector<Field> point;
};

/// Names and texts kept as field data, such as title, version and units.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Nodes and panels with cell array `patch` (an integer) and field data `patch_names`. `lines` from
/// node to node come before the panels in cell arrays; their patch is -1.
void write_surface_vtp(const std::filesystem::path& path, const SurfaceMesh& mesh,
                       const Fields& fields, const Metadata& metadata = {},
                       std::span<const std::array<std::int32_t, 2>> lines = {});

/// Points origin + (i, j, k) spacing, i < points[0], …, i fastest. One layer makes a plane.
struct Grid {
  Vec3d origin, spacing;
  std::array<int, 3> points{1, 1, 1};
};

void write_volume_vti(const std::filesystem::path& path, const Grid& grid, const Fields& fields,
                      const Metadata& metadata = {});

/// Points one by one, each a vertex cell.
void write_points_vtp(const std::filesystem::path& path, const std::vector<Vec3d>& points,
                      const Fields& fields, const Metadata& metadata = {});

/// Polylines, each through as many of the points as `sizes` says, one after the other.
void write_lines_vtp(const std::filesystem::path& path, const std::vector<Vec3d>& points,
                     const std::vector<std::size_t>& sizes, const Fields& fields,
                     const Metadata& metadata = {});

/// A ParaView collection: each step's time (or parameter) and file, relative to the collection.
void write_collection_pvd(const std::filesystem::path& path,
                          const std::vector<std::pair<double, std::filesystem::path>>& steps);

}  // namespace rankine::meshes
