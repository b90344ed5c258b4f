// The jobs of rankine-reader and rankine-vtk-reader. Each function reads the rest of a request,
// written by its counterpart in gmsh/ or vtk/, and returns the answer. Throws MeshError or
// InputError for a file that cannot be read.
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
std::vector<char> remesh_triangles(ByteReader& request);
std::vector<char> wrap_triangles(ByteReader& request);

// Removes the rights that a program that only reads files does not need, so that a malicious file
// cannot use them through a flaw in a library.

enum class Files { read_only, writable };

/// From this call on no thread can start a process, run a program, open a socket, signal or trace a
/// process, or gain rights; with `read_only` none can create, open for writing, rename, remove or
/// change a file. Such calls fail with EPERM. Returns false, without effect, if the system has no
/// such filter (seccomp) for this processor.
bool confine(Files files);

}  // namespace rankine::meshes
