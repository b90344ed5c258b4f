// Bad input, each with its message and exit code, and nothing left behind where nothing was solved.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sphere_case.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;

constexpr auto mesh_case = "version = 1\n[mesh]\nfile = \"body.msh\"\n";

std::vector<Triangle> without_last(std::vector<Triangle> triangles) {
  triangles.pop_back();
  return triangles;
}
std::vector<Triangle> with_triangle(std::vector<Triangle> triangles, const Triangle& more) {
  triangles.push_back(more);
  return triangles;
}

struct BadMesh {
  std::string file, content, message;
};

TEST(BadInput, BadMeshesExitWithThreeAndLeaveNothing) {
  for (const auto& [file, content, message] : std::vector<BadMesh>{
           {"body.msh", "(none)", "body.msh"},
           {"body.msh", "", "empty"},
           {"body.stl", "this is not a triangulation\n", "body.stl"},
           {"body.msh", msh_text(octahedron_nodes, {}), "no surface elements"},
           {"body.xyz", "1 2 3\n", "xyz"},
           {"body.msh", msh_text(octahedron_nodes, without_last(octahedron_triangles)),
            "the surface is open: 3 edges of one panel only"},
           {"body.msh", msh_text(octahedron_nodes, with_triangle(octahedron_triangles, {1, 3, 5})),
            "1 panel with the same corners as an earlier one"},
           {"body.msh", msh_text(octahedron_nodes, with_triangle(octahedron_triangles, {1, 3, 3})),
            "1 panel without area"},
           {"body.msh",
            msh_text({"1 0 0", "-1 0 0", "0 nan 0", "0 -1 0", "0 0 1", "0 0 -1"},
                     octahedron_triangles),
            "body.msh"}}) {
    const TemporaryFolder folder;
    const auto path = folder.write("case.toml", replaced(mesh_case, "body.msh", file));
    std::size_t present = 1;
    if (content != "(none)") {
      folder.write(file, content);
      ++present;
    }
    for (const std::string verb : {"solve", "check"}) {
      const Outcome outcome = run_program({verb, path.string()});
      EXPECT_TRUE(ended(outcome, 3, "error: "));
      EXPECT_TRUE(says(outcome.err, message));
      EXPECT_EQ(entries(folder.path()), present) << "something was left behind";
    }
  }
}

std::string flipped_octahedron() {
  std::vector<Triangle> triangles = octahedron_triangles;
  std::swap(triangles[2][0], triangles[2][1]);
  return msh_text(octahedron_nodes, triangles);
}

TEST(BadInput, FlippedPanelsAreTurnedRound) {
  const TemporaryFolder folder;
  folder.write("body.msh", flipped_octahedron());
  const auto file = folder.write("case.toml", mesh_case);
  const Outcome outcome = run_program({"solve", file.string()});
  EXPECT_TRUE(ended(outcome, 0, "warning W15: turned round 1 panel of 8"));
  const auto summary = nlohmann::json::parse(read_text(folder.path() / "results/summary.json"));
  EXPECT_TRUE(says(summary["warnings"].dump(), "turned round 1 panel"));
  EXPECT_EQ(summary["warning_numbers"][0], "W15");
  EXPECT_NEAR(summary["mesh"]["volume"].get<double>(), 4.0 / 3.0,
              1e-14);  // two pyramids of base 2, height 1
}

TEST(BadInput, FlippedPanelsAreRefusedUnderCheck) {
  const TemporaryFolder folder;
  folder.write("body.msh", flipped_octahedron());
  const auto file = folder.write("case.toml", mesh_case);
  const Outcome outcome = run_program({"solve", file.string(), "--set", "mesh.orient=check"});
  EXPECT_TRUE(ended(outcome, 3, "1 panel of 8 with normals into the body"));
  EXPECT_EQ(entries(folder.path()), 2u);
}

