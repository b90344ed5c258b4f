// A case file read, written back with its defaults, and read again.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "cases/input/read_case.hpp"
#include "cases/input/suggest.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::answer_of;
using testing::says;
using testing::TemporaryFolder;

const std::string full_case = R"(version = 1
title   = "Wing \"A\" in a stream"
[mesh]
file   = "geometry/wing.msh"
scale  = 1e-3
panel_size = 0.5
panel_budget = 5000
time_limit = 90
patches = ["upper", "lower"]
exclude = ["far \"field\""]
orient = "check"
[problem]
kind     = "flow"
domain   = "exterior"
velocity = [30, 0.0, 2.5]
density  = 1.225
moment_centre = [0.25, 0, 0]
[[boundary]]
patch = "upper"
type  = "wall"
[[boundary]]
patch = "lower"
[solver]
formulation    = "source"
tolerance      = 1e-8
max_iterations = 70
restart        = 30
backend        = "cpu"
preconditioner = "block"
relaxation     = true
precision      = "mixed"
[fmm]
method        = "treecode"
tolerance     = 2.5e-9
order         = 7
leaf_capacity = 40
precision     = "double"
[output]
directory = "out/wing"
[[output.probe]]
name = "midplane"
kind = "plane"
origin = [-3.0, -3.0, 0.0]
size   = [6.0, 6.0, 0.0]
cells  = [200, 100, 1]
[[output.probe]]
name = "wake"
kind = "line"
from = [1, 0, 0]
to   = [0.1, 0.2, 0.3]
count = 11
[[output.probe]]
name = "taps"
kind = "points"
points = [[1, 2, 3], [4.5, 5, 6]]
[verify]
exact     = "ellipsoid-flow"
semi_axes = [3, 2, 1]
centre    = [0, 0, 1]
max_error = { potential_l2 = 1e-3, velocity_max = 0.125 }
)";

TEST(CaseFile, ReadsEveryKey) {
  const TemporaryFolder folder;
  const Case c = read_case(folder.write("wing.toml", full_case));
  EXPECT_EQ(c.title, "Wing \"A\" in a stream");
  EXPECT_EQ(c.mesh.file, folder.path() / "geometry/wing.msh");
  EXPECT_EQ(c.mesh.scale, 1e-3);
  EXPECT_EQ(c.mesh.panel_size, 0.5);
  EXPECT_EQ(c.mesh.panel_budget, 5000);
  EXPECT_EQ(c.mesh.time_limit, 90.0);
  EXPECT_EQ(c.mesh.patches, (std::vector<std::string>{"upper", "lower"}));
  EXPECT_EQ(c.mesh.exclude, std::vector<std::string>{"far \"field\""});
  EXPECT_EQ(c.mesh.exclude_at, (folder.path() / "wing.toml").string() + ":10:11");
  EXPECT_EQ(c.mesh.orient, meshes::Orient::check);
  EXPECT_EQ(c.problem.velocity, (Vec3d{30.0, 0.0, 2.5}));
  EXPECT_EQ(c.problem.density, 1.225);
  EXPECT_EQ(c.problem.moment_centre, (Vec3d{0.25, 0.0, 0.0}));
  ASSERT_EQ(c.boundaries.size(), 2u);
  EXPECT_EQ(c.boundaries[1].patches, std::vector<std::string>{"lower"});
  EXPECT_EQ(c.solver.formulation, bem::Formulation::source);
  EXPECT_EQ(c.solver.tolerance, 1e-8);
  EXPECT_EQ(c.solver.max_iterations, 70);
  EXPECT_EQ(c.solver.restart, 30);
  EXPECT_EQ(c.solver.backend, BackendChoice::cpu);
  EXPECT_EQ(c.solver.preconditioner, bem::Preconditioner::block);
  EXPECT_TRUE(c.solver.relaxation.value());
  EXPECT_EQ(c.solver.precision, SolverPrecision::mixed);
  EXPECT_EQ(c.fmm.method, fmm::Method::treecode);
  EXPECT_EQ(c.fmm.tolerance, 2.5e-9);
  EXPECT_EQ(c.fmm.order, 7);
  EXPECT_EQ(c.fmm.leaf_capacity, 40);
  EXPECT_EQ(c.fmm.precision, fmm::Precision::float64);
  EXPECT_EQ(c.output.directory, folder.path() / "out/wing");
  ASSERT_EQ(c.output.probes.size(), 3u);
  EXPECT_EQ(c.output.probes[0].cells.y, 100);
  EXPECT_EQ(c.output.probes[1].count, 11);
  EXPECT_EQ(c.output.probes[2].points[1], (Vec3d{4.5, 5.0, 6.0}));
  EXPECT_EQ(c.verify.exact, ExactFlow::ellipsoid);
  EXPECT_EQ(c.verify.centre.z, 1.0);
  EXPECT_EQ(c.verify.potential_l2.value(), 1e-3);
  EXPECT_FALSE(c.verify.velocity_l2.has_value());
  EXPECT_EQ(c.verify.velocity_max.value(), 0.125);
}

