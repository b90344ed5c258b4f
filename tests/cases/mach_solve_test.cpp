// Wings in a gas, from end to end.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

constexpr double degree = std::numbers::pi / 180.0;

/// A wing of the chord 1 m and a NACA section, its thickness and span times `scale`.
Json solve_wing(const TemporaryFolder& folder, double thickness, double scale, double alpha,
                const std::string& problem, const std::string& lift = "", int exit_code = 0) {
  std::string section;  // NACA's thickness, from the trailing edge over the upper side
  const int count = 200;
  for (int i = 0; i <= 2 * count; ++i) {
    const double angle = std::numbers::pi * i / count, x = 0.5 * (1.0 + std::cos(angle));
    const double z = 5.0 * thickness *
                     (0.2969 * std::sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x -
                      0.1036 * x * x * x * x);
    section += std::to_string(x) + " " +
               std::to_string(i == 0 || i == 2 * count ? 0.0 : (i <= count ? scale : -scale) * z) +
               "\n";
  }
  folder.write("section.dat", section);
  const std::string text = "version = 1\n[mesh]\nshape = \"wing\"\nsection = \"section.dat\"\n" +
                           ("span = " + std::to_string(4.0 * scale)) +
                           "\npanels = [40, 16]\n[solver]\ntolerance = 1e-8\n[problem]\n" +
                           "speed = 2.0\nalpha = " + std::to_string(alpha) + "\n" + problem +
                           "[lift]\n" + lift +
                           "reference = { area = " + std::to_string(4.0 * scale) + " }\n";
  const auto file = folder.write("wing.toml", text);
  return solve({file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu"},
               exit_code);
}

/// C_La(AR, M) = C_La(b AR, 0) / b, of the linear equation for every body: the wing at M = 0.5, and
/// the stretched wing, made by hand. The rule stretches along the stream, which also shears
/// sections by M^2 alpha, which changes the lift by 2e-3, but not its slope.
TEST(MachSolve, LiftOfAWingIsThatOfTheStretchedWing) {
  const double beta = std::sqrt(0.75);
  const TemporaryFolder folder, other;
  const Json fast =
      solve_wing(folder, 0.04, 1.0, 1.0, "mach = 0.5\n", "derivatives = true\n")["results"];
  const double alpha = std::atan(beta * std::tan(degree)) / degree;
  const Json slow = solve_wing(other, 0.04, beta, alpha, "", "derivatives = true\n")["results"];
  const auto rule = [&](const char* name, double power, double tolerance) {
    const double found = fast["lift"][name], expected = slow["lift"][name];
    EXPECT_NEAR(found * std::pow(beta, power) / expected, 1.0, tolerance) << name;
  };
  rule("CL", 2.0, 4e-3);
  rule("CL_trefftz", 2.0, 4e-3);
  rule("CD_induced", 3.0, 8e-3);
  const auto slope = [](const Json& results, const char* of, const char* by) {
    return results["derivatives"][of][by].get<double>();
  };
  EXPECT_NEAR(slope(fast, "CL", "alpha") * beta / slope(slow, "CL", "alpha"), 1.0, 2e-3);
  // p b/(2V) is stretched as alpha is: the tip's angle of attack.
  EXPECT_NEAR(slope(fast, "Cl", "p") * beta / slope(slow, "Cl", "p"), 1.0, 5e-3);
  // The wing itself is lifted more by 0.866^-1 in two dimensions, and less in three.
  EXPECT_GT(slope(fast, "CL", "alpha"), 1.05 * 3.6);
}

/// A thin wing turned nose up by 4 degrees, half a chord above the ground, with a relaxed wake. All
/// that is across the stream is `scale` times as large.
Json solve_above_ground(const TemporaryFolder& folder, double scale, const std::string& mach) {
  const meshes::SurfaceMesh mesh =
      meshes::make_wing({24, 12}, meshes::naca_section("0004"), {.span = 4.0});
  std::ostringstream obj;
  obj.precision(17);
  for (const Vec3d& x : mesh.nodes)
    obj << "v " << x.x * std::cos(4.0 * degree) + x.z * std::sin(4.0 * degree) << ' ' << scale * x.y
        << ' ' << scale * (x.z * std::cos(4.0 * degree) - x.x * std::sin(4.0 * degree)) << '\n';
  for (const meshes::Element& e : mesh.elements) {
    obj << 'f';
    for (int k = 0; k < meshes::corner_count(e); ++k) obj << ' ' << e[k] + 1;
    obj << '\n';
  }
  folder.write("wing.obj", obj.str());
  const auto file = folder.write(
      "wing.toml",
      "version = 1\n[mesh]\nfile = \"wing.obj\"\n[solver]\ntolerance = 1e-9\n[problem]\n" + mach +
          "velocity = [2.0, 0.0, 0.0]\nsymmetry = [\"z\"]\nsymmetry_origin = [0.0, 0.0, " +
          std::to_string(-0.5 * scale) +
          "]\n[lift]\nwake = \"relaxed\"\nderivatives = true\nreference = { area = 4.0 }\n");
  return solve({file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu"});
}

/// F = S F'/b^4, also of the wake and of the images. A relaxed wake in a gas follows the flux of
/// mass, which is what the stretched wake does.
TEST(MachSolve, RelaxedWakesAboveTheGroundAreThoseOfTheStretchedWing) {
  const double beta = std::sqrt(0.75);
  const TemporaryFolder folder, other;
  const Json fast = solve_above_ground(folder, 1.0, "mach = 0.5\n"),
             slow = solve_above_ground(other, beta, "");
  const Json &in_gas = fast["results"]["lift"], &stretched = slow["results"]["lift"];
  const double scale = in_gas["CL_trefftz"];
  const auto rule = [&](const char* name, double power, double tolerance) {
    EXPECT_NEAR(in_gas[name].get<double>() * std::pow(beta, power), stretched[name],
                tolerance * scale)
        << name;
  };
  rule("CL_trefftz", 3.0, 1e-6);
  rule("CD_induced", 4.0, 1e-6);
  rule("wake_load", 3.0, 1e-6);
  rule("CL", 3.0, 4e-3);  // fits of pressures are those of the actual body
  EXPECT_LT(std::abs(in_gas["wake_load"].get<double>()), 0.01 * scale);
  // The forms include the force of the images on the wake as the solve does.
  for (const TemporaryFolder* const each : {&folder, &other}) {
    const testing::Outcome polar = testing::run_program(
        {"polar", (each->path() / "results").string(), "--json", "--alpha", "0"});
    ASSERT_EQ(polar.exit_code, 0) << polar.err;
    const Json row = Json::parse(polar.out)[0], lift = (each == &folder ? in_gas : stretched);
    EXPECT_NEAR(row["CL_trefftz"], lift["CL_trefftz"], 1e-6);
    EXPECT_NEAR(row["CD_induced"], lift["CD_induced"], 1e-6);
  }
}

/// The limit M -> 0 of relaxed wakes, and a wake from the lines of another solve.
TEST(MachSolve, TakesTheLinesOfARelaxedWake) {
  const TemporaryFolder folder, still, slow, fast;
  const auto lift = [](const Json& summary) { return summary["results"]["lift"]; };
  const std::string relaxed = "wake = \"relaxed\"\n";
  const Json at_rest = lift(solve_wing(still, 0.12, 1.0, 4.0, "", relaxed)),
             nearly = lift(solve_wing(slow, 0.12, 1.0, 4.0, "mach = 1e-3\n", relaxed)),
             in_gas = lift(solve_wing(fast, 0.12, 1.0, 4.0, "mach = 0.4\n", relaxed));
  std::filesystem::copy_file(fast.path() / "results" / "wake_lines.csv",
                             folder.path() / "lines.csv");
  const Json again = lift(solve_wing(folder, 0.12, 1.0, 4.0, "mach = 0.4\n",
                                     "wake = \"file\"\nwake_file = \"lines.csv\"\n"));
  for (const char* const name : {"CL_trefftz", "CD_induced", "wake_load"}) {
    EXPECT_NEAR(nearly[name], at_rest[name], 2e-6) << name;
    EXPECT_NEAR(again[name], in_gas[name], 2e-6) << name;
  }
  EXPECT_GT(in_gas["CL_trefftz"], 1.03 * at_rest["CL_trefftz"].get<double>());
}

TEST(MachSolve, PolarsAgreeWithTheSolveAndProbesWithTheStream) {
  const TemporaryFolder folder;
  const Json summary = solve_wing(folder, 0.12, 1.0, 2.0, "mach = 0.4\n", "derivatives = true\n");
  EXPECT_EQ(summary["problem"]["mach"], 0.4);
  EXPECT_FALSE(says(summary["warnings"].dump(), "critical"));
  const testing::Outcome polar = testing::run_program(
      {"polar", (folder.path() / "results").string(), "--json", "--alpha", "2"});
  ASSERT_EQ(polar.exit_code, 0) << polar.err;
  const Json row = Json::parse(polar.out)[0], lift = summary["results"]["lift"];
  for (const char* const name : {"CL", "CL_trefftz", "CD_induced", "CD_pressure", "Cm"})
    EXPECT_NEAR(row[name], lift[name], 5e-4 * lift["CL"].get<double>()) << name;
  EXPECT_TRUE(summary["results"]["added_mass"].is_null());
}

TEST(MachSolve, RefusesFlowsBeyondTheCriticalMachNumber) {
  const TemporaryFolder folder;
  const Json summary = solve_wing(folder, 0.12, 1.0, 5.0, "mach = 0.7\n", "", 4);
  EXPECT_EQ(summary["status"], "supersonic");
  EXPECT_GT(summary["results"]["lift"]["CL"], 0.3);
  EXPECT_TRUE(says(summary["warnings"].dump(), "above the critical one, estimated at 0.5"))
      << summary["warnings"];
}

}  // namespace
}  // namespace rankine::cases
