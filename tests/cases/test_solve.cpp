// rankine solve from end to end: numbers, files, and the contract of summary.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cases/case_text.hpp"
#include "tests/cases/program.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json solve(const std::vector<std::string>& arguments, int exit_code = 0) {
  std::vector<std::string> words{"solve"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--json", "-"});
  const Outcome outcome = run_program(words);
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  return Json::parse(outcome.out, nullptr, false);
}

/// The sphere of the example with few panels, no limits and no probes.
std::vector<std::string> small_sphere(int panels, const std::string& results) {
  return {std::string(RANKINE_CASES_FOLDER) + "/sphere/sphere.toml",
          "--set",
          "mesh.panels=" + std::to_string(panels),
          "--set",
          "verify.max_error={potential_l2=1.0, velocity_l2=1.0}",
          "--set",
          "output.probe=[]",
          "--output",
          results};
}

std::string example(const std::string& name) {
  return std::string(RANKINE_CASES_FOLDER) + "/" + name;
}

TEST(Solve, SphereReproducesTheExactFlow) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = small_sphere(1280, folder.path().string());
  arguments.insert(arguments.end(),
                   {"--set", "mesh.radius=2.0", "--set", "problem.velocity=[0.0, 3.0, 0.0]",
                    "--set", "verify.max_error={potential_l2=4e-3, velocity_l2=4.8e-2}"});
  const Json s = solve(arguments);
  // The limits of the case at 20 480 panels, sixteen times as large for panels four times as wide.
  EXPECT_TRUE(s["verify"]["pass"].get<bool>());
  EXPECT_NEAR(s["results"]["U_max"].get<double>(), 4.5, 0.03 * 4.5);
  EXPECT_NEAR(s["results"]["Cp_min"].get<double>(), -1.25, 0.05);
  EXPECT_NEAR(s["results"]["Cp_max"].get<double>(), 1.0, 0.05);
  // d'Alembert: no force, against dynamic pressure times area.
  const double scale = 0.5 * 9.0 * s["mesh"]["area"].get<double>();
  for (const Json& component : s["results"]["force"])
    EXPECT_LE(std::abs(component.get<double>()), 1e-3 * scale);
  // Added mass of a sphere: half its displacement, so that (1/V) int phi n dA = U/2.
  EXPECT_NEAR(s["results"]["added_mass"][1].get<double>(), 1.5, 0.02);
}

TEST(Solve, WritesWhatItPromises) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = small_sphere(320, folder.path().string());
  arguments.insert(arguments.end(),
                   {"--set",
                    "output.probe=[{name=\"plane\", kind=\"plane\", origin=[-2, -2, 0], size=[4, "
                    "4, 0], cells=[4, 4, 1]}, "
                    "{name=\"line\", kind=\"line\", from=[0, 0, -2], to=[0, 0, 2], count=5}]"});
  const Json s = solve(arguments);
  std::set<std::string> present;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    present.insert(entry.path().filename());
  EXPECT_EQ(present, (std::set<std::string>{"surface.vtp", "plane.vti", "line.vtp", "residuals.csv",
                                            "case.resolved.toml", "view.py", "summary.json"}));
  EXPECT_EQ(s["files"].get<std::set<std::string>>(), present);
  EXPECT_EQ(Json::parse(read_text(folder.path() / "summary.json")), s);
  EXPECT_EQ(read_text(folder.path() / "view.py"), read_text(example("view.py")));
  const std::string csv = read_text(folder.path() / "residuals.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2 + s["solver"]["iterations"].get<int>());
  EXPECT_EQ(read_text(folder.path() / "surface.vtp").find("<AppendedData"), std::string::npos);
}

// The keys are a contract with scripts that read them.
TEST(Solve, SummaryHasEveryKey) {
  const TemporaryFolder folder;
  const Json s = solve(small_sphere(320, folder.path().string()));
  const std::vector<std::pair<std::string, std::vector<std::string>>> contract{
      {"code", {"name", "version", "git"}},
      {"host", {"device", "threads"}},
      {"case", {"path", "sha256"}},
      {"mesh", {"path", "panels", "nodes", "volume", "area", "watertight", "patches"}},
      {"fmm", {"backend", "method", "precision", "tolerance", "order", "depth", "sampled_error"}},
      {"solver", {"formulation", "iterations", "residual", "true_residual", "restart"}},
      {"results", {"force", "Cp_min", "Cp_max", "U_max"}},
      {"verify", {"exact", "potential_l2", "velocity_l2", "velocity_max", "pass"}},
      {"seconds", {"mesh", "setup", "solve", "evaluate", "write", "total", "matvec"}},
      {"peak_bytes", {"host", "device"}}};
  for (const auto& [group, keys] : contract) {
    ASSERT_TRUE(s.contains(group)) << group;
    for (const std::string& key : keys) EXPECT_TRUE(s[group].contains(key)) << group << "." << key;
  }
  for (const std::string key : {"schema", "status", "exit_code", "files", "warnings"})
    EXPECT_TRUE(s.contains(key)) << key;
  EXPECT_EQ(s["schema"], 1);
  EXPECT_EQ(s["status"], "converged");
  EXPECT_EQ(s["mesh"]["panels"], 320);
  EXPECT_EQ(s["mesh"]["patches"]["body"], 320);
  EXPECT_EQ(s["case"]["sha256"].get<std::string>().size(), 64u);
}

