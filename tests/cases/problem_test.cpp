// [problem] and [[boundary]]: what is read, what is refused, and what becomes of it on panels.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "cases/input/read_case.hpp"
#include "cases/solve/case_bodies.hpp"
#include "cases/solve/case_media.hpp"
#include "cases/solve/set_up.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/halves.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/sphere_case.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

const std::string electric = "[problem]\nkind = 'electrostatics'\n",
                  laplace = "[problem]\nkind = 'laplace'\n",
                  everywhere = "[[boundary]]\npatch = '*'\n";

TEST(ProblemErrors, MessagesAreExact) {
  const TemporaryFolder folder;
  for (const auto& [text, message] : std::vector<testing::Mistake>{
           {"[[boundary]]\npatch = ['a', 'b']\n[[boundary]]\npatch = ['c', 'b']\n",
            "8:9: boundary.patch 'b' is given twice; keep one of the two"},
           {"[[boundary]]\npatch = ['a', '*']\n",
            "6:9: boundary.patch names '*', every patch, beside others; keep one of the two"},
           {"[[boundary]]\npatch = []\n",
            "6:9: boundary.patch is an empty list; name a patch, or '*'"},
           {everywhere + "value = 1.0\n",
            "7:9: boundary.value has no meaning for the type 'wall'; remove it"},
           {everywhere + "type = 'potential'\nvalue = 1\nvelocity = [1, 0, 0]\n",
            "9:12: boundary.velocity has no meaning for the type 'potential'; remove it"},
           {everywhere + "type = 'normal-velocity'\nvalue = 1\nfile = 'v.csv'\n",
            "8:9: boundary.value and file exclude each other; keep one of the two"},
           {everywhere + "type = 'normal-velocity'\n",
            "5:1: boundary.value is missing; give for example: value = 1.0, or file = "
            "'values.csv'"},
           {everywhere + "type = 'flux'\nvalue = 1\n",
            "6:9: boundary.type 'flux' does not belong to the kind 'flow', whose types are wall, "
            "normal-velocity, motion, potential"},
           {laplace + everywhere + "type = 'motion'\n",
            "8:9: boundary.type 'motion' does not belong to the kind 'laplace', whose types are "
            "wall, potential, flux"},
           {electric + everywhere,
            "8:9: boundary.type 'wall' does not belong to the kind 'electrostatics', whose types "
            "are conductor, floating, interface"},
           {everywhere + "type = 'interface'\npermittivity = [1, 2]\n",
            "6:9: boundary.type 'interface' does not belong to the kind 'flow', whose types are "
            "wall, normal-velocity, motion, potential"},
           {electric + "field = [0, 0, 1]\n[[boundary]]\npatch = '*'\ntype = 'interface'\n",
            "8:1: boundary.permittivity is missing; give for example: permittivity = [1.0, 4.1], "
            "outside and inside"},
           {electric + "field = [0, 0, 1]\n[[boundary]]\npatch = '*'\ntype = "
                       "'interface'\npermittivity = 2\n",
            "11:16: boundary.permittivity must be an array of two numbers, found 2"},
           {electric + everywhere + "type = 'interface'\npermittivity = [1, 2]\n",
            "8:9: all boundaries are of the type 'interface': without a conductor, problem.field "
            "or [[problem.source]] the potential is zero; give one of them"},
           {electric + everywhere + "type = 'conductor'\nvalue = 1\npermittivity = [1, 2]\n",
            "11:16: boundary.permittivity has no meaning for the type 'conductor'; remove it"},
           {"[problem]\nfield = [1, 0, 0]\n",
            "6:9: problem.field has no meaning for a kind other than 'electrostatics'; remove it"},
           {electric + "domain = 'interior'\nfield = [1, 0, 0]\n[[boundary]]\npatch = '*'\ntype = "
                       "'conductor'\nvalue = 1\n",
            "8:9: problem.field has no meaning inside a closed conductor, which keeps fields out; "
            "remove it"},
           {electric + "symmetry = ['z']\nfield = [0, 0, 1]\n[[boundary]]\npatch = '*'\ntype = "
                       "'conductor'\nvalue = 1\n",
            "8:9: problem.field has a part through a symmetry plane, or along one of zero "
            "potential; set it to zero, or change the sign of the plane"},
           {electric + "field = [1, 0, 0]\n[[boundary]]\npatch = '*'\ntype = 'conductor'\nvalue = "
                       "1\n[solver]\nformulation = 'green'\n",
            "13:15: solver.formulation must be 'source', the total charge, where there are "
            "interfaces, a field or point charges; leave it out"},
           {"[problem]\npermittivity = 2\n",
            "6:16: problem.permittivity has no meaning for a kind other than 'electrostatics'; "
            "remove it"},
           {laplace + "velocity = [1, 0, 0]\n[[boundary]]\npatch = '*'\ntype = 'flux'\nvalue = 1\n",
            "7:12: problem.velocity has no meaning for the kind 'laplace', which has a potential "
            "alone; remove it"},
           {laplace, "6:8: problem.kind 'laplace' needs a [[boundary]] with a potential or a flux"},
           {"[problem]\ndomain = 'interior'\nvelocity = [1, 0, 0]\n",
            "7:12: problem.velocity has no meaning inside a closed domain, where there is no "
            "stream; remove it"},
           {"[problem]\nsymmetry = ['y']\nvelocity = [1, 0.5, 0]\n",
            "7:12: the stream (1, 0.5, 0) m/s has the component y = 0.5 through the symmetry plane "
            "y = 0; set it to zero, or leave the plane out (or make it one of zero potential)"},
           {"[problem]\ndomain = 'interior'\n",
            "5:1: problem.velocity is zero inside walls: give a [[boundary]] that moves the fluid"},
           {everywhere + "type = 'motion'\nthin = true\n",
            "8:8: boundary.thin has no meaning for the type 'motion': a surface without thickness "
            "is a wall at rest or has a potential; remove it"},
           {everywhere + "type = 'potential'\nvalue = 1\nthin = true\n",
            "6:9: boundary.thin with a potential is for the kinds 'laplace' and 'electrostatics' "
            "alone; in a flow give walls"},
           {laplace + everywhere + "thin = true\n",
            "8:9: boundary.thin of walls is for the kind 'flow' alone; give a potential"},
           {"[[boundary]]\npatch = 'a'\nthin = true\n[[boundary]]\npatch = 'b'\n",
            "6:9: boundary.thin in a flow holds for all walls or for none; give the others a case "
            "of their own, or all thickness"},
           {"[problem]\nsymmetry = ['y']\n[[boundary]]\npatch = '*'\nthin = true\n",
            "8:9: boundary.thin in a flow excludes symmetry planes; mesh the mirrored part, too, "
            "and leave them out"},
           {everywhere + "thin = true\n[solver]\nformulation = 'green'\n",
            "9:15: solver.formulation must be 'doublet' where walls are thin; leave it out"},
           {"[solver]\nformulation = 'doublet'\n",
            "6:15: solver.formulation 'doublet' is for walls without thickness; use 'green' or "
            "'source', or give the walls thin = true"},
           {electric + everywhere +
                "type = 'floating'\nthin = true\n[solver]\nformulation = 'green'\n",
            "12:15: solver.formulation 'green' needs closed surfaces, and a boundary is thin; use "
            "'source'"},
           {"[problem]\nmodes = 'm.csv'\n",
            "6:9: problem.modes has no meaning without added_mass = true; remove it"},
           {everywhere + "type = 'motion'\nvelocity = [1, 0, 0]\n[verify]\nexact = 'sphere-flow'\n",
            "10:9: verify.exact is the flow past walls at rest in a stream; remove [verify], or "
            "give problem.velocity and walls alone"}}) {
    const auto file = folder.write("case.toml", sphere_case + text);
    std::string found = answer_of<Error>([&] { read_case(file); });
    std::replace(found.begin(), found.end(), '"', '\'');
    EXPECT_EQ(found, file.string() + ":" + message);
  }
}

