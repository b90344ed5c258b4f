// rankine solve with conditions other than walls in a stream, from end to end.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <string>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

using Json = nlohmann::json;

using std::numbers::pi;

class Conditions : public testing::FolderTest {
 protected:
  /// A case with a built-in shape of 1280 panels, unless it says how many.
  Outcome run(const std::string& text, const std::string& shape = "shape = \"sphere\"\n") {
    const bool says = shape.find("panels") != std::string::npos;
    const std::string panels = says ? "" : "panels = 1280\n";
    const auto file = folder().write("case.toml", "version = 1\n[mesh]\n" + shape + panels + text);
    return run_program({"solve", file.string(), "--backend", "cpu", "--json", "-"});
  }
  Json solve(const std::string& text, const std::string& shape = "shape = \"sphere\"\n") {
    const Outcome outcome = run(text, shape);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    log_ = outcome.err;
    return outcome.exit_code == 0 ? Json::parse(outcome.out) : Json();
  }
  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

const std::string potential = "[[boundary]]\npatch = \"*\"\ntype = \"potential\"\nvalue = 3.0\n";

TEST_F(Conditions, APotentialOutsideASphereHasItsFlux) {
  // phi = 3 / r: the flux into the fluid is -3 on the unit sphere.
  for (const std::string formulation : {"green", "source"}) {
    const Json s = solve(
        "[problem]\nkind = \"laplace\"\n" + potential + "[solver]\nformulation = \"" + formulation +
        "\"\n[[output.probe]]\nname = \"p\"\nkind = \"points\"\npoints = [[0, 0, 2]]\n");
    EXPECT_NEAR(s["results"]["patch_fluxes"]["body"], -12.0 * pi, 0.005 * 12.0 * pi);
    EXPECT_NEAR(s["results"]["phi_max"], 3.0, 1e-4);
    EXPECT_FALSE(s["results"].contains("force"));
    const Json& estimates = s["results"]["error_estimates"];
    EXPECT_GT(estimates["gradient_l2"], 0.0);
    EXPECT_LT(estimates["gradient_max"], 1e-2);
    EXPECT_LT(estimates["potential_l2"], 1e-5);  // it is given
    EXPECT_FALSE(estimates.contains("velocity_l2") || estimates.contains("force"));
    EXPECT_TRUE(says(log(), "errors     estimated, relative L2: potential "));
    EXPECT_TRUE(s["warnings"].empty()) << s["warnings"];
    EXPECT_EQ(s["problem"]["kind"], "laplace");
    EXPECT_EQ(s["solver"]["formulation"], formulation);
    EXPECT_TRUE(says(log(), "equation   " + formulation + ", exterior"));
    const std::string surface = read_text(in_folder("results") / "surface.vtp");
    for (const std::string name : {"\"flux\"", "\"phi\"", "\"grad_phi\"", "\"error_estimate\""})
      EXPECT_TRUE(says(surface, name)) << name;
    for (const std::string name : {"\"Cp\"", "\"p\"", "\"U\""})
      EXPECT_FALSE(says(surface, name)) << name;
  }
}

TEST_F(Conditions, AFluxInsideIsRefusedWhereItHasNowhereToGo) {
  const std::string inside =
      "[problem]\nkind = \"laplace\"\ndomain = \"interior\"\n[[boundary]]\npatch = \"*\"\ntype = "
      "\"flux\"\n";
  const Outcome outcome = run(inside + "value = 1.0\n");
  EXPECT_TRUE(ended(outcome, 2, "the flux into the closed domain adds up to 12.5"));
  EXPECT_FALSE(std::filesystem::exists(in_folder("results")));
  solve(inside + "value = 0.0\n");
  EXPECT_TRUE(says(log(), "the potential's mean over the surface is set to zero"));
}

TEST_F(Conditions, ABodyInMotionHasItsLoads) {
  // The Munk moment of a 3:2:1 ellipsoid that moves along (1, 1, 0): rho V (k_y - k_x) about -z.
  const Json s = solve(
      "[problem]\ndensity = 1000.0\nreference_speed = 2.0\n[[boundary]]\npatch = \"*\"\ntype = "
      "\"motion\"\nvelocity = [1, 1, 0]\n",
      "shape = \"ellipsoid\"\n");
  const double mass = 1000.0 * 8.0 * pi, k_x = 0.185256404281, k_y = 0.364543239561;
  const Json& body = s["results"]["bodies"][0];
  EXPECT_EQ(body["name"], "body");
  EXPECT_NEAR(body["moment"][2], -mass * (k_y - k_x), 0.01 * mass);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(body["force"][axis], 0.0, 0.005 * mass);
  EXPECT_NEAR(body["volume"], 8.0 * pi, 0.1);
  // At the front of its way p = rho V^2 / 2, and Cp refers to 2 m/s.
  EXPECT_NEAR(s["results"]["Cp_max"], 0.5, 0.01);
}

TEST_F(Conditions, ThatMakeNoCoefficientHaveNone) {
  // A sphere that blows 1 m/s from all its surface.
  const Json s = solve("[[boundary]]\npatch = \"*\"\ntype = \"normal-velocity\"\nvalue = 1.0\n");
  EXPECT_TRUE(s["results"]["Cp_min"].is_null());
  EXPECT_NEAR(s["results"]["U_max"], 1.0, 0.01);
  EXPECT_NEAR(s["results"]["patch_fluxes"]["body"], 4.0 * pi, 0.05);
  EXPECT_NEAR(s["results"]["phi_max"], -1.0, 0.01);
  EXPECT_FALSE(says(log(), "Cp"));
}

TEST_F(Conditions, AddedMassIsWrittenInBothForms) {
  folder().write(
      "modes.csv", "bend\n" + [] {
        std::string values;
        for (int e = 0; e < 1280; ++e) values += "1\n";
        return values;
      }());
  const Json s = solve("[problem]\ndensity = 2.0\nadded_mass = true\nmodes = \"modes.csv\"\n");
  const Json& matrix = s["results"]["added_mass_matrix"];
  ASSERT_EQ(matrix.size(), 7u);
  const double half = 2.0 * 2.0 / 3.0 * pi;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(matrix[k][k], half, 3e-3 * half);
  EXPECT_NEAR(matrix[6][6], 8.0 * pi, 0.1);
  EXPECT_NEAR(s["results"]["added_mass_nondimensional"][2][2], 0.5, 3e-3);
  EXPECT_EQ(s["results"]["added_mass_modes"][3], "body rx");
  EXPECT_EQ(s["results"]["added_mass_modes"][6], "bend");
  EXPECT_LT(s["results"]["added_mass_asymmetry"], 1e-4);
  const std::set<std::string> files = names_in(in_folder("results"));
  EXPECT_TRUE(files.contains("added_mass.csv") && files.contains("added_mass.json"));
  EXPECT_EQ(Json::parse(read_text(in_folder("results") / "added_mass.json"))["matrix"], matrix);
}

TEST_F(Conditions, AChargedSphereHasItsCapacitanceAndEnergy) {
  // 4 pi epsilon a, and half the charge times the potential.
  const double capacitance = 4.0 * pi * 2.0 * 8.8541878128e-12, charge = 1e-9;
  const Json s = solve(
      "[problem]\nkind = \"electrostatics\"\npermittivity = 2.0\n[[boundary]]\npatch = \"*\"\ntype "
      "= \"floating\"\nvalue = 1e-9\n");
  const Json& conductor = s["results"]["conductors"][0];
  EXPECT_NEAR(s["results"]["capacitance_matrix"][0][0], capacitance, 3e-3 * capacitance);
  EXPECT_NEAR(conductor["charge"], charge, 1e-5 * charge);
  EXPECT_NEAR(conductor["potential"], charge / capacitance, 3e-3 * charge / capacitance);
  EXPECT_NEAR(s["results"]["energy"], 0.5 * charge * charge / capacitance,
              3e-3 * charge * charge / capacitance);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(conductor["force"][axis], 0.0, 1e-6 * charge * charge / capacitance);
  const std::string surface = read_text(in_folder("results") / "surface.vtp");
  EXPECT_TRUE(says(surface, "\"charge\""));
  EXPECT_TRUE(says(surface, "\"E\""));
}

TEST_F(Conditions, AConductingCubeSaysWhereItsFieldIsDoubtful) {
  // At its edges it has no bound.
  const Json s = solve(
      "[problem]\nkind = \"electrostatics\"\n[[boundary]]\npatch = \"*\"\ntype = "
      "\"conductor\"\nvalue = 1.0\n",
      "shape = \"box\"\n");
  ASSERT_EQ(s["warnings"].size(), 1u);
  EXPECT_TRUE(says(s["warnings"][0].get<std::string>(),
                   "gradients of the potential are estimated to err by "
                   "more than 10 % of their root mean square on "))
      << s["warnings"];
  EXPECT_GT(s["results"]["error_estimates"]["doubtful_panels"], 0);
}

TEST_F(Conditions, ADielectricSphereHasItsFieldEnergyAndFiles) {
  const Json s = solve(
      "[problem]\nkind = \"electrostatics\"\nfield = [0, 0, 2]\n[[boundary]]\npatch = \"*\"\ntype "
      "= \"interface\"\npermittivity = [1, 4]\n[[output.probe]]\nname = \"p\"\nkind = "
      "\"points\"\npoints = [[0, 0, 0.5], [0, 0, 2]]\n");
  // p = 4 pi eps_0 (4 - 1)/(4 + 2) E.
  const double energy = -0.5 * 4.0 * pi * 8.8541878128e-12 * 0.5 * 4.0;
  EXPECT_NEAR(s["results"]["energy"], energy, -5e-3 * energy);
  EXPECT_NEAR(s["results"]["bodies"][0]["force"][2], 0.0, -1e-6 * energy);
  // Within -E z / 2, the largest at the poles.
  EXPECT_NEAR(s["results"]["phi_max"], 1.0, 1e-2);
  EXPECT_EQ(s["solver"]["formulation"], "source");
  // The charges are off by about 1.3e-3 on such a mesh.
  EXPECT_GT(s["results"]["error_estimates"]["gradient_l2"], 3e-4);
  EXPECT_LT(s["results"]["error_estimates"]["gradient_l2"], 4e-3);
  const std::string surface = read_text(in_folder("results") / "surface.vtp");
  EXPECT_TRUE(says(surface, "\"E_inside\""));
  EXPECT_TRUE(says(read_text(in_folder("results") / "p.vtp"), "\"E\""));
  EXPECT_TRUE(says(log(), "permittivity 1 outside, 4 inside"));
}

TEST_F(Conditions, EqualPermittivitiesAreAWarningAndContradictionsTheUsersMistake) {
  const std::string field = "[problem]\nkind = \"electrostatics\"\nfield = [0, 0, 2]\n";
  const auto interface = [](const std::string& values) {
    return "[[boundary]]\npatch = \"*\"\ntype = \"interface\"\npermittivity = " + values + "\n";
  };
  const Json s = solve(field + "permittivity = 2\n" + interface("[2, 2]"));
  ASSERT_EQ(s["warnings"].size(), 1u);
  EXPECT_TRUE(says(s["warnings"][0].get<std::string>(),
                   "case.toml:10:9: the permittivities of the interface are equal, 2"))
      << s["warnings"];
  for (const std::string wrong : {"[1, 0]", "[1, -2]", "[3, 4]", "[1, inf]"})
    EXPECT_EQ(run(field + interface(wrong)).exit_code, 2) << wrong;
}

TEST_F(Conditions, ADiscWithoutThicknessHasItsAddedMassAndBothSides) {
  const std::string disc = "shape = \"disc\"\npanels = 300\n",
                    wall =
                        "[problem]\nadded_mass = true\n[[boundary]]\npatch = \"*\"\nthin = true\n";
  const Json s = solve(
      wall +
          "[[output.probe]]\nname = \"p\"\nkind = \"points\"\npoints = [[0, 0, 0.5], [0, 0, -2]]\n",
      disc);
  EXPECT_NEAR(s["results"]["added_mass_matrix"][2][2], 8.0 / 3.0, 5e-3);
  EXPECT_EQ(s["results"]["added_mass_matrix"][0][0], 0.0);
  EXPECT_EQ(s["solver"]["formulation"], "doublet");
  EXPECT_TRUE(says(log(), "150 quadrilaterals of walls without thickness cut in two"));
  const std::string surface = read_text(in_folder("results") / "surface.vtp");
  EXPECT_TRUE(says(surface, "\"U_behind\" NumberOfComponents=\"3\""));
  EXPECT_EQ(run(wall, "shape = \"sphere\"\n").exit_code, 3);  // closed
}

TEST_F(Conditions, APlateWithoutThicknessHasItsCapacitanceAndIsAskedFor) {
  const std::string plate = "shape = \"plate\"\nlength = 0.5\nwidth = 0.5\n",
                    electric =
                        "[problem]\nkind = \"electrostatics\"\n[[boundary]]\npatch = \"*\"\n"
                        "type = \"conductor\"\nvalue = 2.0\n";
  const double capacitance = 4.0 * pi * 8.8541878128e-12 * 0.5 * 0.3667874;
  const Json s = solve(electric + "thin = true\n", plate);
  EXPECT_NEAR(s["results"]["capacitance_matrix"][0][0], capacitance, 1e-3 * capacitance);
  EXPECT_NEAR(s["results"]["conductors"][0]["charge"], 2.0 * capacitance, 2e-3 * capacitance);
  const Json& estimate = s["results"]["error_estimates"];
  const double error = s["results"]["energy"].get<double>() - 2.0 * capacitance;
  EXPECT_GT(estimate["energy"], std::abs(error) / 3.0);
  EXPECT_LT(estimate["energy"], 3.0 * std::abs(error));
  EXPECT_NEAR(estimate["capacitance"], estimate["energy"].get<double>() / (2.0 * capacitance),
              1e-3 * estimate["capacitance"].get<double>());
  EXPECT_GT(estimate["force"], 0.0);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(s["results"]["conductors"][0]["force"][axis], 0.0, 1e-6 * capacitance / 0.5);
  EXPECT_EQ(s["solver"]["formulation"], "source");
  EXPECT_EQ(s["solver"]["preconditioner"], "two-level");
  EXPECT_TRUE(says(log(), "thin"));
  const Json without = solve(
      electric + "thin = true\n[solver]\npreconditioner = \"none\"\ntolerance = 1e-5\n", plate);
  EXPECT_EQ(without["solver"]["preconditioner"], "none");
  EXPECT_GT(without["solver"]["iterations"], s["solver"]["iterations"]);
  EXPECT_EQ(run(electric, plate).exit_code, 3);
}

}  // namespace
}  // namespace rankine::cases
