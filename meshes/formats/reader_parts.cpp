#include "rankine/meshes/formats/reader_parts.hpp"

#include <utility>

#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {

MeshBuilder builder_for(const TextFile& file, std::int64_t first_node) {
  return {first_node,
          [&file](std::size_t line, const std::string& what) { file.refuse_at(line, what); }};
}

SurfaceMesh joined_at_corners(SurfaceMesh mesh) {
  merge_coincident_nodes(mesh);
  collapse_quadrilaterals(mesh);
  return mesh;
}

}  // namespace rankine::meshes
