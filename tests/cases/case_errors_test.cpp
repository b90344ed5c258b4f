// Every mistake in a case file has its message: place, what is wrong, the value found, what to do.
#include <gtest/gtest.h>

#include "cases/input/read_case.hpp"
#include "cases/input/section.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/order.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

const std::string base = R"(version = 1
[mesh]
shape = "sphere"
panels = 320
[problem]
velocity = [1.0, 0.0, 0.0]
[solver]
tolerance = 1e-6
max_iterations = 20
[output]
directory = "results"
[[output.probe]]
name = "midplane"
kind = "plane"
origin = [-3.0, -3.0, 0.0]
size   = [6.0, 6.0, 0.0]
cells  = [20, 20, 1]
)";

std::string refusal_of(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides = {}) {
  return testing::answer_of<InputError>([&] { read_case(file, overrides); });
}

struct Replacement {
  std::string from, to, message;  ///< `message` without the folder of the case file
};

TEST(CaseErrors, MessagesAreExact) {
  const TemporaryFolder folder;
  for (
      const auto& [from, to, message] : std::vector<Replacement>{
          {"tolerance", "tolerence",
           "case.toml:8:1: unknown key \"tolerence\" in [solver]; did you mean \"tolerance\"?"},
          {"[solver]", "[slover]",
           "case.toml:7:2: unknown key \"slover\"; did you mean \"solver\"?"},
          {"max_iterations", "zzz",
           "case.toml:9:1: unknown key \"zzz\" in [solver]; known: formulation, panels, tolerance, "
           "max_iterations, restart, backend, krylov, preconditioner, relaxation, "
           "precision"},
          {"1e-6", "\"small\"",
           "case.toml:8:13: solver.tolerance must be a number, found the string \"small\""},
          {"1e-6", "true", "case.toml:8:13: solver.tolerance must be a number, found true"},
          {"1e-6", "1979-05-27",
           "case.toml:8:13: solver.tolerance must be a number, found a date or time"},
          {"1e-6", "1e-6\nkrylov = \"petsc\"\nprecision = \"mixed\"",
           "case.toml:9:10: solver.krylov \"petsc\" iterates in double; leave out "
           "solver.precision = \"mixed\""},
          {"= 20\n", "= 4000000000\n",
           "case.toml:9:18: solver.max_iterations is too large: 4000000000"},
          {"[[output.probe]]", "[output.probe]",
           "case.toml:12:1: output.probe must be a list of tables, each headed [[output.probe]], "
           "found a table"},
          {"[1.0, 0.0, 0.0]\n", "[1.0, 0.0, 0.0]\nsymmetry = [\"y\", \"-y\"]\n",
           "case.toml:7:12: problem.symmetry two symmetry planes are normal to y; between parallel "
           "walls there are images without end; keep one"},
          {"[1.0, 0.0, 0.0]\n",
           "[1.0, 0.0, 0.0]\nadded_mass = true\nsymmetry = [\"y\"]\nmoment_centre = [0.0, 0.5, "
           "0.0]\nwhole = [\"y\"]\n",
           "case.toml:10:9: problem.whole needs a moment_centre on the plane, about which the "
           "whole body turns"},
          {"[1.0, 0.0, 0.0]\n",
           "[1.0, 0.0, 0.0]\nadded_mass = true\nsymmetry = [\"z\"]\nwhole = [\"y\"]\n",
           "case.toml:9:9: problem.whole names a plane that is not in symmetry; add it there"},
          {"[1.0, 0.0, 0.0]\n",
           "[1.0, 0.0, 0.0]\nadded_mass = true\nsymmetry = [\"y\"]\nwhole = "
           "[\"y\"]\nfree_surface = \"y\"\n",
           "case.toml:9:9: problem.whole names the plane that is the free surface; a plane is one "
           "or the other"},
          {"1e-6", "0", "case.toml:8:13: solver.tolerance must be between 1e-14 and 0.5, found 0"},
          {"1e-6", "-1e-6",
           "case.toml:8:13: solver.tolerance must be between 1e-14 and 0.5, found -1e-06"},
          {"1e-6", "nan", "case.toml:8:13: solver.tolerance must be finite, found nan"},
          {"= 20", "= 0", "case.toml:9:18: solver.max_iterations must be at least 1, found 0"},
          {"= 20", "= 2.5",
           "case.toml:9:18: solver.max_iterations must be a whole number, found 2.5"},
          {"[1.0, 0.0, 0.0]", "[0, 0, 0]",
           "case.toml:6:12: problem.velocity must not be zero: without a stream there is no flow "
           "to solve for"},
          {"[1.0, 0.0, 0.0]", "[1e200, 0.0, 0.0]",
           "case.toml:6:12: problem.velocity and density make a dynamic pressure of inf Pa, out of "
           "the range of numbers; choose other units"},
          {"[1.0, 0.0, 0.0]", "[1e-200, 0.0, 0.0]",
           "case.toml:6:12: problem.velocity and density make a dynamic pressure of 0 Pa, out of "
           "the range of numbers; choose other units"},
          {"[1.0, 0.0, 0.0]", "[1.0, 0.0]",
           "case.toml:6:12: problem.velocity must be an array of three numbers, found an array of "
           "2 values"},
          {"[1.0, 0.0, 0.0]", "[1.0, inf, 0.0]",
           "case.toml:6:18: problem.velocity[1] must be finite, found inf"},
          {"[solver]", "density = -1.2\n[solver]",
           "case.toml:7:11: problem.density must be greater than 0, found -1.2"},
          {"shape = \"sphere\"\npanels = 320", "file = \"a.msh\"\nscale = -1.0",
           "case.toml:4:9: mesh.scale must be greater than 0, found -1"},
          {"[problem]", "orient = \"outwards\"\n[problem]",
           "case.toml:5:10: mesh.orient cannot be \"outwards\"; did you mean \"outward\"?"},
          {"\"sphere\"", "\"pyramid\"",
           "case.toml:3:9: mesh.shape cannot be \"pyramid\"; known: sphere, ellipsoid, torus, box, "
           "disc, plate, tube, wing, propeller"},
          {"panels = 320", "grading = 2.0",
           "case.toml:4:11: mesh.grading has no meaning for the shape \"sphere\"; remove it"},
          {"shape = \"sphere\"", "shape = \"tube\"\ngrading = 0.5",
           "case.toml:4:11: mesh.grading must be between 1 and 8, found 0.5"},
          {"max_iterations", "preconditioner = \"blocks\"\nmax_iterations",
           "case.toml:9:18: solver.preconditioner cannot be \"blocks\"; did you mean \"block\"?"},
          {"panels = 320", "semi_axes = [1, 2, 3]",
           "case.toml:4:13: mesh.semi_axes has no meaning for the shape \"sphere\"; remove it"},
          {"shape = \"sphere\"", "file = \"a.msh\"",
           "case.toml:4:10: mesh.panels has no meaning beside mesh.file: it belongs to a built-in "
           "shape; remove it"},
          {"panels = 320", "exclude = [\"farfield\"]",
           "case.toml:4:11: mesh.exclude has no meaning for the shape \"sphere\"; remove it"},
          {"shape = \"sphere\"\npanels = 320", "file = \"a.msh\"\npatches = \"hull\"",
           "case.toml:4:11: mesh.patches must be a list of words such as [\"hull\"], found the "
           "string \"hull\""},
          {"shape = \"sphere\"\npanels = 320",
           "file = \"a.msh\"\npatches = [\"hull\"]\nexclude = [\"hull\"]",
           "case.toml:5:11: mesh.exclude names \"hull\", which patches keeps; remove it from one "
           "of them"},
          {"shape = \"sphere\"\npanels = 320\n", "",
           "case.toml:2:1: mesh.file is missing; give for example: file = \"body.msh\", or shape = "
           "\"sphere\""},
          {"version = 1\n", "", "case.toml:1:1: version is missing; give for example: version = 1"},
          {"version = 1", "version = 2", "case.toml:1:11: version must be 1, found 2"},
          {"[solver]", "kind = \"elasticity\"\n[solver]",
           "case.toml:7:8: problem.kind cannot be \"elasticity\"; known: flow, laplace, "
           "electrostatics, gravity, vortex"},
          {"version = 1", "version = 1\nfmm = 3", "case.toml:2:7: fmm must be a table, found 3"},
          {"[solver]", "[[boundary]]\npatch = \"*\"\n[[boundary]]\npatch = \"*\"\n[solver]",
           "case.toml:10:9: boundary.patch \"*\" is given twice; keep one of the two"},
          {"[solver]", "[[boundary]]\npatch = \"*\"\ntype = \"inlet\"\n[solver]",
           "case.toml:9:8: boundary.type cannot be \"inlet\"; known: wall, normal-velocity, "
           "motion, potential, flux, conductor, floating, interface"},
          {"kind = \"plane\"\n", "",
           "case.toml:12:1: output.probe.kind is missing; give for example: kind = \"plane\" "
           "(plane, box, line or points)"},
          {"\"midplane\"", "\"mid/plane\"",
           "case.toml:13:8: output.probe.name names a file: letters, digits, '-' and '_' only, "
           "found \"mid/plane\""},
          {"\"midplane\"", "\"surface\"",
           "case.toml:13:8: output.probe.name \"surface\" is taken; every probe needs its own file "
           "name"},
          {"[6.0, 6.0, 0.0]", "[6.0, 6.0, 1.0]",
           "case.toml:16:10: output.probe.size of a plane has exactly one zero component, found 0"},
          {"panels = 320", "panels = 2000000000",
           "case.toml:4:10: mesh.panels must be between 4 and 100000000, found 2000000000"},
          {"[20, 20, 1]", "[20, 3000000000, 1]",
           "case.toml:17:15: output.probe.cells[1] must be between 1 and 2147483646, found "
           "3000000000"},
          {"[20, 20, 1]", "[200000, 200000, 1]",
           "case.toml:14:8: output.probe.kind makes 4e+10 points with the probes before it; all "
           "together can have at most 2147483647"},
          {"panels = 320", "panels = ",
           "case.toml:4:10: Error while parsing key-value pair: expected value, saw '\\n'"}}) {
    const auto file = folder.write("case.toml", replaced(base, from, to));
    EXPECT_EQ(refusal_of(file), (folder.path() / message).string());
  }
}

