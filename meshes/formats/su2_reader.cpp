#include "rankine/meshes/formats/readers.hpp"

#include <array>
#include <optional>
#include <string>

#include "rankine/meshes/formats/mesh_builder.hpp"

namespace rankine::meshes {
namespace {

class Su2Reader {
 public:
  explicit Su2Reader(const std::filesystem::path& path)
      : file_(path, "%"), builder_(builder_for(file_, 0)) {}

  SurfaceMesh read() {
    while (file_.next()) read_line();
    if (!dimension_) file_.refuse_end("NDIME= 3");
    if (!points_) file_.refuse_end("NPOIN= and the points");
    if (!markers_) file_.refuse_end("NMARK= and the markers, which hold the surface,");
    if (markers_read_ < *markers_) file_.refuse_end(of_count("marker", markers_read_, *markers_));
    return builder_.finish();
  }

 private:
  void read_line() {
    const std::string key = file_.key();
    if (key.empty()) {
      if (unknown_section_) return;
      file_.refuse("a line KEY= VALUE should stand here, found " + shown(file_.word()) +
                   "; the number of entries before it is wrong, or the line is");
    }
    unknown_section_ = false;
    if (key == "NDIME") {
      dimension_ = file_.integer("NDIME, the dimension of a body in space,", 3, 3);
    } else if (key == "NZONE") {
      file_.integer("NZONE, the number of zones,", 1, 1);
    } else if (key == "NELEM") {
      read_volume_elements();
    } else if (key == "NPOIN") {
      read_points();
    } else if (key == "NMARK") {
      if (markers_) file_.refuse("NMARK= stands here a second time");
      markers_ = file_.integer("NMARK, the number of markers,", 0, most_indices);
    } else if (key == "MARKER_TAG") {
      tag_ = file_.word();
      if (tag_.empty()) file_.refuse("MARKER_TAG= needs a name");
    } else if (key == "MARKER_ELEMS") {
      read_marker();
    } else {
      unknown_section_ = true;
    }
  }

  /// Skips the lines of volume elements.
  void read_volume_elements() {
    const std::int64_t count = file_.integer("NELEM, the number of elements,", 0, most_indices);
    for (std::int64_t e = 0; e < count; ++e) {
      file_.require_next("element", e, count);
      file_.integer("the type of an element", 1, most_indices);
    }
  }

  void read_points() {
    if (points_) file_.refuse("NPOIN= stands here a second time");
    points_ = file_.integer("NPOIN, the number of points,", 0, most_indices);
    for (std::int64_t p = 0; p < *points_; ++p) {
      file_.require_next("point", p, *points_);
      builder_.add_node(file_.point("a point"), file_.line());
      read_number_of("a point");
    }
  }

  void read_marker() {
    if (tag_.empty()) file_.refuse("MARKER_ELEMS= needs a line MARKER_TAG= before it");
    const std::int64_t count =
        file_.integer("MARKER_ELEMS, the number of elements of a marker,", 0, most_indices);
    ++markers_read_;
    const std::string tag = std::move(tag_);
    tag_.clear();
    unknown_section_ = tag == "SEND_RECEIVE";  // interface between mesh partitions, not a surface
    if (unknown_section_) return;
    for (std::int64_t e = 0; e < count; ++e) {
      file_.require_next(of_count("element", e, count) + " of marker \"" + tag + "\"");
      read_panel(builder_.patch(tag));
    }
  }

  void read_panel(std::int32_t patch) {
    constexpr std::int64_t triangle = 5, quadrilateral = 9;
    const std::int64_t type = file_.integer("the type of an element", 1, most_indices);
    if (type != triangle && type != quadrilateral) {
      file_.refuse("an element of a marker is a triangle (5) or a quadrilateral (9), found type " +
                   std::to_string(type));
    }
    std::array<std::int64_t, 4> corners{};
    const std::size_t count = type == triangle ? 3 : 4;
    for (std::size_t k = 0; k < count; ++k)
      corners[k] = file_.integer("a corner of an element", 0, most_indices);
    read_number_of("an element");
    builder_.add_panel({corners.data(), count}, file_.line(), patch);
  }

  /// Reads the optional number at the end of a line.
  void read_number_of(const std::string& what) {
    if (!file_.at_line_end()) file_.integer("the number of " + what, 0, most_indices);
    file_.require_line_end(what + " and its number");
  }

  TextFile file_;
  MeshBuilder builder_;
  std::optional<std::int64_t> dimension_, points_, markers_;
  std::int64_t markers_read_ = 0;
  std::string tag_;
  bool unknown_section_ = false;  ///< its lines are skipped
};

}  // namespace

SurfaceMesh read_su2(const std::filesystem::path& path) { return Su2Reader(path).read(); }

}  // namespace rankine::meshes
