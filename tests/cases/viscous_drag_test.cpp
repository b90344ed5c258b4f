// Viscous drag from the polars of sections.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

/// A rectangular wing of the area 4 m^2, with these tables.
Json solve_with_polars(const TemporaryFolder& folder, const std::string& polars) {
  folder.write("polars.csv", polars);
  const auto file =
      folder.write("wing.toml",
                   "version = 1\n[mesh]\nshape = \"wing\"\nspan = 4.0\npanels = [40, 16]\n"
                   "[problem]\nalpha = 5.0\n[lift]\npolars = \"polars.csv\"\n"
                   "reference = { area = 4.0, span = 4.0, chord = 1.0 }\n");
  return testing::solve(
      {file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu"});
}

/// The sum of c_l c dy over S is C_L in the Trefftz plane.
TEST(ViscousDrag, ProportionalToTheLiftOfSectionsIsProportionalToTheLift) {
  const TemporaryFolder folder;
  const Json lift =
      solve_with_polars(folder, "alpha,cl,cd\n-10,-1,-0.05\n10,1,0.05\n")["results"]["lift"];
  EXPECT_NEAR(lift["CD_viscous"].get<double>() / (0.05 * lift["CL_trefftz"].get<double>()), 1.0,
              1e-6);
}

/// Its mean over the span, linear from 0.01 in the middle to 0.03 at the tips.
TEST(ViscousDrag, OfSectionsInBetweenIsInterpolated) {
  const TemporaryFolder folder;
  const Json summary =
      solve_with_polars(folder, "y,cl,cd\n0,-0.1,0.01\n0,1,0.01\n2,-0.1,0.03\n2,1,0.03\n");
  EXPECT_NEAR(summary["results"]["lift"]["CD_viscous"], 0.02, 2e-4);
  EXPECT_FALSE(says(summary["warnings"].dump(), "beyond those of lift.polars"));
}

TEST(ViscousDrag, WarnsOfStripsBeyondTheTablesAndRefusesTablesPastTheStall) {
  const TemporaryFolder folder;
  const Json summary = solve_with_polars(folder, "cl,cd\n0.35,0.01\n1,0.02\n");
  EXPECT_TRUE(says(summary["warnings"].dump(), "strips have lift coefficients beyond"))
      << summary["warnings"];
  folder.write("polars.csv", "cl,cd\n0.3,0.01\n0.2,0.02\n");
  const Outcome outcome = run_program({"solve", (folder.path() / "wing.toml").string(), "-o",
                                       (folder.path() / "results").string(), "--backend", "cpu"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(says(outcome.err, "cl must increase")) << outcome.err;
}

}  // namespace
}  // namespace rankine::cases
