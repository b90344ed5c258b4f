// CAD files: units, names, panels that follow features within a budget, and an end in any case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/gmsh/cad_unit.hpp"
#include "tests/meshio/gmsh_models.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/iges_plate.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

using CadFiles = FolderTest;

TEST_F(CadFiles, StepUnitsBecomeMetres) {
  for (const std::string name : {"box.step", "box.stp"}) write_cad_box(in_folder(name));
  for (const std::string name : {"box.step", "box.stp"}) {  // in millimetres, as CAD files are
    SurfaceMesh mesh = read_mesh(in_folder(name));
    const MeshReport report = orient(mesh, Orient::outward).report;
    EXPECT_NEAR(report.volume, 6e-3, 1e-12) << name;
    EXPECT_NEAR(report.box.upper.z, 0.3, 1e-9) << name;
    EXPECT_EQ(mesh.patch_names, std::vector<std::string>{"body"});
    ASSERT_FALSE(mesh.notes.empty());
    EXPECT_EQ(mesh.notes[0], "STEP, millimetres -> metres");
  }
}

/// Whether the CAD kernel has read a STEP file before or not.
TEST_F(CadFiles, IgesUnitsBecomeMetres) {
  write_cad_box(in_folder("box.step"));
  folder().write("plate.iges", testing::iges_plate());
  for (const bool after_step : {false, true}) {
    if (after_step) read_mesh(in_folder("box.step"));
    const SurfaceMesh mesh = read_mesh(in_folder("plate.iges"), {.size = 0.5});
    const MeshReport report = check_mesh(mesh);
    EXPECT_NEAR(report.area, 2.0, 1e-9);
    EXPECT_EQ(mesh.notes.at(0),
              "IGES, millimetres -> metres; faces sewn where edges meet within 1e-6 m");
    EXPECT_NEAR(report.box.upper.y, 2.0, 1e-9);
    EXPECT_LE(report.max_edge, 0.75) << "the size asked, up to the mesher's half";
  }
}

TEST_F(CadFiles, BrepHasNoUnit) {
  write_cad_box(in_folder("box.brep"));
  SurfaceMesh mesh = read_mesh(in_folder("box.brep"), {.scale = 1e-3, .size = 0.05});
  EXPECT_NEAR(orient(mesh, Orient::outward).report.volume, 6e-3, 1e-12);
  EXPECT_LE(check_mesh(mesh).max_edge, 0.075)
      << "the size asked in metres, up to the mesher's half";
  EXPECT_GT(check_mesh(mesh).mean_edge, 0.025);
}

TEST_F(CadFiles, CadBodiesKeepTheirNames) {
  write_cad_box(in_folder("box.step"));
  std::string text = read_text(in_folder("box.step"));
  const std::string unnamed = "Open CASCADE STEP translator";
  for (std::size_t at = 0; (at = text.find(unnamed, at)) != std::string::npos;)
    text.replace(at, text.find('\'', at) - at, "tail fin");
  EXPECT_EQ(read_mesh(folder().write("fin.step", text)).patch_names,
            std::vector<std::string>{"tail fin"});
}

/// A box of 0.1 m x 0.2 m x 0.3 m.
TEST_F(CadFiles, FacesOfUnnamedCadAreChosen) {
  write_cad_box(in_folder("box.step"));
  const ReadOptions coarse{.size = 0.1};
  std::vector<FaceReport> faces = report_faces(read_mesh(in_folder("box.step"), coarse));
  ASSERT_EQ(faces.size(), 6u);
  double area = 0.0;
  for (const FaceReport& face : faces) area += face.area;
  EXPECT_NEAR(area, 0.22, 1e-12);
  const FaceReport& top =
      *std::max_element(faces.begin(), faces.end(),
                        [](const auto& a, const auto& b) { return a.centre.z < b.centre.z; });
  EXPECT_NEAR(top.area, 0.02, 1e-12);
  EXPECT_NEAR(norm(top.centre - Vec3d{0.05, 0.1, 0.3}), 0.0, 1e-9);
  const std::string name = face_name(top.face);

  ReadOptions lidless = coarse;
  lidless.patches.exclude = {name};
  const SurfaceMesh open = read_mesh(in_folder("box.step"), lidless);
  EXPECT_NEAR(check_mesh(open).area, 0.2, 1e-12);
  EXPECT_EQ(open.patch_names, std::vector<std::string>{"body"});

  ReadOptions apart = coarse;
  apart.patches.separate = {name};
  const SurfaceMesh two = read_mesh(in_folder("box.step"), apart);
  EXPECT_EQ(two.patch_names, (std::vector<std::string>{"body", name}));
  EXPECT_TRUE(check_mesh(two).watertight());

  ReadOptions alone = coarse;
  alone.patches.keep = {name};
  EXPECT_NEAR(check_mesh(read_mesh(in_folder("box.step"), alone)).area, 0.02, 1e-12);

  ReadOptions wrong = coarse;
  wrong.patches.exclude = {"face 7"};
  const std::string message =
      message_of<InputError>([&] { read_mesh(in_folder("box.step"), wrong); });
  EXPECT_TRUE(says(message, "has no patch \"face 7\"; it has \"face 1\" to \"face 6\"")) << message;
}

