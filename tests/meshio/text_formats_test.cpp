// The text formats read without a library: the mesh that was written, and a MeshError with
// FILE:LINE for every file that was cut off or broken.
#include <algorithm>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/formats/readers.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

/// The places of the corners of every panel, from the smallest one on.
std::vector<std::vector<std::array<double, 3>>> panels_of(const SurfaceMesh& mesh) {
  std::vector<std::vector<std::array<double, 3>>> panels;
  for (const Element& element : mesh.elements) {
    auto& panel = panels.emplace_back();
    for (int k = 0; k < corner_count(element); ++k) {
      const Vec3d& x = mesh.nodes[element[k]];
      panel.push_back({x.x + 0.0, x.y + 0.0, x.z + 0.0});  // no negative zero
    }
    std::rotate(panel.begin(), std::min_element(panel.begin(), panel.end()), panel.end());
  }
  return panels;
}

/// Formats with a section per kind of panel give one kind after the other.
std::vector<std::vector<std::array<double, 3>>> sorted_panels(const SurfaceMesh& mesh) {
  auto panels = panels_of(mesh);
  std::sort(panels.begin(), panels.end());
  return panels;
}

struct Line {
  std::size_t begin, end;  ///< without its '\n'
};
std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({begin, end});
    begin = end + 1;
  }
  return lines;
}

/// The first line that is not the same.
std::string difference_from(const std::string& before, const std::string& text) {
  const auto at = std::mismatch(before.begin(), before.end(), text.begin(), text.end());
  const auto line = std::count(before.begin(), at.first, '\n') + 1;
  return "line " + std::to_string(line) + ": " +
         std::string(at.first, at.first + std::min<std::ptrdiff_t>(40, before.end() - at.first)) +
         " became " +
         std::string(at.second, at.second + std::min<std::ptrdiff_t>(40, text.end() - at.second));
}

class TextFormats : public FolderTest, public ::testing::WithParamInterface<MeshText> {
 protected:
  SurfaceMesh read(const std::string& text) const {
    return read_mesh(folder().write(GetParam().file, text));
  }
  /// The text is the mesh, or a MeshError that names the file and a line, this one where it is not
  /// 0.
  void expect_whole_or_refused(const std::string& text, std::size_t line) const {
    try {
      EXPECT_TRUE(sorted_panels(read(text)) == expected_) << difference_from(text_, text);
    } catch (const MeshError& error) {
      const std::string message = error.what(), name = GetParam().file + ":";
      if (says(message, "is empty") || says(message, "has no surface elements")) return;
      EXPECT_TRUE(says(message, line > 0 ? name + std::to_string(line) + ":" : name));
      const std::size_t at = message.find(name) + name.size();
      EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(message[at]))) << message;
    }
  }

  const SurfaceMesh mesh_ = mixed_box();
  const std::vector<std::vector<std::array<double, 3>>> expected_ = sorted_panels(mesh_);
  const std::string text_ = GetParam().write(mesh_);
};

INSTANTIATE_TEST_SUITE_P(All, TextFormats, ::testing::ValuesIn(testing::mesh_texts()),
                         [](const auto& text) { return text.param.name; });

TEST_P(TextFormats, GiveTheMeshThatWasWritten) {
  const SurfaceMesh read_back = read(text_);
  EXPECT_EQ(sorted_panels(read_back), expected_);
  EXPECT_EQ(read_back.nodes.size(), mesh_.nodes.size());
  EXPECT_EQ(read_back.patch_names, std::vector<std::string>{"body"});
  const MeshReport report = check_mesh(read_back);
  EXPECT_TRUE(report.watertight() && report.inconsistent_edges.count == 0);
  EXPECT_NEAR(report.volume, 2.0, 1e-14);
  if (GetParam().name != "Medit") {
    EXPECT_EQ(panels_of(read_back), panels_of(mesh_));
  }
}

TEST_P(TextFormats, LinesMayEndAsOnWindows) {
  std::string text;
  for (const Line& line : lines_of(text_))
    text += text_.substr(line.begin, line.end - line.begin) + "\r\n";
  EXPECT_EQ(sorted_panels(read(text)), expected_);
}

TEST_P(TextFormats, AnExponentOfFortranIsRead) {
  const std::size_t at = text_.find("0.5");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(sorted_panels(read(text_.substr(0, at) + "5.0D-01" + text_.substr(at + 3))), expected_);
}

TEST_P(TextFormats, CutOffAnywhere) {
  for (const Line& line : lines_of(text_)) {
    expect_whole_or_refused(text_.substr(0, line.begin), 0);
    expect_whole_or_refused(text_.substr(0, (line.begin + line.end) / 2), 0);
  }
}

