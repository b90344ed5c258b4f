#include "rankine/meshes/gmsh/gmsh_files.hpp"

#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/guarded_read.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/output_file.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/formats/stl_file.hpp"

namespace rankine::meshes {
namespace {

/// A file that does not begin with a section would be taken for a script.
void require_mesh_format(const std::filesystem::path& path) {
  char first = 0;
  std::ifstream(path, std::ios::binary) >> first;
  if (first == '$') return;
  throw MeshError(
      "cannot read " + path.string() +
      ": a Gmsh mesh begins with $MeshFormat; give the file the extension of its format");
}

}  // namespace

SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options) {
  if (is_geometry(path)) return read_geometry(path, options);
  const bool stl = extension_of(path) == ".stl";
  if (extension_of(path) == ".msh") require_mesh_format(path);
  if (stl) require_finite_stl(path);
  const PrivateFolder folder;
  ByteWriter request = request_for(Job::gmsh_mesh, path, folder);
  request.value(stl && is_text_stl(path));  // whether names tell the surfaces apart
  return read_guarded(path, "Gmsh", std::move(request));
}

void write_with_gmsh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                     const WriteOptions& options) {
  const PrivateFolder folder;
  ByteWriter request = request_for(Job::gmsh_write, path, folder);
  request.value(options.binary);
  request.value(options.msh_version);
  put(request, mesh);
  std::vector<char> file;
  try {
    file = ask_reader(std::move(request));
  } catch (const ChildDied& death) {
    throw InputError("cannot write " + path.string() + ": Gmsh " + death.what());
  } catch (const std::system_error& error) {
    throw InputError("cannot write " + path.string() +
                     ": no process to write it in could be "
                     "started: " +
                     error.what() +
                     "; end other programs, or raise the limits of "
                     "this account");
  }
  write_file(path, [&](std::ostream& stream) { stream.write(file.data(), std::ssize(file)); });
}

}  // namespace rankine::meshes
