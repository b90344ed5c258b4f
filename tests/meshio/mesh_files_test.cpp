// Meshes through every format that Gmsh reads, and geometry that is meshed on the way.
#include <algorithm>
#include <csignal>
#include <numbers>
#include <sstream>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/meshio/gmsh_models.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

using MeshFiles = FolderTest;

/// Triangles in patch "ball" and quadrilaterals in patch "outer ring", taking turns.
SurfaceMesh two_patches() {
  const SurfaceMesh ball = make_sphere(80), ring = make_torus(80, 2.0, 0.5, {0.0, 0.0, 3.0});
  const SurfaceMesh both = joined(ball, ring);
  SurfaceMesh mesh = both;
  mesh.elements.clear();
  mesh.patch.clear();
  for (std::size_t k = 0; k < ring.elements.size(); ++k) {
    for (const std::size_t e : {k, 80 + k}) {
      if (e == k && k >= 80) continue;
      mesh.elements.push_back(both.elements[e]);
      mesh.patch.push_back(e == k ? 0 : 1);
    }
  }
  mesh.patch_names = {"ball", "outer ring"};
  return mesh;
}

/// The order in which Gmsh writes elements to version 2.
SurfaceMesh patch_by_patch(const SurfaceMesh& mesh) {
  SurfaceMesh sorted = mesh;
  sorted.elements.clear();
  for (const std::int32_t patch : {0, 1}) {
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      if (mesh.patch[e] == patch) sorted.elements.push_back(mesh.elements[e]);
    }
  }
  std::sort(sorted.patch.begin(), sorted.patch.end());
  return sorted;
}

struct Format {
  std::string name;
  WriteOptions options;
};

class MshFiles : public FolderTest, public ::testing::WithParamInterface<Format> {};

INSTANTIATE_TEST_SUITE_P(Versions, MshFiles,
                         ::testing::Values(Format{"binary41", {true, 4.1}},
                                           Format{"ascii41", {false, 4.1}},
                                           Format{"binary22", {true, 2.2}},
                                           Format{"ascii22", {false, 2.2}}),
                         [](const auto& format) { return format.param.name; });

/// ASCII files hold 16 digits, one unit in the last place of a number near 3 is 4.4e-16.
TEST_P(MshFiles, KeepEverything) {
  SurfaceMesh mesh = two_patches();
  write_mesh(in_folder("mesh.msh"), mesh, GetParam().options);
  if (GetParam().options.msh_version < 4.0) mesh = patch_by_patch(mesh);
  const SurfaceMesh read = read_mesh(in_folder("mesh.msh"));
  EXPECT_EQ(read.patch_names, mesh.patch_names);
  ASSERT_EQ(read.nodes.size(), mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    EXPECT_LE(norm(read.nodes[n] - mesh.nodes[n]), 4e-15);
  }
  EXPECT_EQ(read.elements, mesh.elements);
  EXPECT_EQ(read.patch, mesh.patch);
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_EQ(read.source, in_folder("mesh.msh").string());
  EXPECT_EQ(entries(folder().path()), 1u);
}

TEST_F(MeshFiles, BinaryMshKeepsTheBitsOfTheNodes) {
  const SurfaceMesh mesh = make_ellipsoid(500, {1.0 / 3.0, 2.0 / 7.0, 1e-3});
  write_mesh(in_folder("mesh.msh"), mesh);
  EXPECT_EQ(read_mesh(in_folder("mesh.msh")).nodes, mesh.nodes);
}

TEST_F(MeshFiles, ExtensionsMayBeInCapitals) {
  const SurfaceMesh mesh = make_box(6, {1.0, 2.0, 3.0});
  write_mesh(in_folder("BOX.VTP"), mesh);
  EXPECT_EQ(read_mesh(in_folder("BOX.VTP")).elements, mesh.elements);
}