TEST(Problem, ReadsEveryKeyAndWritesItBack) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", sphere_case + R"([problem]
kind = "flow"
domain = "exterior"
density = 1025.0
reference_speed = 2.5
added_mass = true
modes = "bends.csv"
[[boundary]]
patch = ["hull", "keel"]
type = "motion"
velocity = [1, 2, 3]
angular_velocity = [4, 5, 6]
centre = [7, 8, 9]
file = "jet.csv"
array = "w"
[[boundary]]
patch = "duct"
type = "normal-velocity"
value = -0.5
[[boundary]]
patch = "*"
)");
  const Case c = read_case(file);
  EXPECT_EQ(c.problem.velocity, Vec3d{});  // what moves is given
  EXPECT_EQ(c.problem.reference_speed, 2.5);
  EXPECT_TRUE(c.problem.added_mass);
  EXPECT_EQ(c.problem.modes, folder.path() / "bends.csv");
  ASSERT_EQ(c.boundaries.size(), 3u);
  EXPECT_EQ(c.boundaries[0].patches, (std::vector<std::string>{"hull", "keel"}));
  EXPECT_EQ(c.boundaries[0].motion.velocity, (Vec3d{1, 2, 3}));
  EXPECT_EQ(c.boundaries[0].motion.angular_velocity, (Vec3d{4, 5, 6}));
  EXPECT_EQ(c.boundaries[0].motion.centre, (Vec3d{7, 8, 9}));
  EXPECT_EQ(c.boundaries[0].file, folder.path() / "jet.csv");
  EXPECT_EQ(c.boundaries[0].array, "w");
  EXPECT_EQ(c.boundaries[1].value, -0.5);
  EXPECT_TRUE(c.boundaries[2].is_for_all());
  const std::string text = write_case(c, folder.path());
  EXPECT_EQ(write_case(read_case(folder.write("again.toml", text)), folder.path()), text) << text;
}

