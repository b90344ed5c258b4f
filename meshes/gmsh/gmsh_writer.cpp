#include "rankine/meshes/gmsh/gmsh_writer.hpp"

#include <gmsh.h>

#include <numeric>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/gmsh/gmsh_session.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::meshes {
namespace {

constexpr int surface_dimension = 2, triangle_type = 2, quadrilateral_type = 3;

/// The elements of one patch and one kind, numbered from 1 in the order of the mesh.
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

/// One discrete surface and one physical surface per patch; the nodes belong to the first.
void build_model(const SurfaceMesh& mesh) {
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

void write_with_gmsh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                     const WriteOptions& options) {
  constexpr int one_solid_per_physical_surface = 2;
  write_then_rename(path, [&](const std::filesystem::path& temporary) {
    GmshSession session;
    try {
      session.run([&] {
        build_model(mesh);
        gmsh::option::setNumber("Mesh.Binary", options.binary ? 1 : 0);
        gmsh::option::setNumber("Mesh.MshFileVersion", options.msh_version);
        if (!options.binary) {  // a binary file holds one solid
          gmsh::option::setNumber("Mesh.StlOneSolidPerSurface", one_solid_per_physical_surface);
        }
        gmsh::write(temporary.string());
      });
    } catch (const GmshFailure& failure) {
      throw InputError("cannot write " + path.string() + ": " + failure.what());
    }
  });
}

}  // namespace rankine::meshes
