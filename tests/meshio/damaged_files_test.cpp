// Files that were meshes once: node numbers out of range, counts beyond all memory, bytes cut off
// or changed. Every one is a MeshError; none ends the process.
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/file_mesh.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/meshio/gmsh_models.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

class DamagedFiles : public FolderTest {
 protected:
  std::string refusal(const std::string& name, const std::string& text) const {
    return message_of<MeshError>([&] { read_mesh(folder().write(name, text)); });
  }
};

const std::string obj_nodes = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
const std::string vtk_points =
    "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n"
    "0 0 0 1 0 0 0 1 0 0 0 1\n";
const std::string ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";

std::string vtp(const std::string& points, const std::string& connectivity) {
  return "<VTKFile type=\"PolyData\" version=\"0.1\"><PolyData><Piece NumberOfPoints=\"" + points +
         "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
         "NumberOfPolys=\"1\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
         "format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Polys><DataArray "
         "type=\"Int64\" Name=\"connectivity\" format=\"ascii\">" +
         connectivity +
         "</DataArray><DataArray type=\"Int64\" Name=\"offsets\" "
         "format=\"ascii\">3</DataArray></Polys></Piece></PolyData></VTKFile>\n";
}

std::string vtu(const std::string& points, const std::string& connectivity) {
  return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\"><UnstructuredGrid><Piece "
         "NumberOfPoints=\"" +
         points +
         "\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
         "format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray "
         "type=\"Int64\" Name=\"connectivity\" format=\"ascii\">" +
         connectivity +
         "</DataArray><DataArray type=\"Int64\" Name=\"offsets\" "
         "format=\"ascii\">3</DataArray><DataArray type=\"UInt8\" Name=\"types\" "
         "format=\"ascii\">5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

std::string msh(const std::string& nodes, const std::string& corners) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + nodes +
         "\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 2 2 0 1 " + corners +
         "\n$EndElements\n";
}

TEST_F(DamagedFiles, NodeNumberOutOfRange) {
  const std::string none = "has no such node (its nodes are 0 to 3)";
  for (const std::string far : {"8", "4"}) {
    const std::string corners = "0 1 " + far;
    const std::string expected = "element 0 names node " + far + ", and the file " + none;
    EXPECT_TRUE(says(refusal("a.ply", ply + "3 " + corners + "\n"),
                     "a.ply:14: the face names vertex " + far + ", and the file has 4"));
    EXPECT_TRUE(says(refusal("a.vtk", vtk_points + "POLYGONS 1 4\n3 " + corners + "\n"), expected));
    EXPECT_TRUE(says(refusal("a.vtp", vtp("4", corners)), expected));
    EXPECT_TRUE(says(refusal("a.vtu", vtu("4", corners)), expected));
  }
  EXPECT_TRUE(says(refusal("a.vtk", vtk_points + "POLYGONS 1 4\n3 0 1 -7\n"), none));
  EXPECT_TRUE(says(refusal("a.vtk", vtk_points + "POLYGONS 1 4\n3 0 1 900000000\n"), none));
  EXPECT_TRUE(says(refusal("far.ply", ply + "3 0 1 900000000\n"), "far.ply"));
  EXPECT_TRUE(says(refusal("a.msh", msh("4", "1 2 9")), "9"));
}

TEST_F(DamagedFiles, ObjIndices) {
  EXPECT_TRUE(says(refusal("a.obj", obj_nodes + "f 1 2 3\nf 1 2 9\n"),
                   "a.obj:6: the face names vertex 9, and the file has 4"));
  for (const std::string word :
       {"0", "-5", "1.5", "x", "/1", "2147483648", "99999999999999999999"}) {
    EXPECT_TRUE(says(refusal("a.obj", obj_nodes + "f 1 2 " + word + "\n"),
                     "a.obj:5: the face names vertex \"" + word + "\""));
  }
  EXPECT_TRUE(says(refusal("a.obj", obj_nodes + "f 1 2\n"), "a.obj:5: the face has 2 corners"));
  EXPECT_TRUE(says(refusal("a.obj", "v 1 2\nf 1 1 1\n"), "a.obj:1: a vertex needs three numbers"));
}

std::string msh4(const std::string& physical, const std::string& tag) {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n" + physical +
         " 1 \"body\"\n$EndPhysicalNames\n$Entities\n0 0 1 0\n1 0 0 0 1 1 1 1 1 0\n$EndEntities\n"
         "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
         "$Elements\n1 1 1 1\n2 1 2 1\n" +
         tag + " 1 2 3\n$EndElements\n";
}

