#include "rankine/meshes/files/mesh_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/files/guarded_read.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/formats/readers.hpp"
#include "rankine/meshes/gmsh/gmsh_files.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"
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

/// The formats read here, without a library.
const std::map<std::string, SurfaceMesh (*)(const fs::path&)>& own_readers() {
  static const std::map<std::string, SurfaceMesh (*)(const fs::path&)> readers{
      {".obj", read_obj},  {".ply", read_ply},        {".off", read_off},   {".mesh", read_medit},
      {".su2", read_su2},  {".gdf", read_gdf},        {".dat", read_nemoh}, {".mar", read_nemoh},
      {".pnl", read_hams}, {".vspgeom", read_vspgeom}};
  return readers;
}

std::string known_extensions() {
  std::set<std::string> extensions = gmsh_extensions();
  extensions.insert(vtk_extensions().begin(), vtk_extensions().end());
  for (const auto& [extension, reader] : own_readers()) extensions.insert(extension);
  std::string text;
  for (const std::string& extension : extensions) text += (text.empty() ? "" : " ") + extension;
  return text;
}

void require_readable(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw MeshError("there is no mesh file " + path.string() + " (looked for " +
                    fs::absolute(path).lexically_normal().string() + "); correct the path");
  }
  if (!fs::is_regular_file(path, error)) {
    throw MeshError(path.string() + " is not a file; name the mesh file itself");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw MeshError("cannot read " + path.string() + ": " + std::generic_category().message(errno) +
                    "; change its permissions");
  }
  if (fs::file_size(path, error) == 0 && !error) {
    throw MeshError("the mesh file " + path.string() + " is empty; export it again");
  }
}

void require_options(const ReadOptions& options) {
  if (!std::isfinite(options.scale) || options.scale <= 0.0) {
    throw InputError("the mesh scale is " + std::to_string(options.scale) +
                     "; it turns file units into metres and must be positive");
  }
  if (!std::isfinite(options.size) || options.size < 0.0) {
    throw InputError("the panel size is " + std::to_string(options.size) +
                     " m; it must be positive, or 0 for an automatic size");
  }
  if (!(options.panel_budget >= 4.0) || !std::isfinite(options.panel_budget)) {
    throw InputError("the panel budget is " + std::to_string(options.panel_budget) +
                     "; it must be at least 4 panels");
  }
  if (!(options.time_limit > 0.0) || !std::isfinite(options.time_limit)) {
    throw InputError("the time limit is " + std::to_string(options.time_limit) +
                     " s; it must be positive");
  }
  const double tolerance = options.repairs.merge_tolerance;
  if (!std::isfinite(tolerance) || tolerance < 0.0) {
    throw InputError("the merge tolerance is " + std::to_string(tolerance) +
                     " m; it must be positive, or 0 for one that follows the size of the mesh");
  }
}

void require_finite(const SurfaceMesh& mesh) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k) {
      const Vec3d& x = mesh.nodes[mesh.elements[e][k]];
      if (is_finite(x)) continue;
      throw MeshError(mesh.source + ": corner " + std::to_string(k) + " of element " +
                      std::to_string(e) + " is at (" + std::to_string(x.x) + ", " +
                      std::to_string(x.y) + ", " + std::to_string(x.z) +
                      "), which is not a place; repair the file");
    }
  }
  for (std::size_t e = 0; e < mesh.mid_nodes.size(); ++e) {
    const MidNodes& middle = mesh.mid_nodes[e];
    if (std::all_of(middle.begin(), middle.end(), is_finite)) continue;
    throw MeshError(mesh.source + ": a node between the corners of element " + std::to_string(e) +
                    " has a coordinate that is not finite, which is not a place; repair the file");
  }
}

}  // namespace

std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

SurfaceMesh finish_mesh(SurfaceMesh mesh, const ReadOptions& options) {
  if (mesh.elements.empty()) {
    throw MeshError(mesh.source +
                    " has no surface elements (triangles or quadrilaterals); is it a mesh in the "
                    "format of its extension, and was its surface meshed and saved?");
  }
  for (std::string& name : mesh.patch_names) name = as_utf8(name);
  PatchChoice choice = options.patches;
  leave_out_faces(mesh, choice);
  const bool named = !mesh.patch_names.empty();
  if (named) {
    separate_faces(mesh, choice);
    choose_patches(mesh, choice);
  }
  drop_unused_nodes(mesh);
  for (Vec3d& node : mesh.nodes) node *= options.scale;
  for (MidNodes& middle : mesh.mid_nodes) {
    for (Vec3d& node : middle) node *= options.scale;
  }
  require_finite(mesh);
  if (const std::size_t merged = merge_coincident_nodes(mesh); merged > 0) {
    mesh.warnings.push_back(std::to_string(merged) + " nodes at the place of another are merged");
  }
  if (const std::size_t collapsed = collapse_quadrilaterals(mesh); collapsed > 0) {
    mesh.warnings.push_back(std::to_string(collapsed) +
                            " quadrilaterals with two corners in one place become triangles");
  }
  repair(mesh, options.repairs);
  const std::filesystem::path path = mesh.source;
  if (options.repairs.unite && (!is_geometry(path) || extension_of(path) == ".geo"))
    mesh.warnings.push_back(unite_bodies(mesh, options.time_limit));
  if (!named) patches_from_bodies(mesh);
  separate_faces(mesh, choice);
  if (!named) choose_patches(mesh, choice);
  return mesh;
}

SurfaceMesh read_mesh(const fs::path& path, const ReadOptions& options) {
  require_options(options);
  require_readable(path);
  const std::string extension = extension_of(path);
  SurfaceMesh mesh;
  if (gmsh_extensions().count(extension) > 0) {
    mesh = read_with_gmsh(path, options);
  } else if (vtk_extensions().count(extension) > 0) {
    mesh = read_guarded(path, "VTK", request_for(Job::vtk_mesh, path));
  } else if (const auto reader = own_readers().find(extension); reader != own_readers().end()) {
    mesh = reader->second(path);
  } else {
    throw MeshError("the mesh file " + path.string() + " has an unknown extension \"" + extension +
                    "\"; known are " + known_extensions());
  }
  mesh.source = path.string();
  return finish_mesh(std::move(mesh), options);
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