TEST(CaseErrors, MissingAndEmptyFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal_of("/nowhere/case.toml"), "/nowhere/case.toml: no such case file");
  const auto empty = folder.write("empty.toml", "");
  EXPECT_EQ(refusal_of(empty),
            empty.string() + ": the case file is empty; it needs at least version = 1 and [mesh]");
  EXPECT_EQ(refusal_of(folder.path()), folder.path().string() + ": the case file cannot be read");
}

TEST(CaseErrors, OverridesAreNamedInMessages) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", base);
  EXPECT_EQ(refusal_of(file, {"solver.tolerance=0"}),
            "--set solver.tolerance=0: solver.tolerance must be between 1e-14 and 0.5, found 0");
  EXPECT_EQ(refusal_of(file, {"solver.tolerence=1"}),
            "--set solver.tolerence=1: unknown key \"tolerence\" in [solver]; did you mean "
            "\"tolerance\"?");
  EXPECT_EQ(refusal_of(file, {"tolerance"}),
            "--set tolerance: expected KEY=VALUE, for example --set solver.tolerance=1e-8");
}

TEST(CaseErrors, NoTextIsEmpty) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", base);
  for (const std::string key : {"mesh.shape", "output.directory", "title", "solver.backend"}) {
    EXPECT_EQ(refusal_of(file, {key + "="}),
              "--set " + key + "=: " + key + " is empty; give a value, or leave the key out");
  }
  const auto other = folder.write("other.toml", "version = 1\nmesh.file = \"\"\n");
  EXPECT_EQ(refusal_of(other),
            other.string() + ":2:13: mesh.file is empty; give a value, or leave the key out");
  const auto wing =
      folder.write("wing.toml", "version = 1\nmesh = { shape = \"wing\", section = \"\" }\n");
  EXPECT_TRUE(says(refusal_of(wing), "mesh.section is empty"));
  EXPECT_TRUE(says(refusal_of(file, {"output.probe=[{ name = \"\", kind = \"line\" }]"}),
                   "output.probe.name is empty"));
  EXPECT_TRUE(says(refusal_of(file, {"problem.symmetry=[\"\"]"}), "found the string \"\" in it"));
}

