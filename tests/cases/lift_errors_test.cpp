// What [lift], [rotor] and files of halves refuse or warn of, each with what to do, and what is
// said of the panels in front of trailing edges.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cases/input/read_case.hpp"
#include "cases/lift/named_edges.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/load_mesh.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::answer_of;
using testing::says;
using testing::TemporaryFolder;

struct RefusedLift {
  std::string text, message;  ///< behind the head of the case; `message` behind its place
};

TEST(LiftErrors, SayWhatToDo) {
  const TemporaryFolder folder;
  const std::string head = "version = 1\n[mesh]\nshape = \"wing\"\nspan = 4.0\npanels = [20, 16]\n",
                    flow = "[problem]\nvelocity = [2.0, 0.0, 0.0]\n",
                    rotor = "[rotor]\nangular_velocity = 3.0\n",
                    helical = "[lift]\nwake = \"helical\"\n";
  for (const RefusedLift& each : std::vector<RefusedLift>{
           {flow + helical, "lift.wake is helical behind a rotor; give [rotor]"},
           {flow + rotor + helical + "derivatives = true\n",
            "lift.wake behind a rotor is helical, without direction, kutta = \"pressure\", "
            "derivatives and [[control]]"},
           {flow + "mach = 0.2\n" + rotor + helical,
            "rotor.angular_velocity is that of walls that let no fluid through, in a uniform "
            "stream, without symmetry planes and mach; leave the rest out"},
           {flow + rotor + "axis = [1.0, 0.1, 0.0]\n" + helical,
            "rotor.axis (1, 0.1, 0) is not along the stream: the flow would change with time as "
            "blades turn; turn one of the two"},
           {flow + rotor + "axis = [0.0, 0.0, 0.0]\n" + helical,
            "rotor.axis (0, 0, 0) is not along the stream: the flow would change with time as "
            "blades turn; turn one of the two"},
           {"[[boundary]]\npatch = \"*\"\ntype = \"normal-velocity\"\nvalue = 1.0\n[lift]\n",
            "lift.wakes need a stream; give problem.velocity, or problem.alpha and speed"}}) {
    const auto file = folder.write("case.toml", head + each.text);
    const std::string answer = answer_of<InputError>([&] { read_case(file); });
    EXPECT_TRUE(says(answer, each.message)) << answer;
  }
}

/// A box whose file says that it is half of a body.
TEST(HalvesOfFiles, AreNamedWithTheKeyThatAddsTheRest) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh box = meshes::make_box(24, {1.0, 1.0, 1.0}, {3.0, 2.0, 0.0});
  const std::string text = testing::gdf_text(box);
  const auto warnings = [&](const char* symmetry, const std::string& planes) {
    folder.write("box.gdf", testing::replaced(text, "0 0 ISX", symmetry));
    const Case given = read_case(folder.write(
        "case.toml",
        "version = 1\n[mesh]\nfile = \"box.gdf\"\n[problem]\nvelocity = [1, 0, 0]\n" + planes));
    Log log(Log::Level::quiet, std::tmpfile());
    load_mesh(given, log);
    std::string all;
    for (const std::string& each : log.warnings()) all += each + "\n";
    return all;
  };
  EXPECT_FALSE(says(warnings("0 0 ISX", ""), "says to hold"));
  EXPECT_TRUE(
      says(warnings("0 1 ISX", ""),
           "box.gdf says to hold half of a body that is symmetric about y = 0, and is taken "
           "as it is; problem.symmetry with \"y\" adds the other part"));
  EXPECT_FALSE(says(warnings("0 1 ISX", "symmetry = [\"y\"]\n"), "says to hold"));
  EXPECT_TRUE(
      says(warnings("1 1 ISX", "symmetry = [\"y\"]\n"),
           "says to hold a quarter of a body that is symmetric about x = 0 and y = 0, and is taken "
           "as it is; problem.symmetry with \"x\" adds the other part"));
}

/// The first of 20 panels around a section, in cosine spacing, is (1 - cos 18 degrees)/2 deep.
TEST(ResolutionOfEdges, IsThatOfTheSectionsInFrontOfThem) {
  const bem::Panels panels =
      bem::make_panels(meshes::make_wing({20, 16}, meshes::naca_section("0012"), {.span = 4.0}),
                       bem::PanelGeometry::flat);
  const std::vector<std::string> lines =
      resolution_of(panels, bem::trailing_edges(panels, {1, 0, 0}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].find("edge 1: panels 0.025 of the chord deep"), 0u) << lines[0];
}

/// Sections reach the nose of a wing with taper, whose strips turn by as much there as without.
TEST(ResolutionOfEdges, CrossesTheStripsOfAWingWithTaper) {
  const auto turn = [](double tip) {
    const bem::Panels panels = bem::make_panels(
        meshes::make_wing({40, 24}, meshes::naca_section("0012"), {.span = 4.0, .tip_chord = tip}),
        bem::PanelGeometry::flat);
    const std::string line = resolution_of(panels, bem::trailing_edges(panels, {1, 0, 0})).at(0);
    return std::stod(line.substr(line.find("nose ") + 5));
  };
  EXPECT_NEAR(turn(0.5), turn(1.0), 2.0);
  EXPECT_LT(turn(1.0), 60.0);
}

}  // namespace
}  // namespace rankine::cases
