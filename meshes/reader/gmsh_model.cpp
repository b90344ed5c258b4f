#include "rankine/meshes/reader/gmsh_model.hpp"

#include <gmsh.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/reader/gmsh_curves.hpp"

namespace rankine::meshes {
namespace {

constexpr int curve_dimension = 1;
constexpr std::size_t most_along_curve = 200;

/// The panel edge for a curvature; infinite for zero or invalid curvature.
double edge_on(double curvature) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const double size = 2.0 * std::numbers::pi / (limits::panels_per_turn * std::abs(curvature));
  return size > 0.0 ? size : none;
}

/// Runs `work`; returns whether the CAD kernel succeeded. Its exceptions are not std::exception.
template <class Work>
bool evaluated(Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return false;
  }
  return true;
}

std::vector<int> tags_of(int dimension) {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  std::vector<int> tags;
  for (const auto& [same, tag] : entities) tags.push_back(tag);
  return tags;
}

/// The length or area; 0 if the CAD kernel cannot compute it.
double measure_of(int dimension, int tag) {
  double value = 0.0;
  const bool known = evaluated([&] { gmsh::model::occ::getMass(dimension, tag, value); });
  return known && std::isfinite(value) ? std::abs(value) : 0.0;
}

Vec3d point_of(const std::vector<double>& coordinates, std::size_t k) {
  return {coordinates[3 * k], coordinates[3 * k + 1], coordinates[3 * k + 2]};
}

/// Samples a curve: panels must follow its curvature and must not be longer than it.
void sample_curve(int tag, double unit, double smallest, std::vector<SizeSample>& samples) {
  const double length = measure_of(curve_dimension, tag);
  if (!(length * unit > smallest)) return;  // a pole or a spurious edge
  std::vector<double> lower, upper;
  gmsh::model::getParametrizationBounds(curve_dimension, tag, lower, upper);
  std::vector<double> parameters(most_along_curve), places, curvatures;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const double t = (static_cast<double>(k) + 0.5) / static_cast<double>(parameters.size());
    parameters[k] = lower[0] + t * (upper[0] - lower[0]);
  }
  gmsh::model::getValue(curve_dimension, tag, parameters, places);
  gmsh::model::getCurvature(curve_dimension, tag, parameters, curvatures);
  if (places.size() != 3 * parameters.size()) return;
  curvatures.resize(parameters.size(), 0.0);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    samples.push_back({.place = unit * point_of(places, k),
                       .size = unit * std::min(length, edge_on(curvatures[k])),
                       .reach = 0.5 * unit * length / static_cast<double>(parameters.size()),
                       .area = 0.0});
  }
}

/// A grid in the parameter space of a surface.
struct SurfaceGrid {
  std::size_t side;
  std::vector<double> parameters;  ///< u and v at the centres of side^2 cells
  double cell_u = 0.0, cell_v = 0.0;

  SurfaceGrid(int tag, std::size_t cells_along) : side(cells_along) {
    std::vector<double> lower, upper;
    gmsh::model::getParametrizationBounds(surface_dimension, tag, lower, upper);
    cell_u = (upper[0] - lower[0]) / static_cast<double>(side);
    cell_v = (upper[1] - lower[1]) / static_cast<double>(side);
    for (std::size_t i = 0; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j) {
        parameters.push_back(lower[0] + (static_cast<double>(i) + 0.5) * cell_u);
        parameters.push_back(lower[1] + (static_cast<double>(j) + 0.5) * cell_v);
      }
    }
  }
};

/// The maximum curvature at every point; empty if the CAD kernel cannot compute it.
std::vector<double> curvatures_on(int tag, const std::vector<double>& parameters) {
  std::vector<double> largest, least, along_largest, along_least;
  gmsh::model::getPrincipalCurvatures(tag, parameters, largest, least, along_largest, along_least);
  std::vector<double> curvatures(parameters.size() / 2, 0.0);
  for (std::size_t k = 0; k < std::min(curvatures.size(), largest.size()); ++k) {
    const double greatest = std::max(std::abs(largest[k]), std::abs(least[k]));
    if (std::isfinite(greatest)) curvatures[k] = greatest;
  }
  return curvatures;
}

/// Samples a surface. Its area is divided equally among the samples; on a trimmed surface samples
/// outside it are omitted.
void sample_surface(int tag, std::size_t side, double unit, double area,
                    std::vector<SizeSample>& samples) {
  const SurfaceGrid grid(tag, side);
  std::vector<double> places, derivatives;
  gmsh::model::getValue(surface_dimension, tag, grid.parameters, places);
  gmsh::model::getDerivative(surface_dimension, tag, grid.parameters, derivatives);
  const std::vector<double> curvatures = curvatures_on(tag, grid.parameters);
  const std::size_t count = curvatures.size();
  if (places.size() != 3 * count || derivatives.size() != 6 * count) return;
  std::vector<SizeSample> own;
  double whole = 0.0, inside = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d along_u = grid.cell_u * point_of(derivatives, 2 * k),
                along_v = grid.cell_v * point_of(derivatives, 2 * k + 1);
    own.push_back({.place = unit * point_of(places, k),
                   .size = unit * edge_on(curvatures[k]),
                   .reach = 0.5 * unit * std::max(norm(along_u), norm(along_v)),
                   .area = norm(cross(along_u, along_v))});
    whole += own.back().area;
  }
  const bool trimmed = whole > fitted::surface_samples.untrimmed * area;
  const std::size_t first = samples.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (!(own[k].area > 0.0)) continue;
    if (trimmed && gmsh::model::isInside(surface_dimension, tag,
                                         {grid.parameters[2 * k], grid.parameters[2 * k + 1]}) == 0)
      continue;
    samples.push_back(own[k]);
    inside += own[k].area;
  }
  for (std::size_t k = first; k < samples.size(); ++k)
    samples[k].area *= unit * unit * area / inside;
}

