// Surfaces in several VTK files, the pieces, and a file that lists them for ParaView (.pvtp).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::meshes {

struct SurfacePiece {
  SurfaceMesh mesh;
  Fields fields;
};

/// Elements [begin, end) with their nodes and the data of both. Nodes are numbered as in `mesh`,
/// without gaps; those between two pieces belong to both.
SurfacePiece piece_of(const SurfaceMesh& mesh, const Fields& fields, std::size_t begin,
                      std::size_t end);

/// Writes the list of files that write_surface_vtp has written, which have these fields. File names
/// are relative to the list.
void write_pieces_pvtp(const std::filesystem::path& path, const Fields& fields,
                       std::span<const std::string> files);

}  // namespace rankine::meshes