TEST(CaseErrors, FloatIsRefusedBelowItsReach) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", base);
  EXPECT_EQ(refusal_of(file, {"fmm.precision=float"}),
            "--set fmm.precision=float: fmm.precision \"float\" reaches tolerances of 1e-05 and "
            "above, fmm.tolerance is 1e-07; use \"double\", perhaps with solver.precision "
            "\"mixed\", or loosen the tolerance");
}

TEST(CaseErrors, FloatOfTheSolverIsRefusedWhereItStands) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "case.toml",
      replaced(base, "tolerance = 1e-6\n", "tolerance = 1e-10\nprecision = \"float\"\n"));
  EXPECT_TRUE(refusal_of(file).starts_with(
      file.string() +
      ":9:13: solver.precision \"float\" reaches tolerances of 1e-05 and above, fmm.tolerance is "))
      << refusal_of(file);
}

/// Errors that follow from another are not among them: the unknown shape decides which keys belong
/// to it.
TEST(CaseErrors, AllAreReportedAtOnce) {
  const TemporaryFolder folder;
  std::string text = replaced(base, "\"sphere\"", "\"spere\"\nradius = 0");
  text = replaced(text, "tolerance = 1e-6", "tolerence = 1e-6\nbackend = \"gpu\"");
  text = replaced(text, "cells  = [20, 20, 1]", "cells  = [20, 20, 0]");
  text += "[[output.probe]]\nname = \"a b\"\nkind = \"line\"\nfrom = [0, 0, 0]\n";
  const auto file = folder.write("case.toml", text + "[fmm]\norder = 2.5\n");
  const std::string at = file.string() + ":";
  EXPECT_EQ(refusal_of(file),
            at + "3:9: mesh.shape cannot be \"spere\"; did you mean \"sphere\"?\n" + at +
                "10:11: solver.backend cannot be \"gpu\"; did you mean \"cuda\"?\n" + at +
                "9:1: unknown key \"tolerence\" in [solver]; did you mean \"tolerance\"?\n" + at +
                "25:9: fmm.order must be a whole number, found 2.5\n" + at +
                "19:19: output.probe.cells[2] must be between 1 and 2147483646, found 0\n" + at +
                "21:8: output.probe.name names a file: letters, digits, '-' and '_' only, found "
                "\"a b\"\n" +
                at + "20:1: output.probe.to is missing; give for example: to = [3.0, 0.0, 0.0]");
}