const std::string dielectrics = "[problem]\nkind = \"electrostatics\"\nfield = [0, 0, 1]\n";

std::string interface(const std::string& patch, const std::string& values) {
  return "[[boundary]]\npatch = \"" + patch + "\"\ntype = \"interface\"\npermittivity = " + values +
         "\n";
}

TEST(Problem, WritesMediaBack) {
  const TemporaryFolder folder;
  const Case c = read_case(folder.write(
      "case.toml",
      sphere_case + dielectrics +
          "permittivity = 2.5\n[[problem.source]]\nposition = [0, 0, 3]\nvalue = -1e-9\n" +
          interface("*", "[2.5, 80]")));
  EXPECT_EQ(c.problem.field, (Vec3d{0, 0, 1}));
  ASSERT_EQ(c.problem.sources.size(), 1u);
  EXPECT_EQ(c.problem.sources[0].value, -1e-9);
  EXPECT_EQ(c.boundaries[0].permittivity, std::pair(2.5, 80.0));
  EXPECT_EQ(c.solver.formulation, bem::Formulation::source);
  const std::string text = write_case(c, folder.path());
  EXPECT_EQ(write_case(read_case(folder.write("again.toml", text)), folder.path()), text) << text;
}

/// Spheres of radius 1, 0.6 and 0.3 around one point, and one of radius 1 beside them.
meshes::SurfaceMesh nested_spheres() {
  meshes::SurfaceMesh mesh = meshes::make_sphere(320);
  mesh = joined(mesh, meshes::make_sphere(320, 0.6));
  mesh = joined(mesh, meshes::make_sphere(320, 0.3));
  mesh = joined(mesh, meshes::make_sphere(320, 1.0, {4.0, 0.0, 0.0}));
  mesh.patch_names = {"shell", "core", "wire", "beside"};
  return mesh;
}

TEST(Media, FollowFromWhatIsAround) {
  const TemporaryFolder folder;
  const Case c = read_case(folder.write(
      "case.toml", sphere_case + dielectrics +
                       "[[problem.source]]\nposition = [0.7, 0.2, 0]\nvalue = 1e-9\n" +
                       interface("shell", "[1, 3]") + interface("core", "[3, 5]") +
                       "[[boundary]]\npatch = \"*\"\ntype = \"conductor\"\nvalue = 2\n"));
  const bem::ElectricProblem problem = make_electric_problem(c, nested_spheres());
  ASSERT_EQ(problem.bodies.size(), 4u);
  const auto body = [&](std::size_t b) {
    return std::tuple(problem.bodies[b].parent, problem.bodies[b].outside,
                      problem.bodies[b].inside);
  };
  EXPECT_EQ(body(0), std::tuple(-1, 1.0, 3.0));
  EXPECT_EQ(body(1), std::tuple(0, 3.0, 5.0));
  EXPECT_EQ(body(2), std::tuple(1, 5.0, 0.0));
  EXPECT_EQ(body(3), std::tuple(-1, 1.0, 0.0));
  EXPECT_EQ(problem.conductors, 1);
  EXPECT_EQ(problem.conductor.front(), -1);
  EXPECT_EQ(problem.conductor.back(), 0);
  EXPECT_EQ(problem.charges[0].body, 0);
}

