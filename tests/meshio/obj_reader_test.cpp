// Wavefront files: what programs write into them, and what of it counts.
#include "rankine/meshes/formats/readers.hpp"

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

class ObjReader : public FolderTest {
 protected:
  SurfaceMesh read(const std::string& text) const {
    return read_obj(folder().write("a.obj", text));
  }
};

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST_F(ObjReader, ReadsEveryBit) {
  for (const SurfaceMesh& mesh : {make_sphere(80), make_torus(80, 2.0, 1.0)}) {
    const SurfaceMesh found = read_mesh(folder().write("mesh.obj", obj_text(mesh)));
    EXPECT_EQ(found.elements, mesh.elements);
    EXPECT_EQ(found.nodes, mesh.nodes);
    EXPECT_EQ(found.patch_names, std::vector<std::string>{"body"});
  }
}

TEST_F(ObjReader, CornersMayNameTexturesAndNormals) {
  const std::vector<Element> expected{{0, 1, 2, -1}};
  for (const std::string corners : {"1/1 2/2 3/3", "1//1 2//1 3//1", "1/1/1 2/2/2 3/3/3",
                                    "1/ 2/ 3/", "-4 -3 -2", "-4/-1 2/7 +3"}) {
    EXPECT_EQ(read(square + "f " + corners + "\n").elements, expected) << corners;
  }
}

TEST_F(ObjReader, VerticesAreCountedBackFromTheFace) {
  const SurfaceMesh mesh = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -1 -2 -3\n");
  EXPECT_EQ(mesh.elements, (std::vector<Element>{{0, 1, 2, -1}, {3, 2, 1, -1}}));
}

TEST_F(ObjReader, OtherLinesArePassedOver) {
  const SurfaceMesh mesh = read(
      "# a comment\r\nmtllib a.mtl\no body\ng\ns off\nusemtl none\n"
      "f 1 2 \\\r\n  3 4 # before its vertices\nv 0 0 0 1.0\n\tv +1 0 0 0.5 0.5 0.5\nvn 0 0 1\n"
      "vt 0 0\nv 1 1e0 -0\nv 0 1 0\nl 1 2\np 3\nvp 1\n\\\n\nf 1 2 3");
  EXPECT_EQ(mesh.elements, (std::vector<Element>{{0, 1, 2, 3}, {0, 1, 2, -1}}));
  ASSERT_EQ(mesh.nodes.size(), 4u);
  EXPECT_EQ(mesh.nodes[1], (Vec3d{1, 0, 0}));
}

TEST_F(ObjReader, NumbersBeyondTheRange) {
  const SurfaceMesh mesh = read("v 1e-400 -1e-999 0.0000001\nv 1e400 nan -inf\nf 1 2 1\n");
  EXPECT_EQ(mesh.nodes[0], (Vec3d{0, 0, 1e-7}));
  EXPECT_FALSE(is_finite(mesh.nodes[1]));
}

TEST_F(ObjReader, LargerPolygonsAreSplit) {
  const SurfaceMesh mesh = read(square + "v 0.2 0.5 0\nf 1 2 3 4 5\nf 1 2 3\n");
  EXPECT_EQ(mesh.elements.size(), 4u);
  EXPECT_EQ(mesh.elements.back(), (Element{0, 1, 2, -1}));
  EXPECT_TRUE(says(mesh.warnings.at(0), "1 polygon of more than four corners is split into 3"));
  const std::string message =
      message_of<MeshError>([&] { read(square + "v 5 5 5\nf 1 1 1 1 1\n"); });
  EXPECT_TRUE(says(message, "a.obj:6: the face of 5 corners crosses itself, has no area"));
}

}  // namespace
}  // namespace rankine::meshes