TEST_F(MeshFiles, ScaleTurnsFileUnitsIntoMetres) {
  write_mesh(in_folder("mesh.msh"), make_box(6, {1000.0, 2000.0, 3000.0}));
  const MeshReport report = check_mesh(read_mesh(in_folder("mesh.msh"), {.scale = 1e-3}));
  EXPECT_NEAR(report.volume, 6.0, 1e-13);
}

TEST_F(MeshFiles, StlNodesAreMerged) {
  const SurfaceMesh mesh = make_sphere(320);
  for (const bool binary : {true, false}) {
    write_mesh(in_folder("mesh.stl"), mesh, {.binary = binary});
    const SurfaceMesh read = read_mesh(in_folder("mesh.stl"));
    EXPECT_EQ(read.elements.size(), 320u);
    EXPECT_EQ(read.nodes.size(), 162u);
    EXPECT_EQ(read.patch_names, std::vector<std::string>{"body"});
    const MeshReport report = check_mesh(read);
    EXPECT_TRUE(report.watertight());
    // Coordinates are rounded to single precision, 6e-8 of 1, in both cases.
    EXPECT_NEAR(report.volume, check_mesh(mesh).volume, 1e-6);
  }
}

TEST_F(MeshFiles, StlSolidsArePatches) {
  const SurfaceMesh mesh = two_patches();
  write_mesh(in_folder("mesh.stl"), mesh, {.binary = false});
  const SurfaceMesh read = read_mesh(in_folder("mesh.stl"));
  EXPECT_EQ(read.patch_names, (std::vector<std::string>{"ball", "outer ring"}));
  EXPECT_EQ(std::count(read.patch.begin(), read.patch.end(), 0), 80);
  const auto halves = 2 * static_cast<std::ptrdiff_t>(mesh.elements.size() - 80);
  EXPECT_EQ(std::count(read.patch.begin(), read.patch.end(), 1), halves);
}

/// Tetrahedra are not looked at; the box goes, the ball is closed.
TEST_F(MeshFiles, FarFieldOfAVolumeMeshIsLeftOut) {
  for (const std::string name : {"tank.msh", "tank.su2"}) {
    write_ball_in_a_tank(in_folder(name));
    const SurfaceMesh whole = read_mesh(in_folder(name));
    EXPECT_EQ(check_mesh(whole).bodies.size(), 2u) << name;
    SurfaceMesh hull =
        read_mesh(in_folder(name), {.patches = {.keep = {}, .exclude = {"farfield"}}});
    EXPECT_EQ(hull.patch_names, std::vector<std::string>{"hull"}) << name;
    EXPECT_EQ(hull.nodes,
              read_mesh(in_folder(name), {.patches = {.keep = {"hull"}, .exclude = {}}}).nodes);
    const MeshReport report = orient(hull, Orient::outward).report;
    EXPECT_TRUE(report.watertight()) << name;
    EXPECT_EQ(report.bodies.size(), 1u) << name;
    // As in GeoTakesTheSizeAsked: h^2/2 of the volume is more than flat panels miss.
    const double missing = 1.0 - report.volume / (4.0 / 3.0 * std::numbers::pi);
    EXPECT_GT(missing, 0.0) << name;
    EXPECT_LT(missing, 0.5 * report.max_edge * report.max_edge) << name;
    EXPECT_THROW(read_mesh(in_folder(name), {.patches = {.keep = {"fluid"}, .exclude = {}}}),
                 NoSuchPatch);
  }
}

/// Bodies have names only once nodes are merged; repairs come after patches that the file names.
TEST_F(MeshFiles, BodiesAreChosenByTheNamesTheyGet) {
  write_mesh(in_folder("mesh.stl"), two_patches());
  const SurfaceMesh read =
      read_mesh(in_folder("mesh.stl"), {.patches = {.keep = {"body2"}, .exclude = {}}});
  EXPECT_EQ(read.patch_names, std::vector<std::string>{"body2"});
  EXPECT_TRUE(check_mesh(read).watertight());
  EXPECT_EQ(read.notes, std::vector<std::string>{"left out body1 (80)"});
}