TEST_F(CadFiles, CadPrintsNothingOnStandardOutput) {
  write_cad_box(in_folder("box.step"));
  ::testing::internal::CaptureStdout();
  read_mesh(in_folder("box.step"));
  EXPECT_THROW(read_mesh(folder().write("bad.step", "not a STEP file\n")), MeshError);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST_F(CadFiles, UnitsAreNamed) {
  const auto unit = [&](const std::string& name, const std::string& text) {
    return cad_unit(folder().write(name, text));
  };
  const std::string milli = "#15=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n";
  EXPECT_EQ(unit("a.step", milli), "millimetres");
  EXPECT_EQ(unit("a.stp", "#1 = ( LENGTH_UNIT ( ) SI_UNIT ( $ ,\n .METRE. ) );\n"), "metres");
  EXPECT_EQ(unit("a.stp", milli + "#20=(CONVERSION_BASED_UNIT('INCH',#21)LENGTH_UNIT());\n"),
            "inches");
  EXPECT_EQ(unit("a.step", "ISO-10303-21;\n"), "");
  EXPECT_EQ(unit("a.igs", testing::iges_plate()), "millimetres");
  EXPECT_EQ(unit("a.igs", testing::replaced(testing::iges_plate(), "1.0,2,2HMM", "1.0,1,2HIN")),
            "inches");
  EXPECT_EQ(unit("a.igs", "nothing\n"), "");
}

/// A hole of radius 0.002 m through a plate of 0.1 m x 0.1 m x 0.01 m.
TEST_F(CadFiles, PanelsFollowFeaturesWithinTheBudget) {
  write_drilled_plate(in_folder("plate.step"));
  for (const double budget : {8000.0, 16000.0}) {
    SurfaceMesh mesh = read_mesh(in_folder("plate.step"), {.panel_budget = budget});
    const MeshReport report = orient(mesh, Orient::outward).report;
    EXPECT_TRUE(report.watertight());
    const auto panels = static_cast<double>(mesh.elements.size());
    // Half of the budget is the plain surface's; the mesher's triangles are up to a third smaller.
    EXPECT_GT(panels, 0.4 * budget);
    EXPECT_LT(panels, 1.35 * budget);
    double on_hole = 0.0;
    std::size_t count = 0;
    for (const Vec3d& x : mesh.nodes) {
      if (std::abs(std::hypot(x.x, x.y) - 0.002) > 1e-9 || std::abs(x.z) > 1e-9) continue;
      on_hole = std::max(on_hole, norm(x));
      ++count;
    }
    EXPECT_NEAR(static_cast<double>(count), 36.0, 4.0) << "panels around the rim of the hole";
    const double plain = std::sqrt(report.area / (0.25 * std::sqrt(3.0) * 0.5 * budget));
    EXPECT_GT(report.max_edge, 0.9 * plain);
    EXPECT_LT(report.max_edge, 1.7 * plain);
    for (const Flaw& flaw : inspect(mesh).flaws)
      EXPECT_NE(flaw.kind, FlawKind::size_jump) << "sizes change gradually";
  }
}

/// A size that needs more panels than the budget by itself: features may then double their number.
TEST_F(CadFiles, PanelsFollowFeaturesWhereTheSizeIsGiven) {
  write_drilled_plate(in_folder("plate.step"));
  constexpr double size = 0.01;
  SurfaceMesh mesh = read_mesh(in_folder("plate.step"), {.size = size, .panel_budget = 100});
  const double plain =
      orient(mesh, Orient::outward).report.area / (0.25 * std::sqrt(3.0) * size * size);
  const auto panels = static_cast<double>(mesh.elements.size());
  EXPECT_GT(panels, 1.5 * plain);
  EXPECT_LT(panels, 1.35 * 2.0 * plain);
}

TEST_F(CadFiles, TouchingBodiesStayTwoAndAreNamed) {
  write_touching_boxes(in_folder("boxes.step"));
  SurfaceMesh mesh = read_mesh(in_folder("boxes.step"), {.panel_budget = 400});
  EXPECT_EQ(orient(mesh, Orient::outward).report.bodies.size(), 2u);
  const std::string message =
      message_of<MeshError>([&] { require_meaningful(mesh, inspect(mesh)); });
  EXPECT_TRUE(says(message, "touching bodies"));
}

TEST_F(CadFiles, FacesOfIgesFilesAreSewn) {
  SurfaceMesh mesh = read_mesh(folder().write("cube.igs", testing::iges_cubes(1)), {.size = 0.3});
  EXPECT_TRUE(says(mesh.notes.at(0), "faces sewn"));
  EXPECT_NEAR(orient(mesh, Orient::outward).report.volume, 1.0, 3e-8)
      << "no open edges, and 1e-8 m in three directions";
}

/// Gmsh removes edges without length when it sews, and cannot mesh a face without them.
TEST_F(CadFiles, FacesWithPolesAreNotSewn) {
  SurfaceMesh mesh =
      read_mesh(folder().write("lemon.igs", testing::iges_lemon()), {.panel_budget = 800});
  EXPECT_TRUE(says(mesh.notes.at(0), "faces not sewn"));
  const MeshReport report = orient(mesh, Orient::outward).report;
  EXPECT_NEAR(report.volume, 8.0 / 9.0, 3e-2) << "400 panels";
}

TEST_F(CadFiles, TouchingSolidsBecomeOneOnRequest) {
  write_touching_boxes(in_folder("boxes.step"));
  SurfaceMesh mesh =
      read_mesh(in_folder("boxes.step"), {.panel_budget = 400, .repairs = {.unite = true}});
  EXPECT_EQ(mesh.warnings, std::vector<std::string>{"union: 1 of 2 solids"});
  const MeshReport report = orient(mesh, Orient::outward).report;
  EXPECT_EQ(report.bodies.size(), 1u);
  EXPECT_NEAR(report.volume, 1.125e-3, 1e-9);
  EXPECT_NO_THROW(require_meaningful(mesh, inspect(mesh)));
}

TEST_F(CadFiles, ShellsOfIgesFilesBecomeOneOnRequest) {
  folder().write("cubes.igs", testing::iges_cubes(2));
  SurfaceMesh mesh = read_mesh(in_folder("cubes.igs"), {.size = 0.3, .repairs = {.unite = true}});
  EXPECT_EQ(mesh.warnings, std::vector<std::string>{"union: 1 of 2 solids"});
  EXPECT_NEAR(orient(mesh, Orient::outward).report.volume, 2.0 - 0.125, 1e-6);
}

/// Faces that form no solids are united as triangles (repair/unite.hpp).
TEST_F(CadFiles, AUnionWithoutSolidsIsThatOfThePanels) {
  folder().write("cube.igs", testing::iges_cubes(1));
  const SurfaceMesh mesh =
      read_mesh(in_folder("cube.igs"), {.size = 0.3, .repairs = {.unite = true}});
  EXPECT_EQ(mesh.warnings,
            std::vector<std::string>{"repair: union: 1 of 1 bodies; 0 panels cut or left out"});
}

/// More panels than can be made in half of the time; Gmsh's own sizes need a dozen.
TEST_F(CadFiles, AMeshOfGmshsOwnSizesFollowsOneThatDoesNotEnd) {
  write_cad_box(in_folder("box.step"));
  SurfaceMesh mesh = read_mesh(in_folder("box.step"), {.panel_budget = 1e9, .time_limit = 2.0});
  EXPECT_NEAR(orient(mesh, Orient::outward).report.volume, 6e-3, 1e-12);
  ASSERT_FALSE(mesh.warnings.empty());
  EXPECT_TRUE(says(mesh.warnings.back(), "did not end within 1 s"));
  EXPECT_TRUE(says(mesh.warnings.back(), "; meshed with Gmsh's own sizes instead"));
}

/// Two attempts of a second at most, whatever is asked for.
TEST_F(CadFiles, MeshingEndsAndSaysWhatWasTried) {
  write_cad_box(in_folder("box.step"));
  std::vector<std::string> told;
  const ReadOptions endless{.size = 1e-5,
                            .time_limit = 1.0,
                            .progress = [&](const std::string& text) { told.push_back(text); }};
  const std::string message =
      message_of<MeshError>([&] { read_mesh(in_folder("box.step"), endless); });
  EXPECT_TRUE(says(message, "did not end within 1 s of processor time with panels of "));
  EXPECT_TRUE(says(message, ".. 1e-05 m"));
  EXPECT_TRUE(says(message, "mesh.panel_size = 2e-05 (m)"));
  EXPECT_TRUE(says(message, "mesh.time_limit = 4 (s)"));
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(says(told.back(), "meshing box.step"));
}

TEST_F(CadFiles, ScriptsEndToo) {
  const auto path = folder().write("endless.geo", "For i In {1:2000000000}\nx = i;\nEndFor\n");
  const std::string message =
      message_of<MeshError>([&] { read_mesh(path, {.scripts = true, .time_limit = 1.0}); });
  EXPECT_TRUE(says(message, "did not end within 1 s of processor time with the sizes of the file"));
  EXPECT_TRUE(says(message, "mesh.time_limit = 4 (s)"));
}

TEST_F(CadFiles, OptionsAreChecked) {
  write_cad_box(in_folder("box.step"));
  EXPECT_THROW(read_mesh(in_folder("box.step"), {.panel_budget = 0.0}), InputError);
  EXPECT_THROW(read_mesh(in_folder("box.step"), {.time_limit = -1.0}), InputError);
}

}  // namespace
}  // namespace rankine::meshes