std::string unv(const std::string& corners) {
  const std::string node = "         1         1        11\n";
  return "    -1\n  2411\n         1" + node + "   0.0E+00   0.0E+00   0.0E+00\n         2" + node +
         "   1.0E+00   0.0E+00   0.0E+00\n         3" + node +
         "   0.0E+00   1.0E+00   0.0E+00\n    -1\n    -1\n  2412\n"
         "         1        91         1         1         7         " +
         corners + "\n         1         2         3\n    -1\n";
}

/// Gmsh 4.8 ends with a segmentation fault at a physical name of eight dimensions, and at triangles
/// that say they have two nodes, or eight.
TEST_F(DamagedFiles, WhatCrashesGmsh) {
  EXPECT_EQ(read_mesh(folder().write("a.msh", msh4("2", "1"))).elements.size(), 1u);
  EXPECT_EQ(read_mesh(folder().write("a.unv", unv("3"))).elements.size(), 1u);
  refusal("b.msh", msh4("8", "1"));
  refusal("b.unv", unv("2"));
  refusal("c.unv", unv("8"));
}

/// 10^12 nodes are no lack of memory when the file has four.
TEST_F(DamagedFiles, CountsBeyondTheFile) {
  const std::string many = "1000000000000";
  refusal("a.msh", msh(many, "1 2 3"));
  refusal("b.msh", replaced(msh("4", "1 2 3"), "$Elements\n1", "$Elements\n" + many));
  refusal("a.ply", replaced(ply, "vertex 4", "vertex " + many) + "3 0 1 2\n");
  refusal("a.vtk", replaced(vtk_points, "POINTS 4", "POINTS " + many) + "POLYGONS 1 4\n3 0 1 2\n");
  refusal("b.vtk", vtk_points + "POLYGONS " + many + " 4000000000000\n3 0 1 2\n");
  refusal("a.vtp", vtp(many, "0 1 2"));
  refusal("a.vtu", vtu(many, "0 1 2"));
}