TEST(CaseFile, DefaultsFollowFromTheTolerance) {
  const TemporaryFolder folder;
  const auto file = folder.write("small.toml", "version = 1\n[mesh]\nshape = \"sphere\"\n");
  const Case c = read_case(file, {"solver.tolerance=1e-4"});
  EXPECT_EQ(c.title, "small");
  EXPECT_EQ(c.mesh.panels.first, 20480);
  EXPECT_DOUBLE_EQ(c.fmm.tolerance, 1e-5);
  EXPECT_TRUE(c.boundaries.front().is_for_all());
  EXPECT_EQ(c.output.directory, folder.path() / "results");
  EXPECT_EQ(c.verify.exact, ExactFlow::none);
}

TEST(CaseFile, ExactBodyFollowsTheBuiltInShape) {
  const TemporaryFolder folder;
  const std::string mesh =
      "version = 1\n[mesh]\nshape = \"sphere\"\nradius = 2.0\ncentre = [1, 2, 3]\n";
  const Case c = read_case(folder.write("c.toml", mesh + "[verify]\nexact = \"sphere-flow\"\n"));
  EXPECT_EQ(c.verify.semi_axes, (Vec3d{2.0, 2.0, 2.0}));
  EXPECT_EQ(c.verify.centre, (Vec3d{1.0, 2.0, 3.0}));
  const std::string exact = "[verify]\nexact = \"ellipsoid-flow\"\n";
  const std::string axes = "version = 1\n[mesh]\nshape = \"ellipsoid\"\nsemi_axes = [5, 4, 3]\n";
  EXPECT_EQ(read_case(folder.write("e.toml", axes + exact)).verify.semi_axes, (Vec3d{5, 4, 3}));
  EXPECT_TRUE(says(answer_of<InputError>([&] { read_case(folder.write("c.toml", mesh + exact)); }),
                   "verify.semi_axes is missing"));
}

TEST(CaseFile, OverridesTakeTomlValuesAndBareWords) {
  const TemporaryFolder folder;
  const auto file = folder.write("wing.toml", full_case);
  const Case c =
      read_case(file, {"solver.tolerance=1e-3", "mesh.file=other.stl", "problem.velocity=[0, 0, 1]",
                       "output.directory='elsewhere'", "solver.tolerance=1e-5"});
  EXPECT_EQ(c.solver.tolerance, 1e-5);
  EXPECT_EQ(c.solver.max_iterations, 70);
  EXPECT_EQ(c.mesh.file, folder.path() / "other.stl");
  EXPECT_EQ(c.problem.velocity, (Vec3d{0.0, 0.0, 1.0}));
  EXPECT_EQ(c.output.directory, folder.path() / "elsewhere");
}

// The resolved case is a fixed point: reading what was written and writing it again changes
// nothing, from any folder.
TEST(CaseFile, ResolvedCaseReadsBackAsTheSameCase) {
  const TemporaryFolder folder;
  const Case original = read_case(folder.write("wing.toml", full_case));
  const std::string text = write_case(original, original.output.directory);
  std::filesystem::create_directories(original.output.directory);
  const auto resolved = original.output.directory / "case.resolved.toml";
  std::ofstream(resolved) << text;
  const Case again = read_case(resolved);
  EXPECT_EQ(again.mesh.file, original.mesh.file);
  EXPECT_EQ(again.output.directory.lexically_normal(), original.output.directory / "");
  EXPECT_EQ(write_case(again, original.output.directory), text);
  EXPECT_EQ(again.title, original.title);
  EXPECT_EQ(again.mesh.patches, original.mesh.patches);
  EXPECT_EQ(again.mesh.exclude, original.mesh.exclude);
  EXPECT_EQ(again.output.probes[1].to, original.output.probes[1].to);
  EXPECT_EQ(again.fmm.tolerance, original.fmm.tolerance);
}

