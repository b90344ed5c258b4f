#include <gmsh.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/gmsh/geometry_task.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/reader/gmsh_model.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {
namespace {

/// The file of a request (see request_for): `path` for messages, `opened` for Gmsh.
struct GmshFile {
  std::filesystem::path path;
  std::string home, opened;

  explicit GmshFile(ByteReader& request)
      : path(request.text()), home(request.text()), opened(request.text()) {}
};

/// The mesh that `work` reads from Gmsh. Failures become MeshErrors; after `meshing` is true, those
/// of meshing: "failed (...)".
template <class Work>
std::vector<char> mesh_of(const GmshFile& file, Work&& work, const bool& meshing = false) {
  GmshSession session(file.home);
  FileMesh mesh;
  try {
    session.run([&] { mesh = work(); });
  } catch (const GmshFailure& failure) {
    if (meshing) throw MeshError(std::string("failed (") + failure.what() + ")");
    throw MeshError("cannot read " + file.path.string() + ": " + failure.what() +
                    "; repair the file or export it again");
  }
  session.add_warnings(mesh.warnings);
  return to_bytes(to_surface_mesh(std::move(mesh), file.path));
}

bool has_elements(int surface) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, surface_dimension, surface);
  return !types.empty();
}

/// Opens a CAD file and returns the length of the model's unit, m. The CAD kernel converts STEP and
/// IGES files from their unit to the requested one. IGES always becomes millimetres: the kernel
/// rejects other units in the first file of a process, after which nothing can be opened.
double open_cad(const GmshFile& file, bool sew) {
  constexpr double millimetre = 1e-3;
  const std::string extension = extension_of(file.path);
  const bool step = extension == ".step" || extension == ".stp";
  if (step) gmsh::option::setString("Geometry.OCCTargetUnit", "M");
  if (extension.starts_with(".ig") && sew) {
    gmsh::option::setNumber("Geometry.OCCSewFaces", 1);
    gmsh::option::setNumber("Geometry.Tolerance", limits::stitched_within);
  }
  gmsh::open(file.opened);
  return step || extension == ".brep" ? 1.0 : millimetre;
}

PanelSizes sizes_for(const Features& features, const GeometryTask& task) {
  const double automatic = PanelSizes::edge_for(features.area, 0.5 * task.panel_budget);
  const double largest = task.size > 0.0 ? task.size : automatic;
  const double plain = features.area / (PanelSizes::triangle_area * largest * largest);
  return {features.samples, largest, std::max(task.panel_budget, 2.0 * plain)};
}

/// Meshes the model with the panel sizes `sizes` only. `unit`: the model's unit of length, m.
/// Calls `on_surface` when the mesher begins another surface.
void generate(const PanelSizes& sizes, double unit, const std::function<void()>& on_surface) {
  constexpr double frontal = 6;
  for (const std::string source : {"ExtendFromBoundary", "FromPoints", "FromCurvature"})
    gmsh::option::setNumber("Mesh.CharacteristicLength" + source, 0);
  gmsh::option::setNumber("Mesh.Algorithm", frontal);
  int last = 0;
  gmsh::model::mesh::setSizeCallback([&](int dimension, int tag, double x, double y, double z) {
    if (dimension == surface_dimension && tag != last) {
      last = tag;
      on_surface();
    }
    return sizes.at({unit * x, unit * y, unit * z}) / unit;
  });
  gmsh::model::mesh::generate(surface_dimension);
  gmsh::model::mesh::removeSizeCallback();
}

