#include "rankine/meshes/reader/gmsh_model.hpp"

#include <gmsh.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

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

/// Which surfaces of the model are taken, and the patch of each; -1 where the file names none.
struct Selection {
  std::map<int, int> patch_of_surface;
  bool physical = false;
  std::vector<std::string> names;
  std::vector<std::string> warnings;
};

Selection select_physical_surfaces(const gmsh::vectorpair& groups) {
  Selection selection;
  selection.physical = true;
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

/// `faces`: elements keep the numbers of their surfaces.
void take_elements(FileMesh& mesh, const Selection& selection, bool faces) {
  std::size_t second_order = 0, others = 0, left_out = 0;
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
      mesh.blocks.push_back(block_of(tags[t], corners[t], static_cast<std::size_t>(nodes), primary,
                                     order, selected->second));
      if (faces) mesh.blocks.back().face = surface;
      if (order > 1)
        (mesh.blocks.back().mid_nodes.empty() ? others : second_order) += tags[t].size();
    }
  }
  warn_of_curved(mesh.warnings, second_order, others);
  if (left_out > 0) {
    mesh.warnings.push_back(std::to_string(left_out) +
                            " surface elements are in no physical surface, or neither triangles "
                            "nor quadrilaterals, and are left out");
  }
}

/// The outer faces of the volume elements.
void take_skin(FileMesh& mesh) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, surface_dimension + 1);
  Skin skin;
  for (const int type : types) {
    for (const int corners : {3, 4}) {
      std::vector<std::size_t> faces;
      gmsh::model::mesh::getElementFaceNodes(type, corners, faces, -1, true);
      for (auto at = faces.begin(); at != faces.end(); at += corners) skin.add({at, at + corners});
    }
  }
  skin.give(mesh);
}

}  // namespace

FileMesh take_model(Names names, double unit) {
  FileMesh mesh;
  Selection selection = select_surfaces(names);
  take_nodes(mesh, unit);
  take_elements(mesh, selection,
                !selection.physical && names != Names::solids && surfaces().size() > 1);
  if (mesh.blocks.empty())
    take_skin(mesh);
  else
    mesh.patch_names = std::move(selection.names);
  for (std::string& warning : selection.warnings) mesh.warnings.push_back(std::move(warning));
  return mesh;
}

}  // namespace rankine::meshes