TEST(BadInput, CaseFileMistakesExitWithTwo) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", sphere_case);
  for (const auto& [override, message] :
       {std::pair<std::string, std::string>{"solver.tolerence=1", "did you mean \"tolerance\"?"},
        {"solver.tolerance=0", "found 0"},
        {"solver.tolerance=-1", "found -1"},
        {"solver.tolerance=\"x\"", "must be a number"},
        {"solver.max_iterations=0", "must be at least 1"},
        {"problem.velocity=[0, 0, 0]", "must not be zero"}}) {
    const Outcome outcome = run_program({"solve", file.string(), "--set", override});
    EXPECT_EQ(outcome.exit_code, 2) << override;
    EXPECT_TRUE(says(outcome.err, message));
    EXPECT_TRUE(outcome.out.empty());
    EXPECT_EQ(entries(folder.path()), 1u);
  }
  EXPECT_EQ(run_program({"solve", (folder.path() / "none.toml").string()}).exit_code, 2);
}

TEST(BadInput, CommandLineMistakesExitWithTwo) {
  EXPECT_EQ(run_program({}).exit_code, 2);
  EXPECT_EQ(run_program({"slove"}).exit_code, 2);
  EXPECT_EQ(run_program({"solve"}).exit_code, 2);
  EXPECT_EQ(run_program({"bench", "--n", "1", "--repeat", "1"}).exit_code, 0);
  EXPECT_TRUE(
      ended(run_program({"bench", "--n", "0"}), 2, "0 is not a whole number of at least 1"));
  EXPECT_EQ(run_program({"bench", "--n", "1.5"}).exit_code, 2);
  const Outcome points = run_program({"bench", "--points", "spere"});
  EXPECT_TRUE(ended(points, 2, "did you mean \"sphere\"?"));
  const Outcome verb = run_program({"slove"});
  EXPECT_TRUE(says(verb.err, "there is no verb \"slove\"; did you mean \"solve\"?"));
  EXPECT_TRUE(ended(run_program({"check", ""}), 2, "the argument after \"check\" is empty"));
  const Outcome threads = run_program({"solve", "case.toml", "--threads", "-1"});
  EXPECT_TRUE(ended(threads, 2, "--threads: -1 is not a whole number from 0 to 4096"));
  const Outcome radius = run_program({"mesh", "sphere", "--radius", "-1", "-o", "x.msh"});
  EXPECT_TRUE(says(radius.err, "--radius: -1 is not a number above 0"));
  EXPECT_EQ(run_program({"--help"}).exit_code, 0);
  EXPECT_EQ(run_program({"--version"}).exit_code, 0);
}

TEST(BadInput, UnwritableOutputIsFoundBeforeTheSolve) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", sphere_case);
  const auto taken = folder.write("taken", "");
  const Outcome outcome = run_program({"solve", file.string(), "--output", taken.string()});
  EXPECT_TRUE(ended(outcome, 2, "is a file, not a directory"));
  EXPECT_FALSE(says(outcome.err, "iteration")) << "found only after the solve";
}

TEST(BadInput, TooFewIterationsExitWithFourAndWriteResults) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", sphere_case);
  const Outcome outcome = run_program({"solve", file.string(), "--set", "solver.max_iterations=1",
                                       "--set", "solver.tolerance=1e-10"});
  EXPECT_TRUE(ended(outcome, 4, "not converged"));
  const auto summary = nlohmann::json::parse(read_text(folder.path() / "results/summary.json"));
  EXPECT_EQ(summary["exit_code"], 4);
  EXPECT_NE(summary["status"], "converged");
  EXPECT_GT(summary["solver"]["true_residual"].get<double>(), 1e-10);
  EXPECT_TRUE(fs::exists(folder.path() / "results/surface.vtp"));
}

TEST(BadInput, ExceededLimitExitsWithFive) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "case.toml",
      sphere_case + "[verify]\nexact = \"sphere-flow\"\nmax_error = { velocity_l2 = 1e-9 }\n");
  const Outcome outcome = run_program({"solve", file.string()});
  EXPECT_TRUE(ended(outcome, 5, "velocity_l2 is "));
  EXPECT_FALSE(
      nlohmann::json::parse(read_text(folder.path() / "results/summary.json"))["verify"]["pass"]
          .get<bool>());
}

TEST(BadInput, MissingDeviceExitsWithSix) {
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", sphere_case);
  const Outcome outcome = run_program({"solve", file.string(), "--backend", "cuda"});
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_TRUE(ended(outcome, 6, "--backend cpu"));
  EXPECT_EQ(entries(folder.path()), 1u);
}

}  // namespace
}  // namespace rankine::cases