std::vector<int> surfaces() {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, surface_dimension);
  std::vector<int> tags;
  for (const auto& [dimension, tag] : entities) tags.push_back(tag);
  return tags;
}

/// The selected surfaces of the model, and the patch of each; -1: none.
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

/// The name of an STL solid; if there are several, a solid without a name gets its number.
std::string solid_name(int tag, std::size_t number, bool several) {
  std::string name;
  gmsh::model::getEntityName(surface_dimension, tag, name);
  return name.empty() && several ? "solid" + std::to_string(number + 1) : name;
}

/// The CAD name of the body of a surface, without its assemblies: "wing" for
/// "Shapes/aircraft/wing". Empty if it has none, or only the default name of the CAD kernel.
std::string body_name(int tag) {
  constexpr int volume_dimension = 3;
  std::vector<int> bodies, edges;
  gmsh::model::getAdjacencies(surface_dimension, tag, bodies, edges);
  std::string name;
  if (!bodies.empty()) gmsh::model::getEntityName(volume_dimension, bodies.front(), name);
  name = name.substr(name.rfind('/') + 1);
  return name.starts_with("Open CASCADE STEP translator") ? std::string{} : name;
}

/// Selects all surfaces. Those of equal name form a patch; no patches unless all have names.
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

/// The corners of elements of one type, which may also have nodes on edges and inside.
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
    if (order != 2 || nodes_each < 2 * corners_each) continue;  // mid-edge nodes follow the corners
    block.mid_nodes.insert(block.mid_nodes.end(), middle,
                           middle + static_cast<std::ptrdiff_t>(corners_each));
  }
  return block;
}

/// Adds the surface elements. `faces`: elements keep the numbers of their surfaces.
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

/// Adds the outer faces of the volume elements.
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

Features sample_features(double unit) {
  Vec3d lower, upper;
  gmsh::model::getBoundingBox(-1, -1, lower.x, lower.y, lower.z, upper.x, upper.y, upper.z);
  const double smallest = limits::same_place * unit * norm(upper - lower);
  Features features;
  for (const int tag : tags_of(curve_dimension)) {
    evaluated([&] { sample_curve(tag, unit, smallest, features.samples); });
  }
  const std::vector<int> surfaces = tags_of(surface_dimension);
  const double side =
      std::sqrt(fitted::surface_samples.most / static_cast<double>(surfaces.size()));
  for (const int tag : surfaces) {
    const double area = measure_of(surface_dimension, tag);
    features.area += unit * unit * area;
    evaluated([&] {
      sample_surface(tag,
                     static_cast<std::size_t>(std::clamp(side, fitted::surface_samples.least_side,
                                                         fitted::surface_samples.most_side)),
                     unit, area, features.samples);
    });
  }
  features.surfaces = static_cast<int>(surfaces.size());
  return features;
}

GmshSession::GmshSession(const std::string& home) {
  for (const char* place : {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    ::setenv(place, home.c_str(), 1);
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::option::setNumber("General.NumThreads", 1);
  gmsh::logger::start();
}

GmshSession::~GmshSession() {
  gmsh::logger::stop();
  gmsh::finalize();
}

void GmshSession::run(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::string& message) {
    throw GmshFailure(printable(message));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::length_error&) {
    throw;
  } catch (const std::exception& error) {
    throw GmshFailure(printable(error.what()));
  } catch (int code) {
    throw GmshFailure("Gmsh error " + std::to_string(code));
  } catch (...) {  // OpenCASCADE exceptions, which are not std::exception
    throw GmshFailure("an error that Gmsh does not name");
  }
}

void GmshSession::add_warnings(std::vector<std::string>& list) const {
  constexpr std::size_t most_warnings = 5;
  const std::string level = "Warning: ";
  std::vector<std::string> log;
  gmsh::logger::get(log);
  for (const std::string& line : log) {
    if (line.starts_with(level) && list.size() < most_warnings)
      list.push_back("Gmsh: " + printable(line.substr(level.size())));
  }
}

FileMesh take_model(Names names, double unit) {
  FileMesh mesh;
  Selection selection = select_surfaces(names);
  take_nodes(mesh, unit);
  take_elements(mesh, selection,
                !selection.physical && names != Names::solids && surfaces().size() > 1);
  const bool has_surfaces = !mesh.blocks.empty();
  if (has_surfaces) mesh.patch_names = std::move(selection.names);
  if (!has_surfaces) take_skin(mesh);
  mesh.curves = named_curves(unit);
  for (std::string& warning : selection.warnings) mesh.warnings.push_back(std::move(warning));
  return mesh;
}

}  // namespace rankine::meshes