TEST_F(MeshFiles, BinaryStlHasOnePatchPerBody) {
  write_mesh(in_folder("mesh.stl"), two_patches());
  EXPECT_EQ(read_mesh(in_folder("mesh.stl")).patch_names,
            (std::vector<std::string>{"body1", "body2"}));
}

TEST_F(MeshFiles, GeoIsMeshedAndKeepsPhysicalNames) {
  const auto path = folder().write("bodies.geo",
                                   "SetFactory(\"OpenCASCADE\");\n"
                                   "Sphere(1) = {0, 0, 0, 1};\n"
                                   "Box(2) = {3, 0, 0, 1, 1, 1};\n"
                                   "Box(3) = {6, 0, 0, 1, 1, 1};\n"
                                   "Physical Surface(\"ball\") = {1};\n"
                                   "Physical Surface(7) = {2:7};\n"
                                   "Mesh.CharacteristicLengthMax = 0.5;\n");
  const SurfaceMesh read = read_mesh(path, {.scripts = true});
  EXPECT_EQ(read.patch_names, (std::vector<std::string>{"ball", "surface7"}));
  const MeshReport report = check_mesh(read);
  EXPECT_TRUE(report.watertight());
  ASSERT_EQ(report.bodies.size(), 2u) << "the third body is in no physical surface";
  EXPECT_NEAR(report.bodies[1].area, 6.0, 1e-12);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_TRUE(says(read.warnings[0], "in no physical surface"));
}

TEST_F(MeshFiles, GeoTakesTheSizeAsked) {
  const auto path =
      folder().write("ball.geo", "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1000};\n");
  SurfaceMesh coarse = read_mesh(path, {.scale = 1e-3, .scripts = true, .size = 0.2});
  SurfaceMesh fine = read_mesh(path, {.scale = 1e-3, .scripts = true, .size = 0.1});
  EXPECT_GT(fine.elements.size(), 3 * coarse.elements.size());
  EXPECT_LT(fine.elements.size(), 5 * coarse.elements.size());
  // An equilateral triangle with edge h lies at most h^2/6 under the unit sphere: 3 h^2/6 of the
  // volume is more than can be missing.
  for (SurfaceMesh* const mesh : {&coarse, &fine}) {
    const MeshReport report = orient(*mesh, Orient::outward).report;
    const double missing = 1.0 - report.volume / (4.0 / 3.0 * std::numbers::pi);
    EXPECT_GT(missing, 0.0);
    EXPECT_LT(missing, 0.5 * report.max_edge * report.max_edge);
  }
}

TEST_F(MeshFiles, EverySolidOfAnStlFileIsAPatch) {
  const auto read_solids = [&](const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t n = 0; n < names.size(); ++n) {
      text += "solid " + names[n] + "\n";
      const SurfaceMesh sphere = make_sphere(20, 1.0, {3.0 * static_cast<double>(n), 0.0, 0.0});
      for (const Element& element : sphere.elements) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (int k = 0; k < 3; ++k) {
          const Vec3d& x = sphere.nodes[element[k]];
          text += "vertex " + std::to_string(x.x) + " " + std::to_string(x.y) + " " +
                  std::to_string(x.z) + "\n";
        }
        text += "endloop\nendfacet\n";
      }
      text += "endsolid " + names[n] + "\n";
    }
    return read_mesh(folder().write("solids.stl", text));
  };
  using Names = std::vector<std::string>;
  const SurfaceMesh both = read_solids({"wing", "tail plane"});
  EXPECT_EQ(both.patch_names, (Names{"wing", "tail plane"}));
  EXPECT_EQ(std::count(both.patch.begin(), both.patch.end(), 1), 20);
  EXPECT_EQ(read_solids({"", "tail"}).patch_names, (Names{"solid1", "tail"}));
  EXPECT_EQ(read_solids({"a", "a"}).patch_names, Names{"a"});
  EXPECT_EQ(read_solids({""}).patch_names, Names{"body"});
}

