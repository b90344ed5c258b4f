// Meshes that are mended or recognised on the way in, solved: exact capacitances and areas.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/prism.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

const std::string conductor =
    "[problem]\nkind = \"electrostatics\"\n[[boundary]]\npatch = \"*\"\ntype = \"conductor\"\n"
    "value = 1.0\n";

/// Two conducting spheres that meet at right angles have the capacitance 4 pi eps_0 (a + b -
/// a b / sqrt(a^2 + b^2)): the series of image charges ends with the third.
double exact_capacitance(double a, double b) {
  return 4.0 * std::numbers::pi * 8.8541878128e-12 * (a + b - a * b / std::hypot(a, b));
}

/// Whether a check that needs CGAL finds it.
bool has_cgal(const std::vector<std::string>& check) {
  const Outcome outcome = run_program(check);
  const bool found = !says(outcome.err, "built without CGAL");
  EXPECT_EQ(outcome.exit_code, found ? 0 : 2) << outcome.err;
  return found;
}

TEST(MeshIntake, TheUnionOfTwoSpheresHasKelvinsCapacitance) {
  const TemporaryFolder folder;
  const double a = 1.0, b = 0.75, apart = std::hypot(a, b);
  folder.write("balls.obj",
               obj_text(testing::joined(meshes::make_sphere(1280, a),
                                        meshes::make_sphere(1280, b, {apart, 0.0, 0.0}))));
  const auto file = folder.write(
      "case.toml", "version = 1\n[mesh]\nfile = \"balls.obj\"\nrepair = [\"union\"]\n" + conductor);
  if (!has_cgal({"check", file.string()})) GTEST_SKIP() << "built without CGAL";
  const Json s = solve({file.string()});
  const double exact = exact_capacitance(a, b);
  // Pieces along the cut may be flat: they lose h^2/8 of the radius on 2 h of 3, with h = 0.11.
  EXPECT_NEAR(s["results"]["capacitance_matrix"][0][0].get<double>(), exact, 1e-3 * exact);
  const Json again = solve({file.string(), "--repair", "union,remesh"});
  EXPECT_NEAR(again["results"]["capacitance_matrix"][0][0].get<double>(), exact, 1e-3 * exact);
}

/// A conducting sphere without every 20th panel, wrapped, is one of a larger radius.
TEST(MeshIntake, AWrappedSphereHasTheCapacitanceOfALargerOne) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh sphere = meshes::make_sphere(1280);
  std::vector<bool> gone(sphere.elements.size(), false);
  for (std::size_t e = 0; e < gone.size(); e += 20) gone[e] = true;
  meshes::drop_elements(sphere, gone);
  folder.write("open.obj", obj_text(sphere));
  const auto file = folder.write("case.toml",
                                 "version = 1\n[mesh]\nfile = \"open.obj\"\npanel_size = "
                                 "0.2\nrepair = [\"wrap\", \"remesh\"]\n" +
                                     conductor);
  if (!has_cgal({"check", file.string()})) GTEST_SKIP() << "built without CGAL";
  const Json s = solve({file.string()});
  const double of_unit_sphere = 4.0 * std::numbers::pi * 8.8541878128e-12, offset = 0.05 * 0.2;
  // The panels are 0.3 % within the sphere on average; rims of holes are wrapped as well.
  EXPECT_NEAR(s["results"]["capacitance_matrix"][0][0].get<double>() / of_unit_sphere, 1.0 + offset,
              5e-3);
}

