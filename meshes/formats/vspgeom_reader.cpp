#include "rankine/meshes/formats/readers.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

class VspgeomReader {
 public:
  explicit VspgeomReader(const std::filesystem::path& path)
      : file_(path, "#"), builder_(builder_for(file_, 1)) {}

  SurfaceMesh read() {
    const std::int64_t version = read_version();
    const std::int64_t points = read_point_count(version);
    for (std::int64_t p = 0; p < points; ++p) {
      if (p > 0 || version < 3) file_.require_next("point", p, points);
      builder_.add_node(file_.point("a point"), file_.line());
    }
    read_faces();
    const std::vector<std::int32_t> edges = read_wakes();
    add_panels();
    SurfaceMesh mesh = builder_.finish(false);
    if (edges.empty()) return mesh;
    NamedCurve& curve = mesh.curves.emplace_back(NamedCurve{"wakes", {}});
    for (const std::int32_t node : edges)
      curve.ends.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
    return mesh;
  }

 private:
  struct Face {
    std::size_t line;
    std::vector<std::int64_t> corners;
  };

  /// The version in "# vspgeom v3"; version 1 has no such line.
  std::int64_t read_version() {
    file_.next_raw();
    if (!file_.rest().starts_with('#')) return 1;
    std::string_view line = file_.rest();
    const std::size_t at = line.find_last_of("vV");
    std::int64_t version = 0;
    const bool known = at != std::string_view::npos && at + 1 < line.size() &&
                       (version = line[at + 1] - '0') >= 1 && version <= 3;
    if (!known) file_.refuse("versions 1 to 3 of vspgeom are read, found " + shown(line));
    file_.require_next("the number of points");
    return version;
  }

  /// The number of points; from version 3 on the points begin on the next line.
  std::int64_t read_point_count(std::int64_t version) {
    if (version < 3) {
      const std::int64_t points = file_.integer("the number of points", 1, most_indices);
      file_.require_line_end("the number of points");
      return points;
    }
    file_.integer("the number of meshes in a file", 1, 1);
    file_.require_next("the numbers of points, faces and wakes");
    const std::int64_t points = file_.integer("the number of points", 1, most_indices);
    most_faces_ = file_.integer("the number of faces", 1, most_indices);
    least_faces_ = most_faces_;
    file_.integer("the number of wakes", 0, most_indices);
    file_.require_next("point 1");
    if (file_.words_left() == 1) {  // the number of points, repeated
      file_.integer("the number of points", points, points);
      file_.require_next("point 1");
    }
    return points;
  }

  void read_faces() {
    file_.require_next("the number of faces");
    const std::int64_t faces = file_.integer("the number of faces", least_faces_, most_faces_);
    file_.require_line_end("the number of faces");
    const auto points = static_cast<std::int64_t>(builder_.node_count());
    for (std::int64_t f = 0; f < faces; ++f) {
      file_.require_next("face", f, faces);
      const std::int64_t count = file_.integer("the corners of a face", 3, most_indices);
      Face face{file_.line(), {}};
      for (std::int64_t k = 0; k < count; ++k)
        face.corners.push_back(file_.integer("a corner of a face", 1, points));
      file_.require_line_end("a face");
      faces_.push_back(std::move(face));
    }
    for (std::int64_t f = 0; f < faces; ++f) {
      file_.require_next("the part of " + of_count("face", f, faces));
      parts_.push_back(file_.integer("the part of a face", 0, most_indices));
    }
  }

  /// Reads the number of wake lines, on a line of its own after optional lines on parents of faces.
  /// Wake lines are the nodes along trailing edges. Returns the ends of the pieces between them.
  std::vector<std::int32_t> read_wakes() {
    do {
      file_.require_next("the number of wake lines");
    } while (file_.words_left() > 1);
    const std::int64_t wakes = file_.integer("the number of wake lines", 0, most_indices);
    const auto points = static_cast<std::int64_t>(builder_.node_count());
    std::vector<std::int32_t> ends;
    for (std::int64_t w = 0; w < wakes; ++w) {
      file_.require_next("wake line", w, wakes);
      const std::int64_t count = file_.integer("the nodes of a wake line", 0, most_indices);
      std::int32_t before = 0;
      for (std::int64_t k = 0; k < count; ++k) {  // may span several lines
        if (file_.at_line_end()) file_.require_next("a node of " + of_count("wake line", w, wakes));
        const auto node =
            static_cast<std::int32_t>(file_.integer("a node of a wake line", 1, points) - 1);
        if (k > 0) ends.insert(ends.end(), {before, node});
        before = node;
      }
    }
    return ends;
  }

  void add_panels() {
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      builder_.add_panel(faces_[f].corners, faces_[f].line,
                         builder_.patch("part" + std::to_string(parts_[f])));
    }
  }

  TextFile file_;
  MeshBuilder builder_;
  std::int64_t least_faces_ = 1, most_faces_ = most_indices;
  std::vector<Face> faces_;
  std::vector<std::int64_t> parts_;
};

}  // namespace

SurfaceMesh read_vspgeom(const std::filesystem::path& path) { return VspgeomReader(path).read(); }

}  // namespace rankine::meshes
