// Files that are no meshes, and places where none can be written: the message and the exit code.
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

class MeshFileErrors : public FolderTest {
 protected:
  std::string refusal(const std::string& name, const std::string& text) const {
    return message_of<MeshError>([&] { read_mesh(folder().write(name, text), {.scripts = true}); });
  }
};

TEST_F(MeshFileErrors, Missing) {
  const std::string message = message_of<MeshError>([&] { read_mesh(in_folder("sphere.msh")); });
  EXPECT_TRUE(says(message, "there is no mesh file"));
  EXPECT_TRUE(says(message, "sphere.msh"));
}

TEST_F(MeshFileErrors, Empty) {
  for (const std::string name : {"a.msh", "a.stl", "a.geo", "a.step", "a.vtp", "a.ply", "a.obj"}) {
    EXPECT_TRUE(says(refusal(name, ""), "is empty")) << name;
  }
}

TEST_F(MeshFileErrors, Folder) {
  const auto folder = in_folder("mesh.msh");
  std::filesystem::create_directory(folder);
  EXPECT_TRUE(says(message_of<MeshError>([&] { read_mesh(folder); }), "is not a file"));
}

TEST_F(MeshFileErrors, UnknownExtension) {
  const std::string message = refusal("mesh.xyz", "1 2 3\n");
  EXPECT_TRUE(says(message, "unknown extension \".xyz\""));
  EXPECT_TRUE(says(message, ".msh"));
  EXPECT_TRUE(says(message, ".vtu"));
}

TEST_F(MeshFileErrors, NoSurfaceElements) {
  EXPECT_TRUE(says(refusal("curve.geo",
                           "Point(1) = {0, 0, 0};\nPoint(2) = {1, 0, 0};\n"
                           "Line(1) = {1, 2};\n"),
                   "has no surface elements"));
  EXPECT_TRUE(says(refusal("line.msh",
                           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n"
                           "2 1 0 0\n$EndNodes\n$Elements\n1\n1 1 2 0 1 1 2\n"
                           "$EndElements\n"),
                   "has no surface elements"));
  EXPECT_TRUE(says(refusal("points.ply",
                           "ply\nformat ascii 1.0\nelement vertex 1\n"
                           "property float x\nproperty float y\nproperty float z\n"
                           "end_header\n0 0 0\n"),
                   "has no surface elements"));
}

TEST_F(MeshFileErrors, Garbage) {
  std::string bytes(5000, ' ');
  std::uint32_t state = 1;
  for (char& byte : bytes) byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  for (const std::string extension :
       {"msh", "geo", "stl", "step", "brep", "iges", "unv", "ply", "obj", "vtk",
        "vtp", "vtu", "off", "mesh", "su2",  "gdf",  "dat", "mar", "pnl", "vspgeom"}) {
    for (const std::string& text : {std::string("no mesh at all\n"), bytes}) {
      const std::string message = refusal("garbage." + extension, text);
      EXPECT_TRUE(says(message, "garbage." + extension));
      for (const char c : message)
        EXPECT_FALSE(c >= 0 && c < ' ') << "control character " << int(c);
    }
  }
}

TEST_F(MeshFileErrors, Truncated) {
  write_mesh(in_folder("sphere.msh"), make_sphere(320));
  const std::string whole = read_text(in_folder("sphere.msh"));
  EXPECT_TRUE(says(refusal("part.msh", whole.substr(0, whole.size() / 2)), "cannot read"));
  write_mesh(in_folder("sphere.vtp"), make_sphere(320));
  const std::string vtp = read_text(in_folder("sphere.vtp"));
  EXPECT_TRUE(says(refusal("part.vtp", vtp.substr(0, vtp.size() / 2)), "cannot read"));
}

TEST_F(MeshFileErrors, CoordinateThatIsNotANumber) {
  SurfaceMesh mesh = make_sphere(80);
  mesh.nodes[mesh.elements[11][2]].y = std::numeric_limits<double>::quiet_NaN();
  write_mesh(in_folder("nan.msh"), mesh);
  const std::string message = message_of<MeshError>([&] { read_mesh(in_folder("nan.msh")); });
  EXPECT_TRUE(says(message, "of element "));
  EXPECT_TRUE(says(message, "nan"));
}

TEST_F(MeshFileErrors, BadOptions) {
  write_mesh(in_folder("sphere.msh"), make_sphere(20));
  for (const double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(
        says(message_of<InputError>([&] { read_mesh(in_folder("sphere.msh"), {.scale = scale}); }),
             "the mesh scale is"));
  }
  EXPECT_TRUE(
      says(message_of<InputError>([&] { read_mesh(in_folder("sphere.msh"), {.size = -1e-9}); }),
           "the panel size is -1e-09 m"));
}

TEST_F(MeshFileErrors, UnwritablePlaces) {
  const SurfaceMesh mesh = make_sphere(20);
  folder().write("file", "here already\n");
  for (const std::string name : {"sphere.msh", "sphere.stl", "sphere.vtp"}) {
    const std::string message =
        message_of<InputError>([&] { write_mesh(in_folder("nowhere") / name, mesh); });
    EXPECT_TRUE(says(message, "cannot write"));
    EXPECT_TRUE(says(message, "there is no folder"));
    message_of<InputError>([&] { write_mesh(in_folder("file") / name, mesh); });
  }
  EXPECT_TRUE(says(message_of<InputError>([&] { write_mesh(in_folder("sphere.doc"), mesh); }),
                   "written as .msh, .stl or .vtp"));
  EXPECT_EQ(entries(folder().path()), 1u) << "nothing half-written";
}

TEST_F(MeshFileErrors, AFolderOfThatName) {
  std::filesystem::create_directory(in_folder("sphere.msh"));
  EXPECT_TRUE(
      says(message_of<InputError>([&] { write_mesh(in_folder("sphere.msh"), make_sphere(20)); }),
           "a folder has that name"));
  EXPECT_EQ(entries(folder().path()), 1u);
}

}  // namespace
}  // namespace rankine::meshes