TEST_P(TextFormats, OneBrokenLine) {
  const std::vector<Line> lines = lines_of(text_);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const auto [begin, end] = lines[n];
    const std::size_t first = text_.find_first_not_of(' ', begin);
    if (first >= end) continue;
    const std::string before = text_.substr(0, first), after = text_.substr(end);
    const bool numbers =
        text_.find_first_of("0123456789-", first) == first && text_.compare(first, 2, "--") != 0;
    const std::size_t word = std::min(text_.find(' ', first), end);
    for (const std::string broken : {"x?", "1e999999"})
      expect_whole_or_refused(before + broken + text_.substr(word), 0);
    const bool looked_at = n + 3 < lines.size() && GetParam().name.find("Vspgeom") != 0 &&
                           GetParam().name != "Medit" && GetParam().name != "Gdf";
    expect_whole_or_refused(before + "x?" + text_.substr(word), numbers && looked_at ? n + 1 : 0);
    if (GetParam().name == "NemohDat" || GetParam().name == "NemohMar") continue;  // no counts
    expect_whole_or_refused(before + after, 0);
    expect_whole_or_refused(text_.substr(0, begin) + text_.substr(std::min(end + 1, text_.size())),
                            0);
  }
}

TEST_P(TextFormats, NodesThatThereAreNot) {
  const std::string last = std::to_string(mesh_.nodes.size() + 1);
  const std::vector<Line> lines = lines_of(text_);
  for (std::size_t n = lines.size() / 2; n < lines.size(); ++n) {
    const auto [begin, end] = lines[n];
    for (std::size_t at = begin; at < end; ++at) {
      if (text_[at] != ' ' || text_.find_first_of(".#", begin) < end) continue;
      const std::size_t word_end = std::min(text_.find_first_of(" \n", at + 1), end);
      for (const std::string& node : {last, std::string("4294967297"), std::string("-1")})
        expect_whole_or_refused(text_.substr(0, at + 1) + node + text_.substr(word_end), 0);
    }
  }
}

/// 2 000 000 000 of anything is refused for the line that is missing, not for lack of memory.
TEST_P(TextFormats, CountsBeyondTheFile) {
  for (const std::size_t count : {mesh_.nodes.size(), mesh_.elements.size()}) {
    const std::size_t at = text_.find(std::to_string(count));
    if (at == std::string::npos) continue;
    const std::string text = text_.substr(0, at) + "2000000000" + text_.substr(at + 2);
    EXPECT_TRUE(says(message_of<MeshError>([&] { read(text); }), GetParam().file + ":"));
  }
}

using TextReaders = FolderTest;

TEST_F(TextReaders, OffIsToldFromOthers) {
  const auto refusal = [&](const std::string& text) {
    return message_of<MeshError>([&] { read_off(folder().write("a.off", text)); });
  };
  EXPECT_TRUE(says(refusal("OFF BINARY\n\x01\x02"), "a.off:1: binary OFF files are not read"));
  EXPECT_TRUE(says(refusal("4OFF\n1 0 0\n0 0 0 0\n"), "more than three coordinates"));
  EXPECT_TRUE(says(refusal("ply\n"), "begins with the word OFF, found \"ply\""));
  EXPECT_TRUE(says(refusal("OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n"),
                   "a.off:4: a vertex needs three finite numbers, found \"nan\""));
  EXPECT_TRUE(says(refusal("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n"),
                   "a.off:7: the file goes on after 1 faces"));
}

TEST_F(TextReaders, ReferencesOfMeditArePatches) {
  std::string text = medit_text(mixed_box());
  const std::size_t at = text.find(" 7\n");
  text.replace(at, 3, " -2\n");
  const SurfaceMesh mesh = read_mesh(folder().write("a.mesh", text));
  EXPECT_EQ(mesh.patch_names, (std::vector<std::string>{"surface-2", "surface7"}));
  EXPECT_EQ(std::count(mesh.patch.begin(), mesh.patch.end(), 0), 1);
}

TEST_F(TextReaders, CurvedElementsOfMeditKeepTheirCorners) {
  const SurfaceMesh mesh = read_medit(folder().write(
      "a.mesh",
      "MeshVersionFormatted 2 Dimension 3\nVertices 6\n0 0 0 1\n1 0 0 1\n0 1 0 1\n.5 0 0 1\n"
      ".5 .5 0 1\n0 .5 0 1\nTrianglesP2 1\n1 2 3 4 5 6 1\nEnd\n"));
  EXPECT_EQ(mesh.elements, (std::vector<Element>{{0, 1, 2, -1}}));
  EXPECT_TRUE(says(mesh.warnings.at(0), "1 elements of second order: curved panels go through"));
}

TEST_F(TextReaders, UnknownSectionsOfMeditAreRefused) {
  const std::string text = replaced(medit_text(mixed_box()), "Quadrilaterals", "Quadrilateralz");
  EXPECT_TRUE(says(message_of<MeshError>([&] { read_mesh(folder().write("a.mesh", text)); }),
                   "\"Quadrilateralz\" is no section"));
}

