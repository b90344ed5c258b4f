#include "rankine/meshes/formats/readers.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

class ObjReader {
 public:
  explicit ObjReader(const std::filesystem::path& path)
      : file_(path, "#", '\\'), builder_(builder_for(file_, 1)) {}

  SurfaceMesh read() {
    while (file_.next()) {
      const std::string_view word = file_.word();
      if (word == "v") read_vertex();
      if (word == "f") read_face();
    }
    return builder_.finish();
  }

 private:
  void read_vertex() {
    Vec3d node;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = file_.word();
      if (!to_number(word, node[k])) {
        file_.refuse("a vertex needs three numbers, found \"" +
                     printable(std::string(word.substr(0, 60))) + "\"");
      }
    }
    builder_.add_node(node, file_.line());
  }

  void read_face() {
    corners_.clear();
    while (!file_.at_line_end()) corners_.push_back(corner(file_.word()));
    builder_.add_panel(corners_, file_.line());
  }

  /// The vertex number, from 1, in "7", "7/1", "7/1/3" or "-2". It may refer to a later vertex.
  std::int64_t corner(std::string_view word) const {
    const std::string_view number = word.substr(0, word.find('/'));
    std::int64_t vertex = 0;
    const bool read = to_number(number, vertex);
    const auto last = static_cast<std::int64_t>(builder_.node_count());
    if (read && vertex < 0 && vertex >= -last) return last + vertex + 1;
    if (read && vertex > 0 && vertex <= most_indices) return vertex;
    file_.refuse("the face names vertex \"" + printable(std::string(word.substr(0, 60))) +
                 "\"; vertices are counted from 1, or backwards from -1, and there are " +
                 std::to_string(last) + " before it");
  }

  TextFile file_;
  MeshBuilder builder_;
  std::vector<std::int64_t> corners_;
};

}  // namespace

SurfaceMesh read_obj(const std::filesystem::path& path) { return ObjReader(path).read(); }

}  // namespace rankine::meshes