TEST(Solve, ResolvedCaseSolvesTheSameCase) {
  const TemporaryFolder folder;
  const std::string first = (folder.path() / "first").string(),
                    second = (folder.path() / "second").string();
  const Json a = solve(small_sphere(320, first));
  const Json b = solve({first + "/case.resolved.toml", "--output", second});
  EXPECT_EQ(a["results"], b["results"]);
  EXPECT_EQ(a["solver"]["iterations"], b["solver"]["iterations"]);
  EXPECT_EQ(a["verify"], b["verify"]);
  EXPECT_EQ(read_text(first + "/residuals.csv"), read_text(second + "/residuals.csv"));
}

TEST(Solve, FormulationsAgree) {
  const TemporaryFolder folder;
  for (const std::string formulation : {"green", "source"}) {
    std::vector<std::string> arguments = small_sphere(1280, folder.path().string());
    arguments.insert(arguments.end(), {"--set", "solver.formulation=" + formulation});
    const Json s = solve(arguments);
    // The source formulation is first order on flat constant panels: a few per cent at this size.
    EXPECT_LE(s["verify"]["potential_l2"].get<double>(), formulation == "green" ? 4e-3 : 5e-2);
  }
}

// Cheaper arithmetic on the way, the same accuracy at the end: the true residual is met in double.
TEST(Solve, MixedPrecisionAndRelaxationMeetTheDoubleTolerance) {
  const TemporaryFolder folder;
  for (const std::string& each :
       {std::string("solver.precision=mixed"), std::string("solver.relaxation=true")}) {
    std::vector<std::string> arguments = small_sphere(1280, folder.path().string());
    arguments.insert(arguments.end(), {"--set", "solver.tolerance=1e-9", "--set", each});
    const Json s = solve(arguments);
    EXPECT_LE(s["solver"]["true_residual"].get<double>(), 1e-9) << each;
    EXPECT_LE(s["verify"]["potential_l2"].get<double>(), 4e-3) << each;
  }
}

// Lamb, Hydrodynamics, sec. 114 (k) and sec. 99 (two spheres in mirror motion), as the READMEs of
// the examples say; on panels three times as wide as theirs, so that second-order errors are nine
// times as large.
TEST(Examples, EllipsoidHasItsAddedMass) {
  const TemporaryFolder folder;
  const Json s =
      solve({example("ellipsoid/ellipsoid.toml"), "--set", "mesh.panel_size=0.21", "--set",
             "verify.max_error={potential_l2=9e-3, velocity_l2=9e-2, added_mass=1.8e-2}", "--set",
             "output.probe=[]", "--output", folder.path().string()});
  EXPECT_LT(s["mesh"]["panels"].get<int>(), 5000) << "the mesh was not made coarser";
  EXPECT_TRUE(s["verify"]["pass"].get<bool>());
  const double k[3] = {0.185256404281, 0.364543239561, 1.361527473151}, stream[3] = {1.0, 0.5, 0.5};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(s["results"]["added_mass"][i].get<double>(), k[i] * stream[i],
                1.8e-2 * k[i] * stream[i]);
  }
}

TEST(Examples, TwoSpheresHaveTheAddedMassOfMirrorMotion) {
  const TemporaryFolder folder;
  const Json s = solve({example("two-spheres/two-spheres.toml"), "--set", "mesh.panel_size=0.162",
                        "--set", "output.probe=[]", "--output", folder.path().string()});
  EXPECT_LT(s["mesh"]["panels"].get<int>(), 5000) << "the mesh was not made coarser";
  EXPECT_EQ(s["mesh"]["patches"].size(), 2u);
  EXPECT_NEAR(s["results"]["added_mass"][0].get<double>(), 0.5286181351, 9 * 1e-3 * 0.5286181351);
  EXPECT_NEAR(s["results"]["added_mass"][1].get<double>(), 0.0, 1e-3);
  // They attract each other with (rho V U^2 / 2) |dk/dh| = 0.1246 N, equally.
  const double left = s["results"]["patch_forces"]["left"][1],
               right = s["results"]["patch_forces"]["right"][1];
  EXPECT_NEAR(left, 0.1246, 9 * 3e-3 * 0.1246);
  EXPECT_NEAR(right, -left, 9 * 3e-3 * 0.1246);
}

TEST(Solve, DryRunSolvesAndWritesNothing) {
  const TemporaryFolder folder;
  const std::string results = (folder.path() / "results").string();
  const Outcome outcome =
      run_program({"solve", example("sphere/sphere.toml"), "--output", results, "--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("the case can be solved"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(results));
}

TEST(Solve, QuietSaysNothing) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = small_sphere(80, folder.path().string());
  arguments.insert(arguments.begin(), "solve");
  arguments.push_back("--quiet");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err + outcome.out, "");
}

}  // namespace
}  // namespace rankine::cases