TEST_F(MeshFiles, ReadingLeavesTheProcessAsItWas) {
  const auto path =
      folder().write("ball.geo", "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\n");
  const auto handler = std::signal(SIGINT, SIG_IGN);
  Execution{.threads = 3}.run([&] {
    read_mesh(path, {.scripts = true});
    EXPECT_EQ(thread_count(), 3);
  });
  EXPECT_EQ(std::signal(SIGINT, handler), SIG_IGN);
}

TEST_F(MeshFiles, UnvIsRead) {
  write_meshed_box(in_folder("box.unv"), 1);
  SurfaceMesh mesh = read_mesh(in_folder("box.unv"));
  EXPECT_NEAR(orient(mesh, Orient::outward).report.volume, 6.0, 1e-12);
}

TEST_F(MeshFiles, SecondOrderElementsKeepTheirMidNodes) {
  write_meshed_box(in_folder("flat.msh"), 1);
  write_meshed_box(in_folder("curved.msh"), 2);
  const SurfaceMesh flat = read_mesh(in_folder("flat.msh"));
  const SurfaceMesh curved = read_mesh(in_folder("curved.msh"));
  EXPECT_EQ(curved.elements.size(), flat.elements.size());
  EXPECT_EQ(curved.nodes.size(), flat.nodes.size());
  EXPECT_TRUE(flat.warnings.empty());
  ASSERT_EQ(curved.warnings.size(), 1u);
  EXPECT_TRUE(says(curved.warnings[0],
                   "elements of second order: curved panels go through their mid-nodes"));
  EXPECT_TRUE(flat.mid_nodes.empty());
  ASSERT_EQ(curved.mid_nodes.size(), curved.elements.size());
  for (std::size_t e = 0; e < curved.elements.size(); ++e) {  // a box has straight edges
    const MidNodes straight = straight_mid_nodes(curved, curved.elements[e]);
    for (int k = 0; k < 3; ++k)
      EXPECT_LE(norm(curved.mid_nodes[e][k] - straight[k]), 1e-14) << e << " " << k;
  }
}

/// A curved triangle and a flat quadrilateral, in every format that has such: the mid-nodes in
/// metres, none of them a node of the mesh.
TEST_F(MeshFiles, MidNodesOfSecondOrderElements) {
  const std::string points =
      "0 0 0\n1 0 0\n0 1 0\n.5 -.1 .1\n.6 .6 .2\n-.1 .5 .3\n1 -1 0\n0 -1 0\n";
  const std::string vtk =
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS 8 double\n" +
      points + "CELLS 2 12\n6 0 1 2 3 4 5\n4 7 6 1 0\nCELL_TYPES 2\n22\n9\n";
  std::string medit = "MeshVersionFormatted 2\nDimension 3\nVertices 8\n" + points +
                      "TrianglesP2 1\n1 2 3 4 5 6 0\nQuadrilaterals 1\n8 7 2 1 0\nEnd\n";
  std::string msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n";
  int number = 0;
  std::istringstream lines(points);
  for (std::string line; std::getline(lines, line);)
    msh += std::to_string(++number) + " " + line + "\n";
  msh += "$EndNodes\n$Elements\n2\n1 9 2 0 1 1 2 3 4 5 6\n2 3 2 0 1 8 7 2 1\n$EndElements\n";
  for (const auto& [name, text] : {std::pair{"a.vtk", vtk}, {"a.mesh", medit}, {"a.msh", msh}}) {
    const SurfaceMesh mesh = read_mesh(folder().write(name, text), {.scale = 2.0});
    EXPECT_EQ(mesh.nodes.size(), 5u) << name;
    ASSERT_EQ(mesh.mid_nodes.size(), 2u) << name;
    EXPECT_EQ(mesh.mid_nodes[0], (MidNodes{{{1, -.2, .2}, {1.2, 1.2, .4}, {-.2, 1, .6}, {}}}));
    EXPECT_EQ(mesh.mid_nodes[1], (MidNodes{{{1, -2, 0}, {2, -1, 0}, {1, 0, 0}, {0, -1, 0}}}));
  }
  EXPECT_THROW(read_mesh(folder().write("b.mesh", replaced(medit, "4 5 6 0", "4 5 9 0"))),
               MeshError);
  EXPECT_THROW(read_mesh(folder().write("b.vtk", replaced(vtk, "3 4 5", "3 4 8"))), MeshError);
  EXPECT_THROW(read_mesh(folder().write("c.vtk", replaced(vtk, "-.1 .5 .3", "-.1 .5 nan"))),
               MeshError);
}

