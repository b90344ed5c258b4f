// What rankine-reader does: each function reads the rest of a request, as the function of the same
// purpose in gmsh/ and vtk/ writes it, and returns the answer. Throws MeshError or InputError for a
// file that cannot be read.
#pragma once

#include <vector>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/files/child_service.hpp"

namespace rankine::meshes {

std::vector<char> read_gmsh_mesh(ByteReader& request);
std::vector<char> mesh_gmsh_geometry(ByteReader& request, const SendProgress& send);
std::vector<char> run_gmsh_script(ByteReader& request);
std::vector<char> write_gmsh_mesh(ByteReader& request);
std::vector<char> read_vtk_mesh(ByteReader& request);
std::vector<char> read_vtk_scalars(ByteReader& request);
std::vector<char> read_vtk_point_columns(ByteReader& request);
std::vector<char> read_vtk_point_places(ByteReader& request);
std::vector<char> unite_triangles(ByteReader& request);

// Takes from a process what a program that only reads files has no use for, so that a file which
// misuses the library that reads it cannot use it either.

enum class Files { read_only, writable };

/// From here on no thread of this process starts a process, runs a program, opens a socket, signals
/// or traces a process, or gains rights; with `read_only` none makes, opens for writing, renames,
/// removes or changes a file. These calls fail with EPERM. False where the system has no such
/// filter (seccomp) for this processor: then nothing is taken.
bool confine(Files files);

}  // namespace rankine::meshes
