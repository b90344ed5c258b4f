// Patches chosen in a case file: a hull out of a flow solver's mesh, which is solved as the hull
// alone would be.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

/// A SU2 file of one tetrahedron and the patches of a mesh as markers.
std::string su2_with_markers(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text.precision(17);
  text << "NDIME= 3\nNELEM= 1\n10 0 1 2 3 0\nNPOIN= " << mesh.nodes.size() << "\n";
  for (const Vec3d& x : mesh.nodes) text << x.x << " " << x.y << " " << x.z << "\n";
  text << "NMARK= " << mesh.patch_names.size() << "\n";
  for (std::size_t p = 0; p < mesh.patch_names.size(); ++p) {
    std::ostringstream lines;
    int count = 0;
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      if (mesh.patch[e] != static_cast<std::int32_t>(p)) continue;
      const int corners = meshes::corner_count(mesh.elements[e]);
      lines << (corners == 3 ? 5 : 9);
      for (int k = 0; k < corners; ++k) lines << " " << mesh.elements[e][k];
      lines << "\n";
      ++count;
    }
    text << "MARKER_TAG= " << mesh.patch_names[p] << "\nMARKER_ELEMS= " << count << "\n"
         << lines.str();
  }
  return text.str();
}

struct Tank {
  TemporaryFolder folder;
  std::filesystem::path file;

  Tank() {
    const meshes::SurfaceMesh hull = meshes::make_ellipsoid(320, {2.0, 1.0, 0.5});
    folder.write("hull.su2", su2_with_markers(named(hull, {"hull"})));
    folder.write("tank.su2", su2_with_markers(named(
                                 testing::joined(meshes::make_box(96, {20.0, 20.0, 20.0}), hull),
                                 {"farfield", "hull"})));
    file = folder.write("case.toml",
                        "version = 1\n[mesh]\nfile = \"tank.su2\"\n[[output.probe]]\nname = \"a\"\n"
                        "kind = \"points\"\npoints = [[3, 1, 0], [0, 0, 0.2], [30, 0, 0]]\n");
  }
  static meshes::SurfaceMesh named(meshes::SurfaceMesh mesh, std::vector<std::string> names) {
    mesh.patch_names = std::move(names);
    return mesh;
  }
  Json run(const std::vector<std::string>& settings) const {
    std::vector<std::string> arguments{file.string()};
    for (const std::string& each : settings) arguments.insert(arguments.end(), {"--set", each});
    return solve(arguments);
  }
};

TEST(PatchChoice, AHullInATankIsSolvedAsTheHullAlone) {
  const Tank tank;
  const Json alone = tank.run({"mesh.file=\"hull.su2\""});
  const std::string fields = testing::read_text(tank.folder.path() / "results/a.vtp");
  for (const std::string choice : {"mesh.exclude=[\"farfield\"]", "mesh.patches=[\"hull\"]"}) {
    const Json chosen = tank.run({choice});
    EXPECT_EQ(chosen["results"], alone["results"]) << choice;
    EXPECT_EQ(chosen["mesh"]["volume"], alone["mesh"]["volume"]) << choice;
    EXPECT_EQ(chosen["mesh"]["patches"], alone["mesh"]["patches"]) << choice;
    EXPECT_EQ(testing::read_text(tank.folder.path() / "results/a.vtp"), fields) << choice;
    const std::string resolved =
        testing::read_text(tank.folder.path() / "results/case.resolved.toml");
    EXPECT_NE(resolved.find("\nexclude "), std::string::npos) << resolved;
  }
}

TEST(PatchChoice, WhatIsLeftOutIsSaid) {
  const Tank tank;
  const Outcome outcome =
      run_program({"check", tank.file.string(), "--set", "mesh.exclude=[\"farfield\"]"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("left out farfield (96)"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.find("farfield"), std::string::npos) << outcome.out;
}

/// A closed far field that is kept makes the hull a cavity in it; the note says what to leave out.
TEST(PatchChoice, AFarFieldThatIsKeptIsToldOf) {
  const Tank tank;
  const Outcome outcome = run_program({"check", tank.file.string()});
  EXPECT_NE(outcome.out.find("mesh.exclude"), std::string::npos) << outcome.out;
  const std::string warning = "looks like a flow solver's domain";
  EXPECT_NE(outcome.err.find(warning), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("mesh.exclude = [\"farfield\"]"), std::string::npos) << outcome.err;
  for (const std::string meant : {"mesh.exclude=[\"farfield\"]", "problem.kind=\"laplace\""}) {
    const Outcome other = run_program({"check", tank.file.string(), "--set", meant});
    EXPECT_EQ(other.err.find(warning), std::string::npos) << meant << other.err;
  }
}

TEST(PatchChoice, UnknownNamesEndWithTwoAndTheNamesThereAre) {
  const Tank tank;
  for (const std::string verb : {"check", "solve"}) {
    const auto file = tank.folder.write(
        "wrong.toml", "version = 1\n[mesh]\nfile = \"tank.su2\"\nexclude = [\"far\"]\n");
    const Outcome outcome = run_program({verb, file.string()});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("wrong.toml:4:11: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("no patch \"far\"; it has \"farfield\", \"hull\""),
              std::string::npos)
        << outcome.err;
  }
  const Outcome empty =
      run_program({"check", tank.file.string(), "--set", "mesh.exclude=[\"farfield\", \"hull\"]"});
  EXPECT_EQ(empty.exit_code, 3) << empty.err;
  EXPECT_NE(empty.err.find("have no panels"), std::string::npos) << empty.err;
}

}  // namespace
}  // namespace rankine::cases