TEST(CaseErrors, PlanesNamedByTheirAxesAreSuggestedByTheirNormal) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", base);
  EXPECT_TRUE(refusal_of(file, {"problem.symmetry=[\"xz\"]"}).ends_with("did you mean \"y\"?"));
  EXPECT_TRUE(refusal_of(file, {"problem.symmetry=[\"XY\"]"}).ends_with("did you mean \"z\"?"));
}

TEST(CaseErrors, WholeNumbersMayHaveAnExponent) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", base);
  EXPECT_EQ(read_case(file, {"mesh.panels=2e4"}).mesh.panels.first, 20000);
  EXPECT_TRUE(refusal_of(file, {"mesh.panels=2e12"}).ends_with("100000000, found 2000000000000"));
}

TEST(CaseErrors, OfAMeshSayHowToWriteACase) {
  const TemporaryFolder folder;
  const std::string message = refusal_of(folder.write("wing.step", "ISO-10303-21;\nHEADER;\n"));
  for (const char* part : {"is no case file", "wing.toml", "[mesh]\n  file = ", "rankine check"})
    EXPECT_TRUE(says(message, part)) << part << " in ";
}

/// Where toml++ asserts what is not so.
TEST(CaseErrors, TableHeadersThatAreNone) {
  const TemporaryFolder folder;
  for (const std::string header : {"[*mesh]", "[[*]]", "[", "[ ", "[[", "[=]", "[\xff]", "*",
                                   "\u00e9", "\ufece", "[\ufece]"}) {
    const std::string message = refusal_of(folder.write("case.toml", base + header + "\n"));
    EXPECT_TRUE(message.starts_with((folder.path() / "case.toml").string() + ":1")) << message;
  }
}

TEST(CaseErrors, ControlCharactersAreRefused) {
  const TemporaryFolder folder;
  for (const char code : {'\0', '\x01', '\x0b', '\x1f', '\x7f'}) {
    const std::string text = base + "[" + std::string(3, code) + "E]\n";
    EXPECT_TRUE(refusal_of(folder.write("case.toml", text))
                    .starts_with((folder.path() / "case.toml").string() +
                                 ":18:2: found the control character 0x"))
        << int{code};
  }
  const auto file = folder.write("case.toml", base);
  EXPECT_TRUE(refusal_of(file, {"solver.\x01=1"}).find("control character 0x01") !=
              std::string::npos);
}

// The limits of the reader are those of the operators, so that what these would refuse has a place.
TEST(CaseErrors, LimitsAreThoseOfTheOperators) {
  const TemporaryFolder folder;
  const auto with_fmm = [&](const std::string& line) {
    return folder.write("case.toml", base + "[fmm]\n" + line + "\n");
  };
  const std::string place = (folder.path() / "case.toml").string() + ":19:";
  EXPECT_EQ(refusal_of(with_fmm("order = 48")),
            place + "9: fmm.order must be between 0 and 47, found 48");
  EXPECT_EQ(refusal_of(with_fmm("tolerance = 5e-13")),
            place + "13: fmm.tolerance must be between 1e-12 and 0.1, found 5e-13");
  const auto refused = [](const fmm::Options& options) {
    try {
      fmm::likely_orders(options);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_EQ(refusal_of(with_fmm("order = 47")), "accepted");
  EXPECT_EQ(refusal_of(with_fmm("tolerance = 1e-12")), "accepted");
  EXPECT_FALSE(refused({.order = 47}));
  EXPECT_FALSE(refused({.tolerance = 1e-12}));
  EXPECT_TRUE(refused({.order = 48}));
  EXPECT_TRUE(refused({.tolerance = 5e-13}));
}

/// What the file does not have has no line.
TEST(Section, PlaceOfWhatIsAbsent) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", base);
  const Section root = Section::parse_file(file, {});
  EXPECT_EQ(root.table("fmm").position("order"), file.string());
  EXPECT_EQ(root.table("problem").position("density"), file.string() + ":5:1");
  EXPECT_EQ(root.table("problem").position("velocity"), file.string() + ":6:12");
}

}  // namespace
}  // namespace rankine::cases