TEST(Media, ThatContradictOneAnotherAreRefused) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    const Case c = read_case(folder.write("case.toml", sphere_case + dielectrics + text));
    return answer_of<Error>([&] { make_electric_problem(c, nested_spheres()); })
        .substr((folder.path() / "case.toml").string().size());
  };
  const std::string rest = "[[boundary]]\npatch = \"*\"\ntype = \"conductor\"\nvalue = 2\n";
  EXPECT_EQ(message(interface("shell", "[1, 3]") + interface("core", "[2, 5]") + rest),
            ":13:9: patch \"core\" has the permittivity 2 outside, and the inside of \"shell\" "
            "around it has 3; give both the same value");
  EXPECT_EQ(message(interface("shell", "[2, 3]") + interface("core", "[3, 5]") + rest),
            ":9:9: patch \"shell\" has the permittivity 2 outside, and the outermost medium "
            "(problem.permittivity) has 1; give both the same value");
  EXPECT_EQ(message(interface("core", "[1, 3]") + rest),
            ":9:9: patch \"core\" lies within the conductor \"shell\", where there is no field; "
            "leave it out, or solve for the inside alone (domain = \"interior\")");
  EXPECT_EQ(message("[[problem.source]]\nposition = [0.1, 0, 0]\nvalue = 1e-9\n" +
                    interface("shell", "[1, 3]") + interface("core", "[3, 5]") + rest),
            ":9:12: the charge lies within a conductor, where there is no field; move it, or give "
            "the conductor its charge");
}

TEST(Media, OfOneSurfaceAndOfADomainAreRefused) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh two = nested_spheres(), inner = halves(), turned = turned_round(halves());
  const std::string inside =
      "[problem]\nkind = \"electrostatics\"\ndomain = \"interior\"\n"
      "[[problem.source]]\nposition = [0.1, 0, 0]\nvalue = 1e-9\n";
  for (const auto& [text, mesh, message] :
       std::vector<std::tuple<std::string, const meshes::SurfaceMesh*, std::string>>{
           {dielectrics + interface("north", "[1, 3]") + interface("south", "[1, 4]"), &inner,
            "patch \"south\" has the permittivities [1, 4] and \"north\", of the same closed "
            "surface, [1, 3]; a surface has one medium on each side"},
           {inside + interface("*", "[1, 3]"), &two,
            "an interior domain has one outer surface, found 2; solve for each closed surface "
            "alone"},
           {inside + interface("*", "[1, 3]"), &inner,
            "is the outer surface of an interior domain, and an interface; make it a conductor, or "
            "the domain exterior"},
           {dielectrics + interface("*", "[1, 3]"), &turned,
            "point into the body, whose inside is then unknown; use orient = \"outward\""}}) {
    const Case c = read_case(folder.write("case.toml", sphere_case + text));
    EXPECT_TRUE(says(answer_of<Error>([&] { make_electric_problem(c, *mesh); }), message)) << text;
  }
}

TEST(Conditions, HoldOnTheirPatches) {
  const TemporaryFolder folder;
  const meshes::SurfaceMesh mesh = halves();
  std::string values = "x; w\n";
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    values += std::to_string(e) + "; " + std::to_string(0.5 * static_cast<double>(e)) + "\n";
  folder.write("values.csv", values);
  const Case c = read_case(folder.write(
      "case.toml",
      sphere_case + "[problem]\nkind = \"laplace\"\ndomain = \"interior\"\n[[boundary]]\npatch = "
                    "\"north\"\ntype = \"potential\"\nvalue = 2.5\n[[boundary]]\npatch = \"*\"\n"
                    "type = \"flux\"\nfile = \"values.csv\"\narray = \"w\"\n"));
  const bem::FlowProblem problem = make_problem(c, mesh);
  EXPECT_FALSE(problem.has_pressure);
  EXPECT_LT(bem::enclosed_volume(problem.panels), 0.0);  // normals point inwards, into the fluid
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const bool north = mesh.patch[e] == 0;
    EXPECT_EQ(problem.conditions.known[e], north ? bem::Known::potential : bem::Known::flux);
    EXPECT_EQ(problem.potential[e], north ? 2.5 : 0.0);
    EXPECT_EQ(problem.normal_velocity[e], north ? 0.0 : 0.5 * static_cast<double>(e));
  }
}

