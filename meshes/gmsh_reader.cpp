#include "rankine/meshes/gmsh_reader.hpp"

#include <gmsh.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <set>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/gmsh_session.hpp"
#include "rankine/meshes/guarded_read.hpp"
#include "rankine/meshes/stl_file.hpp"

namespace rankine::meshes {
namespace {

constexpr int surface_dimension = 2;

std::vector<int> surfaces() {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, surface_dimension);
  std::vector<int> tags;
  for (const auto& [dimension, tag] : entities) tags.push_back(tag);
  return tags;
}

bool has_surface_elements() {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, surface_dimension);
  return !types.empty();
}

/// Meshes the surfaces of a geometry. CAD files carry no sizes: there, panels follow the curvature.
void mesh_geometry(bool cad, double largest_edge) {
  constexpr double panels_per_turn = 36;
  if (largest_edge > 0.0) {
    gmsh::option::setNumber("Mesh.CharacteristicLengthMax", largest_edge);
  } else if (cad) {
    gmsh::option::setNumber("Mesh.CharacteristicLengthFromCurvature", panels_per_turn);
  }
  gmsh::model::mesh::generate(surface_dimension);
}

/// A file that does not begin with a section would be taken for a script.
void require_mesh_format(const std::filesystem::path& path) {
  char first = 0;
  std::ifstream(path, std::ios::binary) >> first;
  if (first == '$') return;
  throw MeshError(
      "cannot read " + path.string() +
      ": a Gmsh mesh begins with $MeshFormat; give the file the extension of its format");
}

/// STEP and IGES files know their unit, and the CAD kernel turns it into metres where asked to. It
/// refuses for IGES as long as the process has read no CAD file; then it gives millimetres.
double open_cad_in_metres(const std::string& file, bool iges) {
  gmsh::option::setString("Geometry.OCCTargetUnit", "M");
  try {
    gmsh::open(file);
    return 1.0;
  } catch (const std::string&) {
    if (!iges) throw;
  }
  gmsh::clear();
  gmsh::option::setString("Geometry.OCCTargetUnit", "");
  gmsh::open(file);
  return 1e-3;
}

bool is_cad(const std::string& extension) {
  static const std::set<std::string> cad{".step", ".stp", ".iges", ".igs", ".brep"};
  return cad.count(extension) > 0;
}

bool is_geometry(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".geo" || is_cad(extension);
}

/// Opens the file, meshes it where it is a geometry, and returns the length of its unit, m.
double open_model(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string extension = extension_of(path);
  const std::string file = std::filesystem::absolute(path).string();
  const bool iges = extension == ".iges" || extension == ".igs";
  const bool step = extension == ".step" || extension == ".stp";
  double unit = 1.0;
  if (iges || step) {
    unit = open_cad_in_metres(file, iges);
  } else {
    gmsh::open(file);
  }
  if (is_geometry(path) && !has_surface_elements()) {
    mesh_geometry(is_cad(extension), options.size / (options.scale * unit));
  }
  return unit;
}

/// Which surfaces of the model are taken, and the patch of each; -1 where the file names none.
struct Selection {
  std::map<int, int> patch_of_surface;
  std::vector<std::string> names;
  std::vector<std::string> warnings;
};

Selection select_physical_surfaces(const gmsh::vectorpair& groups) {
  Selection selection;
  std::size_t shared = 0;
  for (const auto& [dimension, group] : groups) {
    std::string name;
    gmsh::model::getPhysicalName(dimension, group, name);
    const int patch = static_cast<int>(selection.names.size());
    selection.names.push_back(name.empty() ? "surface" + std::to_string(group) : name);
    std::vector<int> tags;
    gmsh::model::getEntitiesForPhysicalGroup(dimension, group, tags);
    for (const int tag : tags) {
      if (!selection.patch_of_surface.emplace(tag, patch).second) ++shared;
    }
  }
  if (shared > 0) {
    selection.warnings.push_back(std::to_string(shared) +
                                 " surfaces in several physical groups: the first group counts");
  }
  return selection;
}

/// What tells the surfaces of a file without physical groups apart.
enum class Names { none, solids, bodies };

/// The name of an STL solid; of several, one without a name has its number.
std::string solid_name(int tag, std::size_t number, bool several) {
  std::string name;
  gmsh::model::getEntityName(surface_dimension, tag, name);
  return name.empty() && several ? "solid" + std::to_string(number + 1) : name;
}

/// The name that a CAD file gives to the body that the surface belongs to, without those of its
/// assemblies: "Shapes/aircraft/wing" is a wing. Empty where it has none, or the one that the CAD
/// kernel writes in its place.
std::string body_name(int tag) {
  constexpr int volume_dimension = 3;
  std::vector<int> bodies, edges;
  gmsh::model::getAdjacencies(surface_dimension, tag, bodies, edges);
  std::string name;
  if (!bodies.empty()) gmsh::model::getEntityName(volume_dimension, bodies.front(), name);
  name = name.substr(name.rfind('/') + 1);
  return name.starts_with("Open CASCADE STEP translator") ? std::string{} : name;
}

