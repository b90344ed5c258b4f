#include "rankine/meshes/formats/readers.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/formats/text_words.hpp"

namespace rankine::meshes {
namespace {

class NemohReader {
 public:
  explicit NemohReader(const std::filesystem::path& path)
      : file_(path, "!"), builder_(builder_for(file_, 1)) {}

  SurfaceMesh read() {
    file_.require_next("a mesh of Nemoh");
    std::string_view line = file_.rest();
    std::int64_t first = 0;
    const std::size_t words = file_.words_left();
    const bool whole = to_number(take_word(line), first);
    if (whole && words == 2 && first == 2) {
      file_.word();
      const bool symmetric = file_.integer("the symmetry about y = 0", 0, 1) == 1;
      builder_.set_half_about(false, symmetric);
      file_.require_next("node 1");
      read_ended();
    } else if (whole && words == 4 && first == 1) {
      read_ended();
    } else if (whole && words == 1) {
      read_counted();
    } else {
      file_.refuse(
          "a .dat or .mar file is read as a mesh of Nemoh, whose first line is \"2 0\", \"2 1\", "
          "node 1 with its coordinates, or the number of nodes; found " +
          shown(file_.rest()));
    }
    return joined_at_corners(builder_.finish());
  }

 private:
  /// Reads nodes from this line on, then panels; a line of zeros ends each list.
  void read_ended() {
    for (std::int64_t number = 1;; ++number, file_.require_next("node " + std::to_string(number))) {
      const std::int64_t found = file_.integer("the number of a node", 0, most_indices);
      if (found == 0) break;
      if (found != number) {
        file_.refuse("node " + std::to_string(number) + " should stand here, found node " +
                     std::to_string(found));
      }
      read_node();
    }
    do {
      file_.require_next("a panel or the line of zeros that ends them");
    } while (read_panel(0));
    if (file_.next()) file_.refuse("the file goes on after the line of zeros that ends the panels");
  }

  void read_counted() {
    const std::int64_t nodes = file_.integer("the number of nodes", 1, most_indices);
    file_.require_next("the number of panels");
    const std::int64_t panels = file_.integer("the number of panels", 1, most_indices);
    file_.require_line_end("the number of panels");
    for (std::int64_t n = 0; n < nodes; ++n) {
      file_.require_next("node", n, nodes);
      read_node();
    }
    for (std::int64_t p = 0; p < panels; ++p) {
      file_.require_next("panel", p, panels);
      read_panel(1);
    }
    if (file_.next()) {
      file_.refuse("the file goes on after " + std::to_string(panels) + " panels");
    }
  }

  void read_node() {
    builder_.add_node(file_.point("a node"), file_.line());
    file_.require_line_end("a node");
  }

  /// Reads a panel; false for four zeros.
  bool read_panel(std::int64_t least) {
    std::array<std::int64_t, 4> corners{};
    for (std::int64_t& corner : corners)
      corner = file_.integer("a corner of a panel", least, most_indices);
    file_.require_line_end("a panel");
    const bool zeros = std::all_of(corners.begin(), corners.end(),
                                   [](std::int64_t corner) { return corner == 0; });
    if (!zeros) builder_.add_panel(corners, file_.line());
    return !zeros;
  }

  TextFile file_;
  MeshBuilder builder_;
};

}  // namespace

SurfaceMesh read_nemoh(const std::filesystem::path& path) { return NemohReader(path).read(); }

}  // namespace rankine::meshes