TEST(Conditions, OfMotionAreThoseOfTheWholeBody) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& south) {
    return read_case(folder.write(
        "case.toml",
        sphere_case +
            "[[boundary]]\npatch = \"north\"\ntype = \"motion\"\nvelocity = [0, 0, 2]\n"
            "[[boundary]]\npatch = \"south\"\n" +
            south));
  };
  const meshes::SurfaceMesh mesh = halves();
  const bem::FlowProblem problem =
      make_problem(read("type = \"motion\"\nvelocity = [0, 0, 2]\nvalue = 0.25\n"), mesh);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const double moved = 2.0 * problem.panels.vector_area[e].z / problem.panels.area[e];
    EXPECT_NEAR(problem.normal_velocity[e], moved + (mesh.patch[e] == 1 ? 0.25 : 0.0), 1e-14);
  }
  // A wall at rest beside one that moves tears the body apart; so does a patch that blows at rest.
  for (const std::string south : {"", "type = \"normal-velocity\"\nvalue = 1\n"}) {
    const std::string message = answer_of<Error>([&] { make_problem(read(south), mesh); });
    EXPECT_TRUE(says(message,
                     "case.toml:10:9: patch \"south\" is part of a body whose other patches "
                     "have another motion (\"north\")"));
  }
  // Inside, a lid may move, and two bodies may move as they like.
  const Case lid = read_case(folder.write(
      "lid.toml", sphere_case +
                      "[problem]\ndomain = \"interior\"\n[[boundary]]\npatch = \"north\"\ntype "
                      "= \"motion\"\nvelocity = [0, 0, 2]\n[[boundary]]\npatch = \"*\"\n"));
  EXPECT_EQ(answer_of<Error>([&] { make_problem(lid, mesh); }), "accepted");
}

TEST(Conditions, NeedPatchesAndOneInside) {
  const TemporaryFolder folder;
  const meshes::SurfaceMesh mesh = halves();
  const auto read = [&](const std::string& text) {
    return read_case(folder.write("case.toml", sphere_case + text));
  };
  EXPECT_EQ(answer_of<Error>(
                [&] { make_problem(read("[[boundary]]\npatch = [\"north\", \"sout\"]\n"), mesh); }),
            (folder.path() / "case.toml").string() +
                ":6:9: the mesh has no patch \"sout\"; did you mean \"south\"?");
  EXPECT_EQ(
      answer_of<Error>([&] { make_problem(read("[[boundary]]\npatch = \"north\"\n"), mesh); }),
      (folder.path() / "case.toml").string() +
          ": the mesh's patch \"south\" has no boundary condition; add [[boundary]] patch = "
          "\"south\", or one with patch = \"*\"");
  const Case inside = read(
      "[problem]\nkind = \"laplace\"\ndomain = \"interior\"\n[[boundary]]\npatch = \"*\"\ntype = "
      "\"potential\"\nvalue = 1\n");
  EXPECT_EQ(answer_of<Error>([&] { make_problem(inside, mesh); }), "accepted");
  const std::string message =
      answer_of<Error>([&] { make_problem(inside, joined(mesh, halves(4.0))); });
  EXPECT_TRUE(says(message, "an interior domain has one outer surface, found 2"));
}

TEST(CaseBodies, AreNamedAndHaveTheirCentres) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh mesh = joined(halves(), meshes::make_sphere(80, 0.5, {3.0, 0.0, 0.0}));
  mesh.patch_names.back() = "buoy";
  const Case c = read_case(folder.write(
      "case.toml", sphere_case +
                       "[problem]\nmoment_centre = [0, 0, 1]\n[[boundary]]\npatch = \"buoy\"\ntype "
                       "= \"motion\"\nvelocity = [1, 0, 0]\ncentre = [3, 0, 0]\n[[boundary]]\n"
                       "patch = \"*\"\n"));
  const bem::FlowProblem problem = make_problem(c, mesh);
  const CaseBodies bodies = find_case_bodies(c, mesh, problem.panels);
  EXPECT_EQ(bodies.name, (std::vector<std::string>{"body1", "buoy"}));
  EXPECT_EQ(bodies.rigid.centre[0], (Vec3d{0, 0, 1}));
  EXPECT_EQ(bodies.rigid.centre[1], (Vec3d{3, 0, 0}));
  // Curved panels of 320 and 80 take up the volume within a few thousandths.
  EXPECT_NEAR(bodies.volume[0], 4.0 / 3.0 * std::numbers::pi, 1e-2);
  EXPECT_NEAR(bodies.volume[1], std::numbers::pi / 6.0, 1e-2);
}

}  // namespace
}  // namespace rankine::cases
