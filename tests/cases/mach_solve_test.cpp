// Wings in a gas, from end to end.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

constexpr double degree = std::numbers::pi / 180.0;

/// A wing of the chord 1 m and a NACA section, its thickness and span times `scale`.
Json solve_wing(const TemporaryFolder& folder, double thickness, double scale, double alpha,
                const std::string& problem, const std::string& lift = "") {
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
  return solve({file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu"});
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

TEST(MachSolve, WarnsBeyondTheCriticalMachNumber) {
  const TemporaryFolder folder;
  const Json summary = solve_wing(folder, 0.12, 1.0, 5.0, "mach = 0.7\n");
  EXPECT_TRUE(says(summary["warnings"].dump(), "above the critical one, estimated at 0.5"))
      << summary["warnings"];
}

}  // namespace
}  // namespace rankine::cases
