#include "rankine/meshes/formats/readers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>

#include "rankine/meshes/files/file_mesh.hpp"
#include "rankine/meshes/formats/mesh_builder.hpp"

namespace rankine::meshes {
namespace {

/// A section of panels; each line has `nodes` nodes, corners first, and a reference.
struct PanelSection {
  std::string_view keyword;
  std::size_t corners, nodes;
};
constexpr std::array<PanelSection, 4> panel_sections{{{"Triangles", 3, 3},
                                                      {"TrianglesP2", 3, 6},
                                                      {"Quadrilaterals", 4, 4},
                                                      {"QuadrilateralsQ2", 4, 9}}};

/// Kinds of sections without surface data, recognised by the beginnings of their names.
enum class Other { none, lines, numbers, free };
Other other_section(std::string_view keyword) {
  const auto begins = [&](std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view each) { return keyword.starts_with(each); });
  };
  if (begins({"Corner", "Ridge", "Required"})) return Other::numbers;
  if (begins({"Edge", "Tetrahedra", "Hexahedra", "Prism", "Pyramid", "Wedge", "Normal", "Tangent",
              "SubDomain", "Vertex", "Cracked", "Equivalent"}))
    return Other::lines;
  const bool free = begins({"BoundingBox", "Angle", "Geometry", "Identifier", "Iteration", "Time"});
  return free ? Other::free : Other::none;
}

class MeditReader {
 public:
  explicit MeditReader(const std::filesystem::path& path)
      : file_(path, "#"), builder_(builder_for(file_, 1)) {}

  SurfaceMesh read() {
    file_.require_next("MeshVersionFormatted");
    if (const std::string_view first = file_.word(); first != "MeshVersionFormatted") {
      file_.refuse("a Medit mesh begins with MeshVersionFormatted, found " + shown(first) +
                   "; a .mesh file of another program must be converted");
    }
    next_number("the version of the format", 1, 4);
    while (read_section()) {
    }
    SurfaceMesh mesh = builder_.finish(false);
    warn_of_curved(mesh.warnings, second_order_, 0);
    return mesh;
  }

 private:
  /// The next number, on this line or the next.
  std::int64_t next_number(const std::string& what, std::int64_t least, std::int64_t most) {
    if (file_.at_line_end()) file_.require_next(what);
    return file_.integer(what, least, most);
  }
  std::int64_t count_of(const std::string& keyword) {
    const std::int64_t count = next_number("the number of " + keyword, 0, most_indices);
    file_.require_line_end("the number of " + keyword);
    return count;
  }

  /// Reads a section; false after the word End.
  bool read_section() {
    if (file_.at_line_end()) file_.require_next("a section or the word End");
    const std::string keyword(file_.word());
    if (keyword == "End") return false;
    if (keyword == "Dimension") {
      next_number("the dimension of a surface in space", 3, 3);
    } else if (keyword == "Vertices") {
      read_vertices();
    } else if (const auto* const section =
                   std::find_if(panel_sections.begin(), panel_sections.end(),
                                [&](const PanelSection& each) { return each.keyword == keyword; });
               section != panel_sections.end()) {
      read_panels(*section);
    } else if (other_section(keyword) != Other::none) {
      pass_over(keyword);
    } else if (std::isalpha(static_cast<unsigned char>(keyword.front())) != 0) {
      file_.refuse(shown(keyword) + " is no section of a Medit mesh");
    } else {
      file_.refuse("a section should begin here, found " + shown(keyword) +
                   "; the number of entries before it is wrong, or the line is");
    }
    return true;
  }

  void read_vertices() {
    const std::int64_t count = count_of("Vertices");
    for (std::int64_t v = 0; v < count; ++v) {
      file_.require_next("vertex", v, count);
      builder_.add_node(file_.point("a vertex"), file_.line());
      if (!file_.at_line_end()) reference();
      file_.require_line_end("a vertex and its reference");
    }
  }

  void read_panels(const PanelSection& section) {
    const std::string keyword(section.keyword);
    const std::int64_t count = count_of(keyword);
    for (std::int64_t p = 0; p < count; ++p) {
      file_.require_next(of_count("element", p, count) + " of " + keyword);
      std::array<std::int64_t, 9> nodes{};
      for (std::size_t k = 0; k < section.nodes; ++k)
        nodes[k] = file_.integer("a node of an element of " + keyword, 1, most_indices);
      const std::int32_t patch = builder_.patch("surface" + std::to_string(reference()));
      file_.require_line_end("an element of " + keyword + " and its reference");
      if (section.nodes == section.corners) {
        builder_.add_panel({nodes.data(), section.corners}, file_.line(), patch);
      } else {
        builder_.add_curved_panel({nodes.data(), 2 * section.corners}, file_.line(), patch);
      }
    }
    if (section.nodes > section.corners) second_order_ += static_cast<std::size_t>(count);
  }

  std::int64_t reference() {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return file_.integer("a reference", -most, most);
  }

  /// Skips a section: as many lines or numbers as its count says, or without a count all lines up
  /// to one that begins with a letter.
  void pass_over(const std::string& keyword) {
    const Other kind = other_section(keyword);
    if (kind == Other::free) {
      do {
        file_.require_next("a section or the word End");
      } while (std::isalpha(static_cast<unsigned char>(file_.rest().front())) == 0);
      return;
    }
    const std::int64_t count = next_number("the number of " + keyword, 0, most_indices);
    for (std::int64_t e = 0; e < count; ++e) {
      if (kind == Other::lines || file_.at_line_end()) file_.require_next("an entry of " + keyword);
      file_.number("an entry of a section");
    }
    if (kind == Other::lines) file_.require_next("a section or the word End");
  }

  TextFile file_;
  MeshBuilder builder_;
  std::size_t second_order_ = 0;
};

}  // namespace

SurfaceMesh read_medit(const std::filesystem::path& path) { return MeditReader(path).read(); }

}  // namespace rankine::meshes
