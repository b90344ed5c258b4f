#include "rankine/meshes/reader_parts.hpp"

#include <utility>

#include "rankine/meshes/clean.hpp"

namespace rankine::meshes {

MeshBuilder builder_for(const TextFile& file, std::int64_t first_node) {
  return {first_node,
          [&file](std::size_t line, const std::string& what) { file.refuse_at(line, what); }};
}

void warn_of_symmetry(MeshBuilder& builder, bool about_x, bool about_y) {
  if (!about_x && !about_y) return;
  const std::string planes = about_x && about_y ? "planes x = 0 and y = 0"
                             : about_x          ? "plane x = 0"
                                                : "plane y = 0";
  builder.warn(std::string("the file holds ") + (about_x && about_y ? "a quarter" : "half") +
               " of a body that is symmetric about the " + planes +
               ", and is taken as it is; set problem.symmetry = [" +
               (about_x && about_y ? "\"x\", \"y\""
                : about_x          ? "\"x\""
                                   : "\"y\"") +
               "] for the other part");
}

SurfaceMesh joined_at_corners(SurfaceMesh mesh) {
  merge_coincident_nodes(mesh);
  collapse_quadrilaterals(mesh);
  return mesh;
}

}  // namespace rankine::meshes