/// Surfaces of one name are one patch; no patches unless every surface has a name.
Selection select_all_surfaces(Names names) {
  Selection selection;
  const std::vector<int> tags = surfaces();
  std::map<std::string, int> patch_of_name;
  for (std::size_t n = 0; n < tags.size(); ++n) {
    const std::string name = names == Names::solids   ? solid_name(tags[n], n, tags.size() > 1)
                             : names == Names::bodies ? body_name(tags[n])
                                                      : std::string{};
    const auto next = static_cast<int>(selection.names.size());
    const auto [at, is_new] = patch_of_name.emplace(name, next);
    if (is_new) selection.names.push_back(name);
    selection.patch_of_surface[tags[n]] = at->second;
  }
  if (patch_of_name.count("") == 0) return selection;
  selection.names.clear();
  for (auto& [tag, patch] : selection.patch_of_surface) patch = -1;
  return selection;
}

Selection select_surfaces(Names names) {
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, surface_dimension);
  return groups.empty() ? select_all_surfaces(names) : select_physical_surfaces(groups);
}

Names names_in(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  if (extension == ".stl") return is_text_stl(path) ? Names::solids : Names::none;
  return is_cad(extension) ? Names::bodies : Names::none;
}

void take_nodes(FileMesh& mesh, double unit) {
  std::vector<std::size_t> tags;
  std::vector<double> parametric;
  gmsh::model::mesh::getNodes(tags, mesh.coordinates, parametric);
  mesh.node_tags.assign(tags.begin(), tags.end());
  for (double& coordinate : mesh.coordinates) coordinate *= unit;
}

/// The corners of the elements of one type, which may have nodes on edges and within, too.
ElementBlock block_of(const std::vector<std::size_t>& tags, const std::vector<std::size_t>& nodes,
                      std::size_t nodes_each, int corners, int order, int patch) {
  ElementBlock block;
  block.corners = corners;
  block.patch = patch;
  block.tags.assign(tags.begin(), tags.end());
  const auto corners_each = static_cast<std::size_t>(corners);
  for (std::size_t e = 0; e < tags.size() && (e + 1) * nodes_each <= nodes.size(); ++e) {
    const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(e * nodes_each);
    const auto middle = first + static_cast<std::ptrdiff_t>(corners_each);
    block.nodes.insert(block.nodes.end(), first, middle);
    if (order != 2 || nodes_each < 2 * corners_each) continue;  // mid-nodes follow the corners
    block.mid_nodes.insert(block.mid_nodes.end(), middle,
                           middle + static_cast<std::ptrdiff_t>(corners_each));
  }
  return block;
}

void take_elements(FileMesh& mesh, const Selection& selection) {
  std::size_t curved = 0, left_out = 0;
  for (const int surface : surfaces()) {
    std::vector<int> types;
    std::vector<std::vector<std::size_t>> tags, corners;
    gmsh::model::mesh::getElements(types, tags, corners, surface_dimension, surface);
    const auto selected = selection.patch_of_surface.find(surface);
    for (std::size_t t = 0; t < types.size(); ++t) {
      std::string name;
      int dimension = 0, order = 0, nodes = 0, primary = 0;
      std::vector<double> local;
      gmsh::model::mesh::getElementProperties(types[t], name, dimension, order, nodes, local,
                                              primary);
      if (selected == selection.patch_of_surface.end() || (primary != 3 && primary != 4)) {
        left_out += tags[t].size();
        continue;
      }
      if (order > 1) curved += tags[t].size();
      mesh.blocks.push_back(block_of(tags[t], corners[t], static_cast<std::size_t>(nodes), primary,
                                     order, selected->second));
    }
  }
  if (curved > 0) {
    mesh.warnings.push_back(std::to_string(curved) +
                            " curved elements are taken as flat panels through their corners");
  }
  if (left_out > 0) {
    mesh.warnings.push_back(std::to_string(left_out) +
                            " surface elements are in no physical surface, or neither triangles "
                            "nor quadrilaterals, and are left out");
  }
}

FileMesh take_mesh(const std::filesystem::path& path, const ReadOptions& options) {
  GmshSession session;
  FileMesh mesh;
  try {
    session.run([&] {
      const double unit = open_model(path, options);
      Selection selection = select_surfaces(names_in(path));
      take_nodes(mesh, unit);
      take_elements(mesh, selection);
      mesh.patch_names = std::move(selection.names);
      for (std::string& warning : selection.warnings) mesh.warnings.push_back(std::move(warning));
    });
  } catch (const GmshFailure& failure) {
    throw MeshError("cannot read " + path.string() + ": " + failure.what() +
                    "; repair the file or export it again");
  }
  constexpr std::size_t most_warnings = 5;
  for (const std::string& warning : session.warnings()) {
    if (mesh.warnings.size() < most_warnings) mesh.warnings.push_back("Gmsh: " + warning);
  }
  return mesh;
}

}  // namespace

SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options) {
  if (extension_of(path) == ".msh") require_mesh_format(path);
  if (extension_of(path) == ".stl") require_finite_stl(path);
  const ReadCost cost = is_geometry(path) ? ReadCost::open : ReadCost::by_size;
  return read_guarded(path, "Gmsh", cost, [&] { return take_mesh(path, options); });
}

}  // namespace rankine::meshes
