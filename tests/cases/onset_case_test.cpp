// Sources, doublets and vortices of a case file: what is read, what is refused, and where they may
// be.
#include <gtest/gtest.h>

#include <string>

#include "cases/input/read_case.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/conditions.hpp"
#include "cases/solve/set_up.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

const std::string head_of_onsets =
    "version = 1\n[mesh]\nshape = \"sphere\"\npanels = 320\n[problem]\n";

TEST(OnsetOfACase, IsReadAndWrittenBack) {
  const TemporaryFolder folder;
  const Case c = read_case(folder.write("case.toml", head_of_onsets + R"(
[[problem.source]]
position = [2, 0, 0]
value = -1.5
[[problem.doublet]]
position = [0, 2, 0]
moment = [1, 2, 3]
[[problem.vortex]]
from = [-2, 0, 0]
to = [-2, 1, 0]
circulation = 0.5
[[problem.vortex]]
points = [[-2, 1, 0], [-2, 1, 1], [-2, 0, 0]]
circulation = 0.5
)"));
  EXPECT_EQ(c.problem.velocity, Vec3d{});  // what drives the flow is given
  const bem::Onset& onset = c.problem.onset.flow;
  ASSERT_EQ(onset.sources.size(), 1u);
  EXPECT_EQ(onset.sources[0].position, (Vec3d{2, 0, 0}));
  EXPECT_EQ(onset.sources[0].strength, -1.5);
  ASSERT_EQ(onset.doublets.size(), 1u);
  EXPECT_EQ(onset.doublets[0].moment, (Vec3d{1, 2, 3}));
  ASSERT_EQ(onset.vortices.size(), 3u);
  EXPECT_EQ(onset.vortices[1].from, (Vec3d{-2, 1, 0}));
  EXPECT_EQ(onset.vortices[2].to, (Vec3d{-2, 0, 0}));
  EXPECT_EQ(onset.vortices[2].circulation, 0.5);
  EXPECT_TRUE(c.problem.sources.empty());
  EXPECT_EQ(c.solver.formulation, bem::Formulation::green);
  const std::string text = write_case(c, folder.path());
  EXPECT_EQ(write_case(read_case(folder.write("again.toml", text)), folder.path()), text) << text;
}

const std::string source = "[[problem.source]]\nposition = [2, 0, 0]\nvalue = 1\n";
const std::string vortex =
    "[[problem.vortex]]\nfrom = [2, 0, 0]\nto = [2, 0, 1]\ncirculation = 1\n";

/// Of reading the case, and of setting it up on its sphere.
TEST(OnsetErrors, MessagesAreExact) {
  const TemporaryFolder folder;
  for (const auto& [text, message] : std::vector<testing::Mistake>{
           {"kind = \"laplace\"\n" + source +
                "[[boundary]]\npatch = \"*\"\ntype = \"potential\"\nvalue = 1\n",
            "case.toml:7:1: problem.source has no meaning for the kind \"laplace\", which its "
            "boundaries alone drive; remove it"},
           {"kind = \"electrostatics\"\n" + vortex +
                "[[boundary]]\npatch = \"*\"\ntype = \"conductor\"\nvalue = 1\n",
            "case.toml:7:1: problem.vortex has no meaning for a kind other than \"flow\"; remove "
            "it"},
           {"[[problem.source]]\nposition = [2, 0, 0]\n",
            "case.toml:6:1: problem.source.value is missing; give for example: value = 1.0, in "
            "m^3/s (flow) or C (electrostatics)"},
           {"[[problem.doublet]]\nposition = [2, 0, 0]\n",
            "case.toml:6:1: problem.doublet.moment is missing; give for example: moment = [1.0, "
            "0.0, 0.0], m^4/s"},
           {"[[problem.vortex]]\nfrom = [2, 0, 0]\ncirculation = 1\n",
            "case.toml:6:1: problem.vortex.to is missing; give for example: to = [0.0, 2.0, 1.0]"},
           {"[[problem.vortex]]\nfrom = [2, 0, 0]\npoints = [[0, 0, 2], [0, 0, 3]]\ncirculation = "
            "1\n",
            "case.toml:7:8: problem.vortex.from has no meaning beside points, the line from the "
            "first to the last; remove it"},
           {"[[problem.vortex]]\npoints = [[0, 0, 2]]\ncirculation = 1\n",
            "case.toml:7:10: problem.vortex.points has one point, which is no line; give two or "
            "more"},
           {"[[problem.vortex]]\npoints = [[0, 0, 2], [0, 0, 2]]\ncirculation = 1\n",
            "case.toml:7:10: the vortex segment from (0, 0, 2) to (0, 0, 2) m has no length; give "
            "two points, or leave it out"},
           {"symmetry = [\"-y\"]\n" + source,
            "case.toml:8:12: the point source at (2, 0, 0) m lies on the plane of zero potential y "
            "= 0 m, where its image cancels it or a part of it; move it, turn it, or leave it out"},
           {source + "[[boundary]]\npatch = \"*\"\ntype = \"motion\"\nvelocity = [1, 0, 0]\n",
            "case.toml:10:9: boundary.type \"motion\" does not go with sources, doublets or "
            "vortices, which walls that move would pass: give walls at rest and problem.velocity, "
            "the stream that they see, or remove [[problem.source]]"},
           {vortex + "[[boundary]]\npatch = \"*\"\ntype = \"potential\"\nvalue = 1\n",
            "case.toml:11:9: boundary.type \"potential\" does not go with [[problem.vortex]], "
            "which has a velocity and no potential of one value; give a normal-velocity, or a "
            "[[problem.doublet]] in place of a closed loop"},
           {"velocity = [1, 0, 0]\n" + source + "[verify]\nexact = \"sphere-flow\"\n",
            "case.toml:11:9: verify.exact is the flow past walls at rest in a stream alone; remove "
            "[verify], or [[problem.source]]"},
           {"[[problem.source]]\nposition = [0.4, 0.2, 0]\nvalue = 1\n",
            "case.toml:7:12: the point source at (0.4, 0.2, 0) m lies in a body, where there is no "
            "fluid; move it, or leave it out"},
           {"[[problem.doublet]]\nposition = [0.4, 0.2, 0]\nmoment = [1, 0, 0]\n",
            "case.toml:7:12: the point doublet at (0.4, 0.2, 0) m lies in a body, where there is "
            "no fluid; move it, or leave it out"},
           {"[[problem.vortex]]\nfrom = [0.4, 0, 0]\nto = [0, 0, 0.3]\ncirculation = 1\n",
            "case.toml:7:8: the vortex segment from (0.4, 0, 0) m to (0, 0, 0.3) m lies in a body, "
            "where there is no fluid; move it, or leave it out"},
           {"domain = \"interior\"\n" + source,
            "case.toml:8:12: the point source at (2, 0, 0) m lies outside the domain, where there "
            "is no fluid; move it, or leave it out"}}) {
    const auto file = folder.write("case.toml", head_of_onsets + text);
    EXPECT_EQ(answer_of<Error>([&] { make_problem(read_case(file), meshes::make_sphere(320)); }),
              folder.path().string() + "/" + message);
  }
}

TEST(OnsetOfACase, IsRefusedOnTheSurfaceAndThroughIt) {
  const TemporaryFolder folder;
  const meshes::SurfaceMesh mesh = meshes::make_sphere(320);
  const auto message = [&](const std::string& text) {
    return answer_of<Error>(
        [&] { make_problem(read_case(folder.write("case.toml", head_of_onsets + text)), mesh); });
  };
  // A corner of the mesh, and a way through the sphere from one side to the other.
  const Vec3d& corner = mesh.nodes.front();
  const std::string at =
      std::to_string(corner.x) + ", " + std::to_string(corner.y) + ", " + std::to_string(corner.z);
  EXPECT_TRUE(says(message("[[problem.source]]\nposition = [" + at + "]\nvalue = 1\n"),
                   "lies on the surface, "));
  const std::string through =
      message("[[problem.vortex]]\nfrom = [-3, 0.1, 0.2]\nto = [3, 0.1, 0.2]\ncirculation = 1\n");
  EXPECT_TRUE(says(through,
                   ":7:8: the vortex segment from (-3, 0.1, 0.2) m to (3, 0.1, 0.2) m passes "
                   "through the surface at ("));
  EXPECT_EQ(message("[[problem.vortex]]\nfrom = [-3, 1.1, 0]\nto = [3, 1.1, 0]\ncirculation = 1\n"),
            "accepted");
}

TEST(OnsetOfACase, IsWarnedOfCloseToAWall) {
  const TemporaryFolder folder;
  for (const bool close : {false, true}) {
    const Case c = read_case(
        folder.write("case.toml", head_of_onsets + "[[problem.source]]\nvalue = 1\nposition = [" +
                                      (close ? "1.01" : "2") + ", 0, 0]\n"));
    Log log(Log::Level::quiet);
    describe_conditions(c, make_problem(c, meshes::make_sphere(320)), log);
    ASSERT_EQ(log.warnings().size(), close ? 1u : 0u);
    for (const std::string& text : log.warnings())
      EXPECT_TRUE(says(text, "the point source at (1.01, 0, 0)"));
  }
}

TEST(OnsetOfACase, MayBeInACavity) {
  // A closed tank with an island in it: fluid is what is between.
  const TemporaryFolder folder;
  meshes::SurfaceMesh island = meshes::make_sphere(320, 0.4);
  for (std::size_t e = 0; e < island.elements.size(); ++e) meshes::reverse_element(island, e);
  const meshes::SurfaceMesh mesh = testing::joined(meshes::make_sphere(320), island);
  const auto message = [&](const std::string& x) {
    const Case c = read_case(folder.write(
        "case.toml", head_of_onsets + "domain = \"interior\"\n[[problem.doublet]]\nposition = [" +
                         x + ", 0, 0]\nmoment = [1, 0, 0]\n"));
    return answer_of<Error>([&] { make_problem(c, mesh); });
  };
  EXPECT_EQ(message("0.7"), "accepted");
  EXPECT_TRUE(says(message("0.1"), "lies outside the domain"));
  EXPECT_TRUE(says(message("1.7"), "lies outside the domain"));
}

}  // namespace
}  // namespace rankine::cases