/// A unit sphere with nodes next to the edges of some triangles, which makes slivers.
meshes::SurfaceMesh sphere_with_slivers() {
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  constexpr double next_to_it = 1e-5;
  for (std::size_t e = 0; e < 1280; e += 20) {
    const auto [a, b, c, none] = mesh.elements[e];
    const auto node = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back((0.5 - next_to_it) * (mesh.nodes[a] + mesh.nodes[b]) +
                         2.0 * next_to_it * mesh.nodes[c]);
    mesh.elements[e] = {b, c, node, -1};
    mesh.elements.push_back({c, a, node, -1});
    mesh.elements.push_back({a, b, node, -1});
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  return mesh;
}

TEST(MeshIntake, RemeshingRestoresASphereWithSlivers) {
  const TemporaryFolder folder;
  folder.write("good.obj", obj_text(meshes::make_sphere(1280)));
  folder.write("bad.obj", obj_text(sphere_with_slivers()));
  const auto file =
      folder.write("case.toml",
                   "version = 1\n[mesh]\nfile = \"good.obj\"\n[verify]\nexact = "
                   "\"sphere-flow\"\nradius = 1.0\nmax_error = { potential_l2 = 1.0 }\n");
  const auto errors = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{file.string(), "-o", (folder.path() / "r").string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Json s = solve(arguments);
    for (const Json& number : s["warning_numbers"]) EXPECT_NE(number, "W36");
    return std::array{s["verify"]["potential_l2"].get<double>(),
                      s["verify"]["velocity_l2"].get<double>()};
  };
  const std::string bad = "mesh.file=\"bad.obj\"";
  const Outcome outcome = run_program({"check", file.string(), "--set", bad});
  EXPECT_TRUE(says(outcome.out,
                   "slivers: mesh again with better shaped panels there, or by "
                   "mesh.repair = [\"remesh\"]"));
  if (!has_cgal({"check", file.string(), "--repair", "remesh"}))
    GTEST_SKIP() << "built without CGAL";
  const auto [potential, velocity] = errors({});
  const auto [mended_potential, mended_velocity] = errors({"--set", bad, "--repair", "remesh"});
  // With the slivers these are 5 and 80 times as large. Nodes are off the sphere by up to a
  // twentieth of the depth of flat panels.
  EXPECT_LT(mended_potential, 1.1 * potential);
  EXPECT_LT(mended_velocity, 2.0 * velocity);
}

TEST(MeshIntake, BoxesThatShareAnEdgeAreSolvedWithAndWithoutCommonNodes) {
  const TemporaryFolder folder;
  const meshes::SurfaceMesh box = meshes::make_box(384, {1.0, 1.0, 1.0});
  folder.write("boxes.obj", obj_text(testing::joined(box, testing::moved(box, {1.0, 1.0, 0.0}))));
  const auto file = folder.write("case.toml",
                                 "version = 1\n[mesh]\nfile = \"boxes.obj\"\n[problem]\n"
                                 "velocity = [1.0, 0.3, 0.2]\n");
  const std::vector<double> apart = solve({file.string()})["results"]["added_mass"],
                            common =
                                solve({file.string(), "--repair", "merge", "-o",
                                       (folder.path() / "r").string()})["results"]["added_mass"];
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(apart[k], common[k], 1e-9);
  // No fluid passes: boxes that overlap by 0.05 at the edge have 0.655, boxes 0.003 apart 0.66.
  EXPECT_NEAR(apart[0], 0.67, 0.02);
  const Outcome leaks =
      run_program({"solve", file.string(), "--set", "solver.formulation=\"source\"", "--force"});
  EXPECT_TRUE(says(leaks.err, "bodies touch along 8 edges, through which \"source\" lets"));
}

/// Two spheres of radii 1 and 0.75 that meet at right angles, made one by a tube through what they
/// share: panels near the axis are left out, and their corners joined. The tube is within the body.
meshes::SurfaceMesh joined_within(const meshes::SurfaceMesh& one, const meshes::SurfaceMesh& two) {
  meshes::SurfaceMesh both = testing::joined(one, two);
  const auto first = static_cast<std::int32_t>(one.elements.size());
  const auto outermost = [&](std::int32_t from, std::int32_t to, double sign) {
    std::int32_t best = from;
    for (std::int32_t e = from; e < to; ++e) {
      if (sign * meshes::corner_mean(both, both.elements[e]).x >
          sign * meshes::corner_mean(both, both.elements[best]).x)
        best = e;
    }
    return best;
  };
  const std::int32_t right = outermost(0, first, 1.0),
                     left = outermost(first, static_cast<std::int32_t>(both.elements.size()), -1.0);
  const meshes::Element a = both.elements[right], b = both.elements[left];
  const auto length = [&](int turn) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += norm(both.nodes[a[k]] - both.nodes[b[(turn + 3 - k) % 3]]);
    return sum;
  };
  int turn = 0;
  for (int k = 1; k < 3; ++k) turn = length(k) < length(turn) ? k : turn;
  for (int k = 0; k < 3; ++k) {
    meshes::append_copy(both, right);
    both.elements.back() = {a[k], a[(k + 1) % 3], b[(turn + 2 - k) % 3], b[(turn + 3 - k) % 3]};
  }
  std::vector<bool> gone(both.elements.size(), false);
  gone[right] = gone[left] = true;
  meshes::drop_elements(both, gone);
  return both;
}

