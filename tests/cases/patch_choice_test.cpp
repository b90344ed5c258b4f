// Patches chosen in a case file: a hull out of a flow solver's mesh, which is solved as the hull
// alone would be.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

struct Tank {
  TemporaryFolder folder;
  std::filesystem::path file;

  Tank() {
    const meshes::SurfaceMesh hull = meshes::make_ellipsoid(320, {2.0, 1.0, 0.5});
    folder.write("hull.su2", su2_text(named(hull, {"hull"})));
    folder.write("tank.su2",
                 su2_text(named(testing::joined(meshes::make_box(96, {20.0, 20.0, 20.0}), hull),
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
    EXPECT_TRUE(says(resolved, "\nexclude "));
  }
}

TEST(PatchChoice, WhatIsLeftOutIsSaid) {
  const Tank tank;
  const Outcome outcome =
      run_program({"check", tank.file.string(), "--set", "mesh.exclude=[\"farfield\"]"});
  EXPECT_TRUE(ended(outcome, 0, "left out farfield (96)"));
  EXPECT_FALSE(says(outcome.out, "farfield"));
}

/// A closed far field that is kept makes the hull a cavity in it; the note says what to leave out.
TEST(PatchChoice, AFarFieldThatIsKeptIsToldOf) {
  const Tank tank;
  const Outcome outcome = run_program({"check", tank.file.string()});
  EXPECT_TRUE(says(outcome.out, "mesh.exclude"));
  const std::string warning = "looks like a flow solver's domain";
  EXPECT_TRUE(says(outcome.err, warning));
  EXPECT_TRUE(says(outcome.err, "mesh.exclude = [\"farfield\"]"));
  for (const std::string meant : {"mesh.exclude=[\"farfield\"]", "problem.kind=\"laplace\""}) {
    const Outcome other = run_program({"check", tank.file.string(), "--set", meant});
    EXPECT_FALSE(says(other.err, warning)) << meant;
  }
}

TEST(PatchChoice, UnknownNamesEndWithTwoAndTheNamesThereAre) {
  const Tank tank;
  for (const std::string verb : {"check", "solve"}) {
    const auto file = tank.folder.write(
        "wrong.toml", "version = 1\n[mesh]\nfile = \"tank.su2\"\nexclude = [\"far\"]\n");
    const Outcome outcome = run_program({verb, file.string()});
    EXPECT_TRUE(ended(outcome, 2, "wrong.toml:4:11: "));
    EXPECT_TRUE(says(outcome.err, "no patch \"far\"; it has \"farfield\", \"hull\""));
  }
  const Outcome empty =
      run_program({"check", tank.file.string(), "--set", "mesh.exclude=[\"farfield\", \"hull\"]"});
  EXPECT_TRUE(ended(empty, 3, "have no panels"));
}

}  // namespace
}  // namespace rankine::cases
