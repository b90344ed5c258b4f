#include "rankine/meshes/gmsh/gmsh_reader.hpp"

#include <gmsh.h>

#include <fstream>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/gmsh/gmsh_geometry.hpp"
#include "rankine/meshes/gmsh/gmsh_model.hpp"
#include "rankine/meshes/gmsh/gmsh_session.hpp"
#include "rankine/meshes/files/guarded_read.hpp"
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

FileMesh take_mesh(const std::filesystem::path& path, Names names) {
  GmshSession session;
  FileMesh mesh;
  try {
    session.run([&] {
      gmsh::open(std::filesystem::absolute(path).string());
      mesh = take_model(names, 1.0);
    });
  } catch (const GmshFailure& failure) {
    throw MeshError("cannot read " + path.string() + ": " + failure.what() +
                    "; repair the file or export it again");
  }
  session.add_warnings(mesh.warnings);
  return mesh;
}

}  // namespace

SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options) {
  if (is_geometry(path)) return read_geometry(path, options);
  const bool stl = extension_of(path) == ".stl";
  if (extension_of(path) == ".msh") require_mesh_format(path);
  if (stl) require_finite_stl(path);
  const Names names = stl && is_text_stl(path) ? Names::solids : Names::none;
  return read_guarded(path, "Gmsh", [&] { return take_mesh(path, names); });
}

}  // namespace rankine::meshes
