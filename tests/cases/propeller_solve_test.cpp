// Propellers from end to end: their coefficients.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

// The propeller P4119 under heavy load, with the wake of the published panel code, whose pitch is
// that of the blades: its loads on the blades, which may err by 3 % for its wake. A body of
// revolution as the hub has no torque, but for its flat panels.
TEST(PropellerSolve, HasTheLoadsOfAPublishedPropeller) {
  const TemporaryFolder folder;
  const Json summary = solve(
      set({example("propeller/propeller.toml"), "-o", folder.path().string(), "--backend", "cpu"},
          {"problem.velocity=[0.5,0,0]", "rotor.pitch=1.085"}));
  const Json& rotor = summary["results"]["rotor"];
  const double thrust = 0.3014, torque = 0.04211;
  EXPECT_NEAR(rotor["KT"], thrust, 0.03 * thrust);
  EXPECT_NEAR(rotor["KQ"], torque, 0.05 * torque);
  EXPECT_EQ(rotor["KT"], rotor["patches"]["blade"]["KT"]);
  EXPECT_LT(rotor["patches"]["hub"]["KT"], 0.0);  // the suction of the vortex behind it
  EXPECT_NEAR(rotor["patches"]["hub"]["KQ"], 0.0, 1e-3 * torque);
}

/// Definitions of a propeller's coefficients, with the diameter of the panels.
TEST(PropellerSolve, DividesTheLoadsOfAPropellerByTheirScales) {
  const TemporaryFolder folder;
  const std::string text = read_text(example("propeller/propeller.toml"));
  const auto file = folder.write(
      "case.toml", replaced(replaced(text, "blade.csv", example("propeller/blade.csv")),
                            "diameter = 1.0\nblades", "blades"));
  const Json rotor =
      solve(set({file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu"},
                {"problem.velocity=[1.5,0,0]", "problem.density=800", "mesh.diameter=2",
                 "mesh.panels=[24,8]", "rotor.rpm=90"}))["results"]["rotor"];
  const double n = 1.5, v = 1.5, d = rotor["diameter"], rho = 800.0, pi = std::numbers::pi,
               head = pi / 8.0 * rho * std::pow(v * d, 2), thrust = rotor["thrust"],
               torque = rotor["torque"], power = 2.0 * pi * n * torque;
  EXPECT_NEAR(d, 2.0, 0.03);  // the rims of blades lie within the tips
  EXPECT_EQ(rotor["blades"], 3);
  for (const auto& [name, value] : {std::pair{"turns_per_second", n},
                                    {"J", v / (n * d)},
                                    {"power", power},
                                    {"KT", thrust / (rho * n * n * std::pow(d, 4))},
                                    {"KQ", torque / (rho * n * n * std::pow(d, 5))},
                                    {"CT", thrust / head},
                                    {"CP", power / (head * v)},
                                    {"efficiency", thrust * v / power}})
    EXPECT_NEAR(rotor[name], value, 1e-9 * std::abs(value)) << name;
  // The loads from the wake far downstream: on this mesh 4 and 8 % less.
  for (const std::string name : {"KT", "KQ"})
    EXPECT_NEAR(rotor[name + "_far"].get<double>() / rotor[name].get<double>(), 1.0, 0.15) << name;

  // Middles of neighbouring segments, which turn by up to 0.4, are half of both widths apart.
  std::ifstream loading(folder.path() / "results" / "span_loading.csv");
  std::string line;
  std::getline(loading, line);
  std::vector<std::array<double, 5>> rows;
  char comma = ',';
  for (double x = 0.0, y, z, r, w, m;
       loading >> x >> comma >> y >> comma >> z >> comma >> r >> comma >> w >> comma >> m;)
    rows.push_back({x, y, z, r, w});
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto &a = rows[k - 1], &b = rows[k];
    const double apart = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    EXPECT_NEAR(apart, 0.5 * (a[4] + b[4]), 0.02 * apart) << k;
  }
}

}  // namespace
}  // namespace rankine::cases