TEST_F(DamagedFiles, CoordinatesThatAreNoPlace) {
  const std::string no_place = "which is not a place";
  for (const std::string word : {"nan", "inf", "-inf"}) {
    const std::string nodes = replaced(obj_nodes, "v 1 0 0", "v " + word + " 0 0");
    EXPECT_TRUE(says(refusal("a.obj", nodes + "f 1 2 3\n"), no_place));
    EXPECT_TRUE(says(refusal("a.ply", replaced(ply, "\n1 0 0", "\n" + word + " 0 0") + "3 0 1 2\n"),
                     no_place));
    EXPECT_TRUE(says(refusal("a.msh", replaced(msh("4", "1 2 3"), "2 1 0 0", "2 " + word + " 0 0")),
                     no_place));
    EXPECT_TRUE(says(refusal("a.stl",
                             "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                             "vertex " +
                                 word + " 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"),
                     no_place))
        << word;
  }
  write_mesh(in_folder("whole.stl"), make_sphere(80));
  std::string bytes = read_text(in_folder("whole.stl"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&bytes[84 + 50 * 7 + 12 + 4], &nan, sizeof(nan));  // triangle 7, corner 0, y
  EXPECT_TRUE(says(refusal("nan.stl", bytes), no_place));
}

/// A coordinate that is a number in the file's unit and none in metres.
TEST_F(DamagedFiles, ScaledOutOfRange) {
  const auto path = folder().write("a.obj", replaced(obj_nodes, "v 1", "v 1e300") + "f 1 2 3\n");
  EXPECT_TRUE(says(message_of<MeshError>([&] { read_mesh(path, {.scale = 1e30}); }),
                   "which is not a place"));
}

TEST_F(DamagedFiles, NotFiles) {
  ASSERT_EQ(::mkfifo(in_folder("pipe.obj").c_str(), 0600), 0);
  EXPECT_TRUE(says(message_of<MeshError>([&] { read_mesh(in_folder("pipe.obj")); }), "not a file"));
  const auto closed = folder().write("closed.obj", obj_nodes + "f 1 2 3\n");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  if (::access(closed.c_str(), R_OK) != 0) {  // who may read everything reads this, too
    EXPECT_TRUE(says(message_of<MeshError>([&] { read_mesh(closed); }), "Permission denied"));
  }
}

/// Every format cut at many places and with bytes changed: a mesh or a MeshError.
TEST_F(DamagedFiles, CutAndChanged) {
  const SurfaceMesh sphere = make_sphere(20);
  write_mesh(in_folder("binary.msh"), sphere);
  write_mesh(in_folder("text.msh"), sphere, {.binary = false});
  write_mesh(in_folder("old.msh"), sphere, {.msh_version = 2.2});
  write_mesh(in_folder("whole.stl"), sphere);
  write_mesh(in_folder("whole.vtp"), sphere);
  write_meshed_box(in_folder("whole.unv"), 1);
  std::mt19937 random(8);
  const auto below = [&](std::size_t n) { return std::size_t{random()} % n; };
  for (const std::string name :
       {"binary.msh", "text.msh", "old.msh", "whole.stl", "whole.vtp", "whole.unv"}) {
    const std::string whole = read_text(in_folder(name));
    for (int turn = 0; turn < 4; ++turn) {
      std::string bytes = whole;
      if (turn % 2 == 0) bytes.resize(below(whole.size()));
      for (int change = 0; turn % 2 == 1 && change < 5; ++change) {
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      }
      try {
        read_mesh(folder().write("damaged-" + name, bytes));
      } catch (const MeshError& error) {
        EXPECT_TRUE(says(error.what(), "damaged-" + name));
      }
    }
  }
}

// What a reader hands over, checked without any library.

FileMesh four_nodes(ElementBlock block) {
  FileMesh mesh;
  mesh.coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

TEST(FileMeshes, NumbersWithGapsKeepTheirOrder) {
  FileMesh file = four_nodes({3, -1, {7, 3}, {10, 40, 20, 40, 30, 10}});
  file.node_tags = {30, 10, 40, 20};
  const SurfaceMesh mesh = to_surface_mesh(std::move(file), "a");
  EXPECT_EQ(mesh.elements, (std::vector<Element>{{3, 2, 0, -1}, {0, 3, 1, -1}}));
  EXPECT_EQ(mesh.nodes[0], (Vec3d{1, 0, 0}));  // the node 10
  EXPECT_EQ(mesh.nodes[3], (Vec3d{0, 1, 0}));  // the node 40
}

TEST(FileMeshes, NumbersOfNoNodeAreRefused) {
  for (const std::int64_t tag : {std::int64_t{-1}, std::int64_t{4}, std::int64_t{1} << 32,
                                 std::numeric_limits<std::int64_t>::min()}) {
    const auto convert = [&] { to_surface_mesh(four_nodes({3, -1, {5}, {0, 1, tag}}), "a.msh"); };
    EXPECT_TRUE(
        says(message_of<MeshError>(convert), "a.msh: element 5 names node " + std::to_string(tag)));
  }
  FileMesh gap = four_nodes({3, -1, {5}, {1, 2, 5}});
  gap.node_tags = {1, 2, 3, 9};
  EXPECT_TRUE(says(message_of<MeshError>([&] { to_surface_mesh(std::move(gap), "a"); }),
                   "names node 5, and the file has no such node (its nodes are 1 to 9)"));
  EXPECT_THROW(to_surface_mesh({{}, {}, {{3, -1, {0}, {0, 0, 0}}}, {}, {}, {}}, "a"), MeshError);
}

TEST(FileMeshes, PartsThatDoNotFitAreRefused) {
  const auto refused = [](FileMesh mesh) {
    return says(message_of<MeshError>([&] { to_surface_mesh(std::move(mesh), "a"); }),
                "do not fit together");
  };
  EXPECT_TRUE(refused(four_nodes({3, -1, {1, 2}, {0, 1, 2}})));
  EXPECT_TRUE(refused(four_nodes({2, -1, {1}, {0, 1}})));
  EXPECT_TRUE(refused(four_nodes({5, -1, {1}, {0, 1, 2, 3, 0}})));
  EXPECT_TRUE(refused(four_nodes({3, 0, {1}, {0, 1, 2}}))) << "a patch without a name";
  FileMesh mesh = four_nodes({3, -1, {1}, {0, 1, 2}});
  mesh.node_tags = {1};
  EXPECT_TRUE(refused(mesh));
  mesh = four_nodes({3, -1, {1}, {0, 1, 2}});
  mesh.coordinates.pop_back();
  EXPECT_TRUE(refused(mesh));
}

}  // namespace
}  // namespace rankine::meshes
