#include "rankine/meshes/files/mesh_file.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/guarded_read.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/formats/own_formats.hpp"
#include "rankine/meshes/gmsh/gmsh_files.hpp"
#include "rankine/meshes/repair/remesh.hpp"
#include "rankine/meshes/repair/unite.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;

const std::set<std::string>& gmsh_extensions() {
  static const std::set<std::string> extensions{".msh", ".geo",  ".stl",  ".unv", ".step",
                                                ".stp", ".brep", ".iges", ".igs"};
  return extensions;
}

const std::set<std::string>& vtk_extensions() {
  static const std::set<std::string> extensions{".vtk", ".vtp", ".vtu"};
  return extensions;
}

std::string known_extensions() {
  std::set<std::string> extensions = gmsh_extensions();
  extensions.insert(vtk_extensions().begin(), vtk_extensions().end());
  extensions.merge(own_extensions());
  std::string text;
  for (const std::string& extension : extensions) text += (text.empty() ? "" : " ") + extension;
  return text;
}

}  // namespace

SurfaceMesh read_mesh(const fs::path& path, const ReadOptions& options) {
  require_options(options);
  require_readable(path);
  const std::string extension = extension_of(path);
  SurfaceMesh mesh;
  if (auto own = read_own_format(path)) {
    mesh = std::move(*own);
  } else if (gmsh_extensions().count(extension) > 0) {
    mesh = read_with_gmsh(path, options);
  } else if (vtk_extensions().count(extension) > 0) {
    mesh = read_guarded(path, "VTK", request_for(Job::vtk_mesh, path));
  } else {
    throw MeshError("the mesh file " + path.string() + " has an unknown extension \"" + extension +
                    "\"; known are " + known_extensions());
  }
  mesh.source = path.string();
  ReaderRepairs reader{.join = is_cad(path)};
  const bool solids_united =
      std::any_of(mesh.warnings.begin(), mesh.warnings.end(),
                  [](const std::string& warning) { return warning.starts_with("union: "); });
  if (options.repairs.unite && !solids_united)
    reader.unite = [&](SurfaceMesh& bodies) { return unite_bodies(bodies, options.time_limit); };
  if (options.repairs.wrap)
    reader.wrap = [&](SurfaceMesh& named) { return wrap(named, options.size, options.time_limit); };
  if (options.repairs.remesh) {
    reader.remesh = [&](SurfaceMesh& named) {
      return remesh(named, options.size, options.sharp_angle, options.time_limit);
    };
  }
  return finish_mesh(std::move(mesh), options, reader);
}

void write_mesh(const fs::path& path, const SurfaceMesh& mesh, const WriteOptions& options) {
  const std::string extension = extension_of(path);
  if (extension == ".msh" || extension == ".stl") {
    write_with_gmsh(path, mesh, options);
  } else if (extension == ".vtp") {
    write_surface_vtp(path, mesh, {});
  } else {
    throw InputError("cannot write " + path.string() +
                     ": a mesh is written as .msh, .stl or .vtp, "
                     "not as \"" +
                     extension + "\"");
  }
}

}  // namespace rankine::meshes
