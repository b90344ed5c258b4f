#include "rankine/meshes/formats/readers.hpp"

#include <array>
#include <string>

#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/formats/text_words.hpp"

namespace rankine::meshes {
namespace {

/// The number of panels. Higher-order files have a second number, which must be 0 (flat panels).
std::int64_t read_panel_count(TextFile& file) {
  file.require_next("NPAN, the number of panels,");
  const std::int64_t panels = file.integer("NPAN, the number of panels,", 1, most_indices / 4);
  std::int64_t degree = 0;
  if (const std::string_view next = file.word(); to_number(next, degree) && degree != 0) {
    file.refuse("the geometry is of higher order (IGDEF = " + std::to_string(degree) +
                "); write a low-order file of flat panels");
  }
  return panels;
}

}  // namespace

SurfaceMesh read_gdf(const std::filesystem::path& path) {
  TextFile file(path);
  MeshBuilder builder = builder_for(file, 0);
  file.next_raw();  // a title
  file.require_next("ULEN and GRAV");
  file.number("ULEN, the length scale,");
  file.number("GRAV, the acceleration of gravity,");
  file.require_next("ISX and ISY");
  const bool about_x = file.integer("ISX, the symmetry about x = 0,", 0, 1) == 1;
  const bool about_y = file.integer("ISY, the symmetry about y = 0,", 0, 1) == 1;
  const std::int64_t panels = read_panel_count(file);
  // A panel may span several lines.
  bool line_taken = true;
  for (std::int64_t p = 0; p < panels; ++p) {
    std::array<std::int64_t, 4> corners{};
    for (std::int64_t& corner : corners) {
      Vec3d vertex;
      for (int k = 0; k < 3; ++k) {
        if (line_taken || file.at_line_end()) file.require_next("panel", p, panels);
        line_taken = false;
        vertex[k] = file.finite("a vertex");
      }
      corner = static_cast<std::int64_t>(builder.node_count());
      builder.add_node(vertex, file.line());
    }
    builder.add_panel(corners, file.line());
  }
  std::size_t numbers = file.words_left();
  while (numbers < 3 && file.next()) numbers += file.words_left();
  if (numbers >= 3) {
    file.refuse("the file goes on after NPAN = " + std::to_string(panels) + " panels");
  }
  builder.set_half_about(about_x, about_y);
  return joined_at_corners(builder.finish());
}

}  // namespace rankine::meshes