TEST_F(TextReaders, MarkersOfSu2ArePatches) {
  const std::string text =
      "NDIME=3\nNELEM=0\nNPOIN=4 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nNMARK=3\nMARKER_TAG= wall\n"
      "MARKER_ELEMS= 2\n5 0 1 2\n5 0 1 3\nMARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 1\nSEND_RECV= 1\n"
      "1 0\nMARKER_TAG=far\nMARKER_ELEMS=2\n5 0 2 3\n5 1 2 3\n";
  const SurfaceMesh mesh = read_mesh(folder().write("a.su2", text));
  EXPECT_EQ(mesh.patch_names, (std::vector<std::string>{"wall", "far"}));
  EXPECT_EQ(mesh.patch, (std::vector<std::int32_t>{0, 0, 1, 1}));
  const auto refusal = [&](const std::string& from, const std::string& to) {
    return message_of<MeshError>(
        [&] { read_mesh(folder().write("a.su2", replaced(text, from, to))); });
  };
  EXPECT_TRUE(says(refusal("NDIME=3", "NDIME=2"), "a.su2:1: NDIME"));
  EXPECT_TRUE(says(refusal("NDIME=3", "NZONE=2"), "a.su2:1: NZONE"));
  EXPECT_TRUE(says(refusal("5 0 2 3", "3 0 2"), "a.su2:19: an element of a marker is a triangle"));
  EXPECT_TRUE(says(refusal("NPOIN=4 4", "NPOIN=four"), ", found \"four"));
  EXPECT_TRUE(says(refusal("NMARK=3", "NMARK=4"), "the file ends where marker 4 of 4"));
}

TEST_F(TextReaders, HalvesAreTold) {
  const auto half_about = [&](const std::string& file, const std::string& text) {
    return read_mesh(folder().write(file, text)).half_about;
  };
  const SurfaceMesh box = mixed_box();
  EXPECT_EQ(half_about("a.gdf", testing::gdf_text(box)), "");
  EXPECT_EQ(half_about("a.gdf", replaced(testing::gdf_text(box), "0 0 ISX", "1 0 ISX")), "x");
  EXPECT_EQ(half_about("a.gdf", replaced(testing::gdf_text(box), "0 0 ISX", "1 1 ISX")), "xy");
  EXPECT_EQ(half_about("a.dat", replaced(testing::nemoh_text(box), "2  0", "2  1")), "y");
  EXPECT_EQ(half_about("a.pnl", replaced(testing::hams_text(box), " 0 0\n", " 0 1\n")), "y");
}

TEST_F(TextReaders, GdfOfHigherOrderIsRefused) {
  const std::string text = "x\n1 9.81\n0 0\n1 1 NPATCH IGDEF\n0 0 0 1 0 0 1 1 0 0 1 0\n";
  EXPECT_TRUE(says(message_of<MeshError>([&] { read_gdf(folder().write("a.gdf", text)); }),
                   "a.gdf:4: the geometry is of higher order (IGDEF = 1)"));
  const SurfaceMesh flat = read_gdf(folder().write("a.gdf", replaced(text, "1 1 NPATCH", "1 0 N")));
  EXPECT_EQ(flat.elements, (std::vector<Element>{{0, 1, 2, 3}}));
}

TEST_F(TextReaders, OtherDatFilesAreRefused) {
  const std::string text = "TITLE = \"a\"\nVARIABLES = \"X\" \"Y\" \"Z\"\n";
  EXPECT_TRUE(says(message_of<MeshError>([&] { read_nemoh(folder().write("a.dat", text)); }),
                   "a.dat:1: a .dat or .mar file is read as a mesh of Nemoh"));
}

TEST_F(TextReaders, PartsOfVspgeomArePatches) {
  const std::string text =
      "# vspgeom v3\n1\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2\n3 1 2 3\n3 1 3 4\n2 5 0 0 0 0 0 0\n"
      "1 5 0 0 0 0 0 0\n1 1\n2 2\n0\n1 1 1 2 3\n";
  const SurfaceMesh mesh = read_vspgeom(folder().write("a.vspgeom", text));
  EXPECT_EQ(mesh.patch_names, (std::vector<std::string>{"part2", "part1"}));
  EXPECT_EQ(mesh.patch, (std::vector<std::int32_t>{0, 1}));
  EXPECT_TRUE(mesh.warnings.empty());
  EXPECT_TRUE(mesh.curves.empty());
}

TEST_F(TextReaders, WakeLinesOfVspgeomAreACurve) {
  const SurfaceMesh box = mixed_box(),
                    mesh = read_vspgeom(folder().write("a.vspgeom", testing::vspgeom_text(box, 3)));
  ASSERT_EQ(mesh.curves.size(), 1u);
  EXPECT_EQ(mesh.curves[0].name, "wakes");
  ASSERT_EQ(mesh.curves[0].ends.size(), 22u);  // pieces between 12 nodes
  for (std::size_t k = 0; k < 22; ++k)
    EXPECT_LT(norm(mesh.curves[0].ends[k] - box.nodes[(k + 1) / 2]), 1e-12);
}

}  // namespace
}  // namespace rankine::meshes