/// Makes solids of closed shells if there are several shells, because IGES files contain only
/// faces.
void make_solids() {
  gmsh::vectorpair faces;
  gmsh::model::getEntities(faces, surface_dimension);
  std::map<int, std::vector<int>> faces_at, curves_of;  // a face has its seam twice
  for (const auto& [dimension, face] : faces) {
    gmsh::vectorpair curves;
    gmsh::model::getBoundary({{dimension, face}}, curves, false, false);
    for (const auto& [one, curve] : curves) {
      faces_at[curve].push_back(face);
      curves_of[face].push_back(curve);
    }
  }
  const bool open = std::any_of(faces_at.begin(), faces_at.end(),
                                [](const auto& each) { return each.second.size() % 2 == 1; });
  if (open) return;
  std::set<int> seen;
  std::vector<std::vector<int>> shells;
  for (const auto& [dimension, first] : faces) {
    if (!seen.insert(first).second) continue;
    std::vector<int>& shell = shells.emplace_back(1, first);
    for (std::size_t k = 0; k < shell.size(); ++k) {
      for (const int curve : curves_of[shell[k]]) {
        for (const int face : faces_at[curve]) {
          if (seen.insert(face).second) shell.push_back(face);
        }
      }
    }
  }
  if (shells.size() < 2) return;
  for (const std::vector<int>& shell : shells)
    gmsh::model::occ::addVolume({gmsh::model::occ::addSurfaceLoop(shell)});
  gmsh::model::occ::synchronize();
}

/// Unites solids that touch or overlap. Returns a note for the log; empty if the faces form no
/// solids.
std::string unite_solids() {
  gmsh::vectorpair solids, united;
  std::vector<gmsh::vectorpair> origins;
  gmsh::model::getEntities(solids, surface_dimension + 1);
  if (solids.empty()) {
    make_solids();
    gmsh::model::getEntities(solids, surface_dimension + 1);
  }
  if (solids.size() > 1) {
    gmsh::model::occ::fuse({solids.front()}, {solids.begin() + 1, solids.end()}, united, origins);
    gmsh::model::occ::synchronize();
    gmsh::model::getEntities(united, surface_dimension + 1);
  } else {
    united = solids;
  }
  if (solids.empty()) return "";
  return "union: " + std::to_string(united.size()) + " of " + std::to_string(solids.size()) +
         " solids";
}

void require_all_surfaces() {
  gmsh::vectorpair surfaces;
  gmsh::model::getEntities(surfaces, surface_dimension);
  for (const auto& [dimension, tag] : surfaces) {
    if (!has_elements(tag)) throw MeshError("surface " + std::to_string(tag) + " got no panels");
  }
}

/// The elements of one patch and one type, numbered from 1 in the order of the mesh.
struct Block {
  std::vector<std::size_t> tags, nodes;
};

Block collect(const SurfaceMesh& mesh, std::int32_t patch, int corners) {
  Block block;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (mesh.patch[e] != patch || corner_count(mesh.elements[e]) != corners) continue;
    block.tags.push_back(e + 1);
    for (int k = 0; k < corners; ++k) block.nodes.push_back(mesh.elements[e][k] + 1);
  }
  return block;
}

/// Builds a Gmsh model with one discrete and one physical surface per patch; the first one has the
/// nodes.
void build_model(const SurfaceMesh& mesh) {
  constexpr int triangle_type = 2, quadrilateral_type = 3;
  gmsh::model::add("rankine");
  std::vector<std::size_t> tags(mesh.nodes.size());
  std::iota(tags.begin(), tags.end(), std::size_t{1});
  std::vector<double> coordinates;
  coordinates.reserve(3 * mesh.nodes.size());
  for (const Vec3d& node : mesh.nodes) {
    coordinates.insert(coordinates.end(), {node.x, node.y, node.z});
  }
  for (std::size_t patch = 0; patch < mesh.patch_names.size(); ++patch) {
    const int tag = gmsh::model::addDiscreteEntity(surface_dimension, static_cast<int>(patch) + 1);
    if (patch == 0) gmsh::model::mesh::addNodes(surface_dimension, tag, tags, coordinates);
    for (const int corners : {3, 4}) {
      const Block block = collect(mesh, static_cast<std::int32_t>(patch), corners);
      if (block.tags.empty()) continue;
      gmsh::model::mesh::addElementsByType(tag, corners == 3 ? triangle_type : quadrilateral_type,
                                           block.tags, block.nodes);
    }
    gmsh::model::addPhysicalGroup(surface_dimension, {tag}, tag);
    gmsh::model::setPhysicalName(surface_dimension, tag, mesh.patch_names[patch]);
  }
}

}  // namespace

