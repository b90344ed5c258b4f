#include "rankine/meshes/formats/readers.hpp"

#include <array>
#include <string>

#include "rankine/meshes/formats/mesh_builder.hpp"

namespace rankine::meshes {
namespace {

/// Goes to the next line of numbers; other lines begin with # or dashes.
void require_data(TextFile& file, const std::string& what) {
  do {
    file.require_next(what);
  } while (file.rest().starts_with("--"));
}

void require_number(TextFile& file, const std::string& noun, std::int64_t expected) {
  const std::int64_t found = file.integer("the number of a " + noun, 0, most_indices);
  if (found == expected) return;
  file.refuse(noun + " " + std::to_string(expected) + " should stand here, found " + noun + " " +
              std::to_string(found));
}

}  // namespace

SurfaceMesh read_hams(const std::filesystem::path& path) {
  TextFile file(path, "#!");
  MeshBuilder builder = builder_for(file, 1);
  require_data(file, "the numbers of panels and nodes");
  const std::int64_t panels = file.integer("the number of panels", 1, most_indices);
  const std::int64_t nodes = file.integer("the number of nodes", 1, most_indices);
  const bool about_x = file.integer("the symmetry about x = 0", 0, 1) == 1;
  const bool about_y = file.integer("the symmetry about y = 0", 0, 1) == 1;
  for (std::int64_t n = 0; n < nodes; ++n) {
    require_data(file, of_count("node", n, nodes));
    require_number(file, "node", n + 1);
    builder.add_node(file.point("a node"), file.line());
    file.require_line_end("a node");
  }
  for (std::int64_t p = 0; p < panels; ++p) {
    require_data(file, of_count("panel", p, panels));
    require_number(file, "panel", p + 1);
    std::array<std::int64_t, 4> corners{};
    const auto count = static_cast<std::size_t>(file.integer("the corners of a panel", 3, 4));
    for (std::size_t k = 0; k < count; ++k)
      corners[k] = file.integer("a corner of a panel", 1, nodes);
    file.require_line_end("a panel");
    builder.add_panel({corners.data(), count}, file.line());
  }
  while (file.next()) {
    if (file.rest().starts_with("--")) continue;
    file.refuse("the file goes on after " + std::to_string(panels) + " panels");
  }
  builder.set_half_about(about_x, about_y);
  return joined_at_corners(builder.finish());
}

}  // namespace rankine::meshes