TEST(CaseFile, ResolvedShapesReadBack) {
  const TemporaryFolder folder;
  for (const std::string shape :
       {"shape = \"torus\"\nmajor_radius = 3\nminor_radius = 0.1",
        "shape = \"box\"\nsize = [1, 2, 0.3]\npanels = 600", "shape = \"sphere\"\nradius = 0.1",
        "shape = \"disc\"\nradius = 0.4", "shape = \"plate\"\nlength = 2\nwidth = 0.3\ngrading = 2",
        "shape = \"disc\"\n[[boundary]]\npatch = \"*\"\nthin = true",
        "shape = \"tube\"\nradius = 2\nlength = 0.5\n[problem]\nkind = "
        "\"electrostatics\"\n[[boundary]]\npatch = \"*\"\ntype = \"floating\"\nthin = true",
        "shape = \"ellipsoid\"\nsemi_axes = [5, 1, 1]",
        "shape = \"wing\"\nsection = \"2412\"\nspan = 4\nchord = [1, 0.5]\nsweep = 30\ndihedral = "
        "5\ntwist = -3\ntip = \"round\"\npanels = [40, 20]",
        "shape = \"wing\"\nsection = \"other.dat\"\nchord = 2\npanels = 800"}) {
    const Case original = read_case(folder.write("a.toml", "version = 1\n[mesh]\n" + shape + "\n"));
    const std::string text = write_case(original, folder.path());
    EXPECT_EQ(write_case(read_case(folder.write("b.toml", text)), folder.path()), text) << text;
  }
}

TEST(CaseFile, PatchesOfTheMeshAreChecked) {
  const TemporaryFolder folder;
  const Case c = read_case(folder.write("wing.toml", full_case));
  EXPECT_NO_THROW(check_patches(c, {"lower", "upper"}));
  try {
    check_patches(c, {"lower", "uper"});
    FAIL() << "a patch that the mesh lacks was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), (folder.path() / "wing.toml").string() +
                                ":19:9: the mesh has no patch \"upper\"; did you mean \"uper\"?");
  }
}

/// The first words of lines KEY = VALUE.
std::set<std::string> keys_of(const std::string& text) {
  std::set<std::string> keys;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(' '));
    const std::size_t next = line.find_first_not_of(' ', key.size());
    if (next != line.npos && line[next] == '=') keys.insert(key);
  }
  return keys;
}

// Angles, speeds and turns are written as vectors and rates, references as a table.
TEST(CaseFile, WrittenBackHasEveryKeyOfTheShippedCases) {
  const std::set<std::string> others{"alpha", "speed", "rpm", "reference"};
  const TemporaryFolder folder;
  int cases = 0;
  const std::filesystem::path shipped = RANKINE_SOURCE_FOLDER "/cases";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shipped)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() != ".toml") continue;
    ++cases;
    const std::set<std::string> written = keys_of(
        is_particle_case(file, {}) ? write_particle_case(read_particle_case(file), folder.path())
                                   : write_case(read_case(file), folder.path()));
    for (const std::string& key : keys_of(testing::read_text(file)))
      EXPECT_TRUE(written.contains(key) || others.contains(key)) << file << ": " << key;
  }
  EXPECT_GT(cases, 10);
}

TEST(Suggest, CountsEditsAndSwaps) {
  for (const auto& [text, edits] : {std::pair{"tolerance", 0u},
                                    {"tolerence", 1u},
                                    {"tolernace", 1u},
                                    {"otlerance", 1u},
                                    {"toleranec", 1u},
                                    {"tolerances", 1u},
                                    {"olerance", 1u},
                                    {"otleranec", 2u},
                                    {"", 9u}}) {
    EXPECT_EQ(edit_distance(text, "tolerance"), edits) << text;
    EXPECT_EQ(edit_distance("tolerance", text), edits) << text;
  }
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(did_you_mean("Tolerance", {"method", "tolerance"}), "; did you mean \"tolerance\"?");
  EXPECT_EQ(did_you_mean("xyz", {"a", "b"}), "; known: a, b");
}

}  // namespace
}  // namespace rankine::cases
