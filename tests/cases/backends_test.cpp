// What a solve finds on every backend: exact flows, the examples' numbers, the same surface data,
// the same exit codes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/fmm/core/relative_error.hpp"
#include "tests/support/on_backend.hpp"
#include "tests/support/surface_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Flow : public OnBackend {};
class Examples : public OnBackend {};
class ExitCodes : public OnBackend {};

TEST_P(Flow, SphereReproducesTheExactFlow) {
  const TemporaryFolder folder;
  const Json s = solve_here(set(small_sphere(1280, folder.path().string()),
                                {"mesh.radius=2.0", "problem.velocity=[0.0, 3.0, 0.0]",
                                 "verify.max_error={potential_l2=4e-3, velocity_l2=4.8e-2}"}));
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

TEST_P(Flow, FormulationsAgree) {
  const TemporaryFolder folder;
  for (const std::string formulation : {"green", "source"}) {
    const Json s = solve_here(
        set(small_sphere(1280, folder.path().string()), {"solver.formulation=" + formulation}));
    // The source formulation is first order on flat constant panels: a few per cent at this size.
    EXPECT_LE(s["verify"]["potential_l2"].get<double>(), formulation == "green" ? 4e-3 : 5e-2);
  }
}

// Cheaper arithmetic on the way, the same accuracy at the end: the true residual is met in double,
// and with a condition number below ten so is the solution.
TEST_P(Flow, MixedPrecisionAndRelaxationReachTheDoubleSolution) {
  const TemporaryFolder folder;
  const auto solve_with = [&](const std::string& setting) {
    const fs::path results = folder.path() / setting;
    const Json s =
        solve_here(set(small_sphere(1280, results.string()), {"solver.tolerance=1e-9", setting}));
    EXPECT_LE(s["solver"]["true_residual"].get<double>(), 1e-9) << setting;
    return read_surface_data(results / "surface.vtp")["phi"];
  };
  const std::vector<double> reference = solve_with("solver.precision=double");
  ASSERT_EQ(reference.size(), 1280u);
  EXPECT_LE(relative_error(solve_with("solver.precision=mixed"), reference), 1e-8);
  EXPECT_LE(relative_error(solve_with("solver.relaxation=true"), reference), 1e-8);
}

// From the case file to the force by which a source draws a sphere, rho Q^2 a^3 / (4 pi f (f^2 -
// a^2)^2).
TEST_P(Flow, ASourceDrawsASphere) {
  const TemporaryFolder folder;
  const fs::path file = folder.write(
      "case.toml",
      "version = 1\n[mesh]\nshape = \"sphere\"\npanels = 1280\n[problem]\ndensity = 2.0\n"
      "[[problem.source]]\nposition = [0, 2, 0]\nvalue = 3\n[[output.probe]]\nname = \"beside\"\n"
      "kind = \"points\"\npoints = [[0, -2, 0]]\n");
  const Json s = solve_here({file.string(), "--output", (folder.path() / "r").string()});
  EXPECT_EQ(s["problem"]["sources"], 1);
  EXPECT_EQ(s["problem"]["vortex_segments"], 0);
  EXPECT_TRUE(s["results"]["Cp_min"].is_null()) << "there is no stream to which it could refer";
  constexpr double f = 2.0, square = (f * f - 1.0) * (f * f - 1.0);
  const double exact = 2.0 * 9.0 / (4.0 * std::numbers::pi * f * square);
  const Json& force = s["results"]["force"];
  // Twice the velocity's error on 1280 panels, 5e-3; across, what symmetric panels leave.
  EXPECT_NEAR(force[1].get<double>(), exact, 1e-2 * exact);
  EXPECT_NEAR(force[0].get<double>(), 0.0, 1e-3 * exact);
  EXPECT_NEAR(force[2].get<double>(), 0.0, 1e-3 * exact);
}

// On a device: the host's surface data. Summation errors of both stay far below what is compared;
// 5120 panels are too many to be summed directly.
TEST_P(Flow, SurfaceDataAreThoseOfTheHost) {
  if (GetParam() == "cpu") GTEST_SKIP() << "is the host";
  const TemporaryFolder folder;
  for (const std::string formulation : {"green", "source"}) {
    const auto solve_on = [&](const std::string& backend) {
      const fs::path results = folder.path() / (formulation + backend);
      solve(with(small_sphere(5120, results.string()),
                 {"--backend", backend, "--set", "solver.formulation=" + formulation, "--set",
                  "solver.tolerance=1e-10", "--set", "fmm.tolerance=1e-11"}));
      return read_surface_data(results / "surface.vtp");
    };
    const auto here = solve_on(GetParam()), host = solve_on("cpu");
    for (const std::string name : {"phi", "U", "Cp", "p"}) {
      ASSERT_TRUE(here.contains(name) && host.contains(name)) << name;
      EXPECT_LE(relative_error(here.at(name), host.at(name)), 1e-8) << formulation << name;
    }
  }
}

RANKINE_ON_EVERY_BACKEND(Flow);

/// A number of summary.json and its relative error, the error itself if it is 0.
struct Figure {
  const char* place;
  double exact, error;
};

/// Whole examples as they stand, with their probes, on a device. On the processor
/// scripts/check_examples.py compares what their READMEs show. Exact values are those of the
/// READMEs; errors are theirs, and as much for another version of Gmsh.
TEST_P(Examples, HaveTheFiguresOfTheirReadmes) {
  constexpr double displaced = 4.0 / 3.0 * std::numbers::pi;
  const std::vector<std::pair<std::string, std::vector<Figure>>> examples{
      {"sphere/sphere.toml",
       {{"/verify/potential_l2", 1.9e-5, 0.1},
        {"/verify/velocity_l2", 8.5e-6, 0.12},
        {"/results/Cp_min", -1.25, 4e-5},
        {"/results/U_max", 1.5, 3e-5},
        {"/results/added_mass/0", 0.49999, 1e-5},
        {"/results/force/0", 0.0, 6e-3},
        {"/results/force/1", 0.0, 6e-3},
        {"/results/force/2", 0.0, 6e-3}}},
      {"ellipsoid/ellipsoid.toml",  // k U, and Munk's moment
       {{"/results/added_mass/0", 0.185256404281, 2e-3},
        {"/results/added_mass/1", 0.5 * 0.364543239561, 2e-3},
        {"/results/added_mass/2", 0.5 * 1.361527473151, 2e-3},
        {"/results/moment/0", -6.264, 5e-3},
        {"/results/moment/1", 14.781, 5e-3},
        {"/results/moment/2", -2.253, 5e-3}}},
      {"two-spheres/two-spheres.toml",
       {{"/results/added_mass/0", 0.5286181351, 1e-3},
        {"/results/added_mass/1", 0.0, 1e-4},
        {"/results/patch_forces/left/1", 0.1246, 3e-3},
        {"/results/patch_forces/right/1", -0.1246, 3e-3}}},
      {"two-spheres/added-mass.toml",  // along the line of both, each way
       {{"/results/added_mass_matrix/1/1", 0.50293873135 * displaced, 1e-3},
        {"/results/added_mass_matrix/1/7", -0.05571802905 * displaced, 1e-2},
        {"/results/added_mass_asymmetry", 0.0, 1e-4}}},
      {"hull/hull.toml",
       {{"/problem/images", 4.0, 0.0},
        {"/results/added_mass_matrix/0/0", 903.750216, 2e-3},
        {"/results/added_mass_matrix/1/1", 20333.456, 2e-3},
        {"/results/added_mass_matrix/5/5", 363119.635, 2e-3},
        {"/results/added_mass_matrix_infinite/2/2", 45514.5226, 3e-3},
        {"/results/added_mass_matrix_infinite/3/3", 3305.9464, 3e-3},
        {"/results/added_mass_matrix_infinite/4/4", 827198.538, 3e-3}}},
      {"interior-cavity/interior-cavity.toml",
       {{"/results/added_mass_matrix/0/0", 25132.7412, 2e-3},
        {"/results/added_mass_matrix/1/1", 25132.7412, 2e-3},
        {"/results/added_mass_matrix/2/2", 25132.7412, 2e-3},
        {"/results/added_mass_matrix/3/3", 9047.78684, 2e-3},
        {"/results/added_mass_matrix/4/4", 32169.9088, 2e-3},
        {"/results/added_mass_matrix/5/5", 9666.43893, 2e-3},
        {"/results/U_max", 1.2, 4e-3}}},
      {"ground-effect/ground-effect.toml",
       {{"/results/added_mass/0", 0.5286181351, 1e-3}, {"/results/force/2", -0.1246, 3e-3}}},
      {"torus/torus.toml", {{"/results/capacitance_matrix/0/0", 2.7055982e-10, 1e-3}}},
      {"dielectric-sphere/dielectric-sphere.toml",
       {{"/results/energy", -2.82723e-11, 1e-3}, {"/results/bodies/0/force/2", 0.0, 1e-15}}},
      {"capacitor/cube.toml",
       {{"/results/capacitance/0/0", 7.351036e-11, 5e-4},
        {"/results/charges/0", 7.351036e-11, 5e-4}}},
      {"capacitor/plates.toml",
       {{"/results/conductors/0/force/2", -1.185e-10, 1e-2},
        {"/results/conductors/1/force/2", 1.185e-10, 1e-2},
        {"/results/capacitance_asymmetry", 0.0, 1e-4}}}};
  for (const auto& [file, figures] : examples) {
    const TemporaryFolder folder;
    const Json s = solve_here({example(file), "--output", folder.path().string()});
    for (const auto& [place, exact, error] : figures) {
      EXPECT_NEAR(s.at(Json::json_pointer(place)).get<double>(), exact,
                  error * (exact == 0.0 ? 1.0 : std::abs(exact)))
          << file << place;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backend, Examples, ::testing::Values("cuda"));

TEST_P(ExitCodes, AreTheSame) {
  const TemporaryFolder folder;
  const std::string results = folder.path().string();
  const Json stopped = solve_here(
      set(small_sphere(1280, results), {"solver.max_iterations=1", "solver.tolerance=1e-10"}), 4);
  EXPECT_NE(stopped["status"], "converged");
  EXPECT_TRUE(fs::exists(folder.path() / "surface.vtp"));
  const Json wrong =
      solve_here(set(small_sphere(1280, results), {"verify.max_error={velocity_l2=1e-9}"}), 5);
  EXPECT_FALSE(wrong["verify"]["pass"].get<bool>());
}

TEST_P(ExitCodes, VerifyPasses) {
  const Outcome outcome = run_program({"verify", "--backend", GetParam(), "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json j = Json::parse(outcome.out);
  EXPECT_EQ(j["backend"], GetParam());
  EXPECT_TRUE(j["pass"].get<bool>());
  for (const Json& check : j["checks"]) EXPECT_TRUE(check["pass"].get<bool>()) << check.dump();
  EXPECT_GE(j["checks"].size(), 40u);
  for (const char* layer : {"S", "D", "K'"}) {
    for (const char* order : {" Y_0, 20480 panels", " Y_3, 20480 panels"})
      EXPECT_TRUE(says(outcome.out, std::string(layer) + order));
  }
}

// The estimate before, the peak after: between two thirds of it and a tenth more.
TEST_P(ExitCodes, EstimateHoldsWhatASolveTakes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer keeps memory of its own";
#endif
  const TemporaryFolder folder;
  const std::vector<std::string> arguments =
      with(small_sphere(20480, folder.path().string()), {"--backend", GetParam()});
  const Outcome checked = run_program({"check", arguments[0], "--set", "mesh.panels=20480", "--set",
                                       "output.probe=[]", "--backend", GetParam(), "--json", "-"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  const Json estimate = Json::parse(checked.out)["estimate"];
  const Json peak = solve(arguments)["peak_bytes"];
  const bool device = GetParam() == "cuda";
  const double found = peak[device ? "device" : "host"].get<double>();
  EXPECT_LE(found, 1.1 * estimate["bytes"].get<double>());
  EXPECT_GE(found, estimate["bytes"].get<double>() / 1.5);
}

RANKINE_ON_EVERY_BACKEND(ExitCodes);

}  // namespace
}  // namespace rankine::cases
