// A mesh runs nothing and writes nothing: not by a script of Gmsh beside it, which Gmsh would run,
// and not by what it says itself. A script that may be run (mesh.scripts) reads files alone.
#include <gmsh.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/meshio/gmsh_models.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/iges_plate.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;
using namespace testing;

const std::string tetrahedron_vtk =
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n"
    "0 0 0 1 0 0 0 1 0 0 0 1\nPOLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

const std::string tetrahedron_vtu =
    "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"4\"><Points>\n"
    "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"
    "0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>\n"
    "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n"
    "0 2 1 0 1 3 1 2 3 2 0 3</DataArray>\n"
    "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">3 6 9 12</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5 5 5 5</DataArray>\n"
    "</Cells></Piece></UnstructuredGrid></VTKFile>\n";

/// A folder with a mesh in each format, and empty folders as the user's home and for temporary
/// files.
class PlantedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("HOME", home_.path().c_str(), 1);
    ::setenv("TMPDIR", temporary_.path().c_str(), 1);
  }
  void TearDown() override {
    ::setenv("HOME", old_home_.c_str(), 1);
    ::unsetenv("TMPDIR");
  }

  fs::path at(const std::string& name) const { return folder_.path() / name; }

  /// Whether a script has run.
  bool touched() const { return fs::exists(at("touched")) || fs::exists(at("printed")); }

  std::string script() const {
    return "SystemCall \"touch " + at("touched").string() + "\";\nPrintf(\"a\") > \"" +
           at("printed").string() + "\";\n";
  }

  /// Scripts under all names beside a mesh that Gmsh might have a look at.
  void plant_beside(const std::string& name) const {
    const std::string stem = fs::path(name).stem();
    for (const std::string& planted :
         {name + ".opt", stem + ".opt", stem + ".geo.opt", stem + ".geo", name + ".geo"}) {
      if (!fs::exists(at(planted))) folder_.write(planted, script());
    }
  }

  const TemporaryFolder folder_, home_, temporary_;
  const std::string old_home_ = std::getenv("HOME") == nullptr ? "/" : std::getenv("HOME");
};

/// The trap is there: a script beside a mesh is what Gmsh runs when it opens the mesh.
TEST_F(PlantedFiles, AreRunByGmshAlone) {
  meshes::write_mesh(at("mesh.msh"), meshes::make_sphere(20));
  plant_beside("mesh.msh");
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::open(at("mesh.msh"));
  gmsh::finalize();
  EXPECT_TRUE(touched());
}

TEST_F(PlantedFiles, AreNotRunByReadingCheckingAndSolving) {
  const meshes::SurfaceMesh sphere = meshes::make_sphere(20);
  for (const char* name : {"m.msh", "m.stl", "m.vtp"}) meshes::write_mesh(at(name), sphere);
  meshes::write_meshed_box(at("m.unv"), 1);
  for (const char* name : {"m.step", "m.brep"}) meshes::write_cad_box(at(name));
  folder_.write("m.iges", testing::iges_plate());
  fs::copy_file(at("m.step"), at("m.stp"));
  fs::copy_file(at("m.iges"), at("m.igs"));
  folder_.write("m.vtk", tetrahedron_vtk);
  folder_.write("m.vtu", tetrahedron_vtu);
  for (const testing::MeshText& text : testing::mesh_texts())
    folder_.write("m" + fs::path(text.file).extension().string(), text.write(sphere));
  fs::remove_all(home_.path() / ".fltk");  // of Gmsh in this process, which wrote some of the files
  const std::set<std::string> meshes_there = names_in(folder_.path());
  EXPECT_GE(meshes_there.size(), 20u);
  for (const std::string& name : meshes_there) plant_beside(name);
  for (const std::string& name : meshes_there) {
    EXPECT_FALSE(meshes::read_mesh(at(name), {.size = 50.0}).elements.empty()) << name;
    folder_.write("case.toml", "version = 1\n[mesh]\nfile = \"" + name +
                                   "\"\npanel_size = 50\n[problem]\nvelocity = [1.0, 0.0, 0.0]\n");
    if (name == *meshes_there.begin()) {  // they read a mesh as a solve does
      const std::set<std::string> before = names_in(folder_.path());
      run_program({"check", at(name)});
      run_program({"solve", at("case.toml"), "--dry-run"});
      EXPECT_EQ(names_in(folder_.path()), before) << name;
    }
    const int exit_code = run_program({"solve", at("case.toml")}).exit_code;
    const bool open = name == "m.iges" || name == "m.igs";
    EXPECT_EQ(exit_code, open ? 3 : 0) << name;
    fs::remove_all(at("results"));
    EXPECT_FALSE(touched()) << name;
  }
  EXPECT_EQ(names_in(home_.path()), std::set<std::string>{});
  EXPECT_EQ(names_in(temporary_.path()), std::set<std::string>{});
}