std::vector<char> read_gmsh_mesh(ByteReader& request) {
  const GmshFile file(request);
  const Names names = request.value<bool>() ? Names::solids : Names::none;
  return mesh_of(file, [&] {
    gmsh::open(file.opened);
    return take_model(names, 1.0);
  });
}

std::vector<char> run_gmsh_script(ByteReader& request) {
  const GmshFile file(request);
  const auto task = request.value<GeometryTask>();
  return mesh_of(file, [&] {
    gmsh::open(file.opened);
    std::vector<int> types;
    gmsh::model::mesh::getElementTypes(types, surface_dimension);
    if (task.size > 0.0)
      gmsh::option::setNumber("Mesh.CharacteristicLengthMax", task.size / task.scale);
    if (types.empty()) gmsh::model::mesh::generate(surface_dimension);
    return take_model(Names::none, 1.0);
  });
}

std::vector<char> mesh_gmsh_geometry(ByteReader& request, const SendProgress& send) {
  const GmshFile file(request);
  const auto task = request.value<GeometryTask>();
  GeometryProgress progress;
  const auto send_progress = [&] {
    send({reinterpret_cast<const char*>(&progress), sizeof(progress)});
  };
  const auto work = [&]() -> FileMesh {
    const double unit = open_cad(file, task.sew);
    const std::string note = task.unite ? unite_solids() : "";
    if (task.plain) {
      progress.meshing = true;
      send_progress();
      if (task.size > 0.0)
        gmsh::option::setNumber("Mesh.CharacteristicLengthMax", task.size / (unit * task.scale));
      gmsh::model::mesh::generate(surface_dimension);
    } else {
      const Features features = sample_features(unit * task.scale);
      if (features.surfaces == 0) return {};
      const PanelSizes sizes = sizes_for(features, task);
      progress = {.meshing = true,
                  .surfaces = features.surfaces,
                  .least = sizes.least(),
                  .largest = sizes.largest()};
      send_progress();
      generate(sizes, unit * task.scale, [&] {
        ++progress.surface;
        send_progress();
      });
    }
    require_all_surfaces();
    FileMesh mesh = take_model(task.unite ? Names::none : Names::bodies, unit);
    if (!note.empty()) mesh.warnings.push_back(note);
    return mesh;
  };
  return mesh_of(file, work, progress.meshing);
}

std::vector<char> write_gmsh_mesh(ByteReader& request) {
  constexpr int one_solid_per_physical_surface = 2;
  const GmshFile file(request);
  const auto binary = request.value<bool>();
  const auto version = request.value<double>();
  const SurfaceMesh mesh = take_surface_mesh(request);
  GmshSession session(file.home);
  try {
    session.run([&] {
      build_model(mesh);
      gmsh::option::setNumber("Mesh.Binary", binary ? 1 : 0);
      gmsh::option::setNumber("Mesh.MshFileVersion", version);
      if (!binary) {  // a binary file has one solid
        gmsh::option::setNumber("Mesh.StlOneSolidPerSurface", one_solid_per_physical_surface);
      }
      gmsh::write(file.opened);
    });
  } catch (const GmshFailure& failure) {
    throw InputError("cannot write " + file.path.string() + ": " + failure.what());
  }
  std::ifstream written(file.opened, std::ios::binary);
  std::vector<char> bytes(std::filesystem::file_size(file.opened));
  if (!written.read(bytes.data(), std::ssize(bytes)))
    throw InputError("cannot write " + file.path.string() + ": Gmsh wrote nothing");
  return bytes;
}

}  // namespace rankine::meshes
