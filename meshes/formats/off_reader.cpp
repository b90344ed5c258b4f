#include "rankine/meshes/formats/readers.hpp"

#include <string_view>
#include <vector>

#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// The first word: OFF, with prefixes for further vertex data.
void require_keyword(TextFile& file) {
  file.require_next("the word OFF");
  const std::string_view first = file.word();
  std::string_view left = first;
  for (const std::string_view prefix : {"ST", "C", "N"}) {
    if (left.starts_with(prefix)) left.remove_prefix(prefix.size());
  }
  if (left == "4OFF" || left == "nOFF" || left == "4nOFF") {
    file.refuse("vertices of " + shown(first) +
                " have more than three coordinates; a surface in space is needed");
  }
  if (left != "OFF") file.refuse("an OFF file begins with the word OFF, found " + shown(first));
  if (file.rest().starts_with("BINARY")) {
    file.refuse("binary OFF files are not read; save the mesh as text");
  }
}

}  // namespace

SurfaceMesh read_off(const std::filesystem::path& path) {
  TextFile file(path, "#");
  MeshBuilder builder = builder_for(file, 0);
  require_keyword(file);
  if (file.at_line_end()) file.require_next("the numbers of vertices and faces");
  const std::int64_t vertices = file.integer("the number of vertices", 0, most_indices);
  const std::int64_t faces = file.integer("the number of faces", 0, most_indices);
  std::size_t columns = 0;
  for (std::int64_t v = 0; v < vertices; ++v) {
    file.require_next("vertex", v, vertices);
    if (v == 0) columns = file.words_left();
    if (file.words_left() != columns) {
      file.refuse("the first vertex has " + counted(columns, "number") + ", and this one " +
                  std::to_string(file.words_left()));
    }
    builder.add_node(file.point("a vertex"), file.line());
  }
  std::vector<std::int64_t> corners;
  for (std::int64_t f = 0; f < faces; ++f) {
    file.require_next("face", f, faces);
    corners.clear();
    const std::int64_t count = file.integer("the number of corners of a face", 0, most_indices);
    for (std::int64_t k = 0; k < count; ++k)
      corners.push_back(file.integer("a corner of a face", 0, vertices - 1));
    builder.add_panel(corners, file.line());
  }
  if (file.next()) file.refuse("the file goes on after " + std::to_string(faces) + " faces");
  return builder.finish();
}

}  // namespace rankine::meshes