TEST_F(MeshFiles, CoincidentNodesAndCollapsedCornersAreRepaired) {
  // A pyramid: its base, and sides given as quadrilaterals whose tip is there twice, each with
  // nodes of its own.
  std::string nodes, elements = "1 3 2 0 1 1 2 3 4\n";
  const std::string base[] = {"-1 -1 0", "-1 1 0", "1 1 0", "1 -1 0"};
  int count = 0;
  for (const std::string& corner : base) nodes += std::to_string(++count) + " " + corner + "\n";
  for (int side = 0; side < 4; ++side) {
    const int first = count + 1;
    for (const std::string& corner :
         {base[(side + 1) % 4], base[side], std::string("0 0 1"), std::string("0 0 1")}) {
      nodes += std::to_string(++count) + " " + corner + "\n";
    }
    elements += std::to_string(side + 2) + " 3 2 0 1";
    for (int k = 0; k < 4; ++k) elements += " " + std::to_string(first + k);
    elements += "\n";
  }
  const SurfaceMesh mesh = read_mesh(folder().write(
      "pyramid.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(count) +
                         "\n" + nodes + "$EndNodes\n$Elements\n5\n" + elements + "$EndElements\n"));
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.nodes, 5u);
  EXPECT_EQ(report.triangles, 4u);
  EXPECT_EQ(report.quadrilaterals, 1u);
  EXPECT_TRUE(report.watertight());
  EXPECT_NEAR(report.volume, 4.0 / 3.0, 1e-15);
  ASSERT_EQ(mesh.warnings.size(), 2u);
  EXPECT_TRUE(says(mesh.warnings[0], "15 nodes at the place of another"));
  EXPECT_TRUE(says(mesh.warnings[1], "4 quadrilaterals"));
}

/// Two tetrahedra with a face in common, without a surface element.
TEST_F(MeshFiles, TheSkinOfVolumeElementsIsTheSurface) {
  folder().write("tets.msh",
                 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                 "4 0 0 1\n5 0 0 -1\n$EndNodes\n$Elements\n2\n1 4 2 0 1 1 2 3 4\n"
                 "2 4 2 0 1 1 3 2 5\n$EndElements\n");
  folder().write("tets.vtk",
                 "# vtk DataFile Version 3.0\ntets\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                 "POINTS 5 double\n0 0 0 1 0 0 0 1 0 0 0 1 0 0 -1\nCELLS 2 10\n4 0 1 2 3\n"
                 "4 0 2 1 4\nCELL_TYPES 2\n10 10\n");
  for (const std::string name : {"tets.msh", "tets.vtk"}) {
    SurfaceMesh mesh = read_mesh(in_folder(name));
    EXPECT_EQ(mesh.elements.size(), 6u) << name;
    ASSERT_FALSE(mesh.warnings.empty());
    EXPECT_TRUE(says(mesh.warnings[0], "their 6 outer faces are the panels"));
    EXPECT_NEAR(orient(mesh, Orient::check).report.volume, 1.0 / 3.0, 1e-15) << "outward normals";
  }
}

}  // namespace
}  // namespace rankine::meshes