TEST_F(PlantedFiles, AScriptIsRunOnlyWhereTheCaseSaysSo) {
  folder_.write("ball.geo", "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\n");
  const std::string message = message_of<InputError>([&] { meshes::read_mesh(at("ball.geo")); });
  EXPECT_TRUE(says(message, "is a script of Gmsh"));
  EXPECT_TRUE(says(message, "mesh.scripts = true"));
  folder_.write("case.toml", "version = 1\n[mesh]\nfile = \"ball.geo\"\n[problem]\n");
  EXPECT_EQ(run_program({"check", at("ball.geo")}).exit_code, 2);
  EXPECT_EQ(run_program({"check", at("ball.geo"), "--scripts"}).exit_code, 0);
  EXPECT_EQ(run_program({"check", at("case.toml")}).exit_code, 2);
  EXPECT_EQ(run_program({"check", at("case.toml"), "--set", "mesh.scripts=true"}).exit_code, 0);
}

TEST_F(PlantedFiles, AScriptReadsFilesBesideIt) {
  folder_.write("part.geo", "Sphere(1) = {0, 0, 0, 1};\n");
  folder_.write("ball.geo", "SetFactory(\"OpenCASCADE\");\nInclude \"part.geo\";\n");
  EXPECT_GT(meshes::read_mesh(at("ball.geo"), {.scripts = true}).elements.size(), 20u);
}

TEST_F(PlantedFiles, AScriptRunsNothingAndWritesNothing) {
  const std::string ball = "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nMesh 2;\n";
  const std::string file = "\"" + at("touched").string();
  for (const std::string& statement :
       {"SystemCall \"touch " + file.substr(1) + "\";",
        "NonBlockingSystemCall \"touch " + file.substr(1) + "\";",
        "Printf(\"a\") > " + file + "\";", "Save " + file + ".msh\";", "Print " + file + ".stl\";",
        "Delete File " + file + "\";", "CreateDir " + file + "\";"}) {
    folder_.write("ball.geo", ball + statement + "\n");
    const std::set<std::string> before = names_in(folder_.path());
    try {
      meshes::read_mesh(at("ball.geo"), {.scripts = true});
    } catch (const MeshError&) {  // Gmsh says what it could not do
    }
    EXPECT_EQ(names_in(folder_.path()), before) << statement;
  }
  EXPECT_EQ(names_in(home_.path()), std::set<std::string>{});
}

TEST_F(PlantedFiles, NothingIsLeftOfAReaderThatIsKilled) {
  folder_.write("endless.geo", "For i In {1:2000000000}\nx = i;\nEndFor\n");
  const meshes::ReadOptions options{.scripts = true, .time_limit = 1.0};
  EXPECT_THROW(meshes::read_mesh(at("endless.geo"), options), MeshError);
  EXPECT_EQ(names_in(temporary_.path()), std::set<std::string>{});
}

}  // namespace
}  // namespace rankine::cases