TEST(MeshIntake, ASurfaceThroughItselfIsSolvedByItsOutside) {
  const TemporaryFolder folder;
  const double a = 1.0, b = 0.75, apart = std::hypot(a, b);
  folder.write("balls.obj",
               obj_text(joined_within(meshes::make_sphere(1280, a),
                                      meshes::make_sphere(1280, b, {apart, 0.0, 0.0}))));
  const std::string mesh = "version = 1\n[mesh]\nfile = \"balls.obj\"\n";
  const Json s = solve({folder.write("case.toml", mesh + conductor).string()});
  EXPECT_EQ(s["warning_numbers"][0], "W33");
  EXPECT_EQ(s["solver"]["formulation"], "source");
  const double exact = exact_capacitance(a, b);
  EXPECT_NEAR(s["results"]["capacitance_matrix"][0][0].get<double>(), exact, 1e-2 * exact);
  const auto green =
      folder.write("green.toml", mesh + conductor + "[solver]\nformulation = \"green\"\n");
  EXPECT_TRUE(ended(run_program({"solve", green.string()}), 2, "where a surface passes through"));
  const std::string flow = mesh + "[problem]\nvelocity = [1.0, 0.0, 0.0]\n";
  EXPECT_TRUE(solve({folder.write("flow.toml", flow).string()})["results"]["added_mass"].is_null());
  const auto modes = folder.write("modes.toml", flow + "added_mass = true\n");
  EXPECT_TRUE(ended(run_program({"solve", modes.string()}), 2, "mesh its outside alone"));
}

/// A cube without its lid: closed, it has the capacitance of a cube.
TEST(MeshIntake, AFilledCubeIsACube) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh cube = meshes::make_box(1536, {1.0, 1.0, 1.0});
  std::vector<bool> gone;
  for (const meshes::Element& element : cube.elements)
    gone.push_back(meshes::vector_area(cube, element).z > 0.0);
  meshes::drop_elements(cube, gone);
  folder.write("cup.obj", obj_text(cube));
  const auto file =
      folder.write("case.toml", "version = 1\n[mesh]\nfile = \"cup.obj\"\n" + conductor);
  EXPECT_EQ(run_program({"check", file.string()}).exit_code, 3) << "open";
  const std::string marks = (folder.path() / "marks").string();
  const Outcome outcome =
      run_program({"check", file.string(), "--repair", "fill", "--output", marks});
  EXPECT_TRUE(ended(outcome, 0, "filled 1 hole by "));
  EXPECT_TRUE(says(outcome.out, "hole 1"));
  const Json s = solve({file.string(), "--repair", "fill"});
  const double exact = 0.66067815 * 4.0 * std::numbers::pi * 8.8541878128e-12;
  // Uniform panels: charge at the edges makes the error first order, h = 1/16.
  EXPECT_NEAR(s["results"]["capacitance_matrix"][0][0].get<double>(), exact, 1e-2 * exact);
}

/// A prism of 12 sides has edges of 30 degrees.
TEST(MeshIntake, EdgesAboveTheSharpAngleAreNotRounded) {
  const TemporaryFolder folder;
  folder.write("prism.obj", obj_text(prism(12, 1)));
  const auto file = folder.write("case.toml", "version = 1\n[mesh]\nfile = \"prism.obj\"\n");
  const Outcome said = run_program({"check", file.string()});
  EXPECT_TRUE(says(said.err, "24 edges of 15 .. 30 degrees are rounded"));
  const Outcome kept = run_program({"check", file.string(), "--set", "mesh.sharp_angle=25"});
  EXPECT_TRUE(says(kept.err, "24 edges of 30 .. 30 degrees stay sharp"));
}

}  // namespace
}  // namespace rankine::cases
