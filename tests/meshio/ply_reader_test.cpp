// PLY files as programs write them: text, binary of both byte orders, strips and polygons.
#include "rankine/meshes/formats/readers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

class PlyReader : public FolderTest {
 protected:
  SurfaceMesh read(const std::string& text) const {
    return read_ply(folder().write("a.ply", text));
  }
  std::string refusal(const std::string& text) const {
    return message_of<MeshError>([&] { read(text); });
  }
};

/// Bytes of one order.
class Bytes {
 public:
  explicit Bytes(std::endian order) : swapped_(order != std::endian::native) {}
  template <class T>
  Bytes& add(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (swapped_) std::reverse(bytes, bytes + sizeof(T));
    text_.append(bytes, sizeof(T));
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  bool swapped_;
  std::string text_;
};

TEST_F(PlyReader, BinaryOfBothByteOrdersKeepsEveryBit) {
  const SurfaceMesh mesh = make_sphere(80);
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    Bytes bytes(order);
    for (const Vec3d& x : mesh.nodes) bytes.add(x.x).add(x.y).add(x.z).add(std::uint8_t{7});
    for (const Element& e : mesh.elements) {
      bytes.add(std::uint16_t{1}).add(0.5f).add(std::uint8_t{3});
      for (int k = 0; k < 3; ++k) bytes.add(std::uint32_t(e[k]));
    }
    const std::string header =
        std::string("ply\r\nformat ") +
        (order == std::endian::little ? "binary_little_endian" : "binary_big_endian") +
        " 1.0\nobj_info x\nelement vertex 42\nproperty float64 x\nproperty double y\n"
        "property double z\nproperty uint8 red\nelement face 80\nproperty list ushort float t\n"
        "property list uchar uint vertex_index\nend_header\n";
    const SurfaceMesh found = read(header + bytes.text());
    EXPECT_EQ(found.nodes, mesh.nodes);
    EXPECT_EQ(found.elements, mesh.elements);
    for (std::size_t size = 0; size < bytes.text().size(); size += 97) {
      EXPECT_TRUE(
          says(refusal(header + bytes.text().substr(0, size)), "a.ply: the file ends within"));
    }
    EXPECT_TRUE(says(refusal(header + bytes.text() + "x"), "the file goes on"));
  }
}

const std::string header =
    "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
    "property float z\n";
const std::string points = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n-1 0.5 0\n";

TEST_F(PlyReader, StripsAlternate) {
  const SurfaceMesh mesh = read(header +
                                "element tristrips 2\nproperty list int int vertex_indices\n"
                                "end_header\n" +
                                points + "4 0 1 3 2\n7 3 4 0 -1 2 1 0\n");
  EXPECT_EQ(mesh.elements,
            (std::vector<Element>{{0, 1, 3, -1}, {3, 1, 2, -1}, {3, 4, 0, -1}, {2, 1, 0, -1}}));
}

TEST_F(PlyReader, PolygonsAreSplit) {
  const SurfaceMesh mesh = read(header +
                                "element face 1\nproperty list uchar int vertex_indices\n"
                                "end_header\n" +
                                points + "5 0 1 2 3 4\n");
  EXPECT_EQ(mesh.elements, (std::vector<Element>{{0, 1, 2, -1}, {0, 2, 3, -1}, {0, 3, 4, -1}}));
  EXPECT_EQ(mesh.warnings, std::vector<std::string>{
                               "1 polygon of more than four corners is split into 3 triangles"});
}

TEST_F(PlyReader, HeadersThatAreWrong) {
  const std::string faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string face = "3 0 1 2\n";
  EXPECT_TRUE(says(refusal("plx\n"), "a.ply:1: a PLY file begins with a line \"ply\""));
  EXPECT_TRUE(says(refusal("ply\nformat binary 1.0\n"), "a.ply:2: the format is ascii"));
  EXPECT_TRUE(says(refusal("ply\nelement vertex -1\n"), "a.ply:2: the number of elements"));
  EXPECT_TRUE(says(refusal("ply\nproperty float x\n"), "a.ply:2: a property needs an element"));
  EXPECT_TRUE(says(refusal("ply\nelement face 1\nproperty list x int i\n"), "a.ply:3: a property"));
  EXPECT_TRUE(says(refusal("ply\nelement a 1\nend_header\n"), "the header has no line \"format\""));
  EXPECT_TRUE(says(refusal("ply\nformat ascii 1.0\nelement a 9\nend_header\n"), "has no property"));
  EXPECT_TRUE(says(refusal("ply\nformat ascii 1.0\n"), "the file ends where end_header"));
  EXPECT_TRUE(says(refusal(header + faces + points + "3 0 1.5 2\n"), "must be a whole number"));
  EXPECT_TRUE(says(refusal(header + faces + points + "-3 0 1 2\n"), "the length of a list is -3"));
  EXPECT_TRUE(says(refusal(header + faces + points + "3 0 1 2 9\n"), "the line should end"));
  EXPECT_TRUE(says(refusal(header + faces + points + "2 0 1\n"), "the face has 2 corners"));
  EXPECT_TRUE(says(refusal(header + faces + points + face + face), "the file goes on"));
  EXPECT_TRUE(says(refusal("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                           "end_header\n0\n"),
                   "a.ply:6: a vertex needs properties x, y and z"));
}

}  // namespace
}  // namespace rankine::meshes
