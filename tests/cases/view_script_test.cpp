// What view.py draws. Needs VTK's Python and xvfb-run; without them it says so.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/program.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

constexpr int width = 600, height = 400, picture_width = 546;  // the rest has the colour bars

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

bool can_draw() {
  return succeeds("xvfb-run -a /usr/bin/python3 -c 'import vtkmodules.all' > /dev/null 2>&1");
}

/// The bytes of the picture that the script makes of results; empty if it fails.
std::string draw(const TemporaryFolder& folder, const std::string& options = "") {
  const std::string picture = (folder.path() / "picture.png").string();
  if (!succeeds("xvfb-run -a /usr/bin/python3 " + example("view.py") + " " +
                (folder.path() / "results").string() + " --size " + std::to_string(width) + " " +
                std::to_string(height) + " -o " + picture + " " + options))
    return {};
  return read_text(picture);
}

/// Solves a case in the folder.
void solve(const TemporaryFolder& folder, const std::string& text) {
  const std::string file = folder.write("case.toml", "version = 1\n" + text).string();
  const Outcome outcome = run_program({"solve", file, "-o", (folder.path() / "results").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

struct PixelBox {
  int left = 0, right = 0, bottom = 0, top = 0;
};

/// Of the pixels that are not white, left of the colour bars.
PixelBox drawn_pixels(const TemporaryFolder& folder) {
  const auto script = folder.write("pixels.py", R"(
import sys
from vtkmodules.vtkIOImage import vtkPNGReader
reader = vtkPNGReader()
reader.SetFileName(sys.argv[1])
reader.Update()
image = reader.GetOutput()
width, height, _ = image.GetDimensions()
drawn = [(x, y) for y in range(height) for x in range(int(sys.argv[2]))
         if min(image.GetScalarComponentAsFloat(x, y, 0, k) for k in range(3)) < 250]
print(min(x for x, _ in drawn), max(x for x, _ in drawn),
      min(y for _, y in drawn), max(y for _, y in drawn))
)");
  const std::string answer = (folder.path() / "pixels").string();
  EXPECT_TRUE(succeeds("/usr/bin/python3 " + script.string() + " " +
                       (folder.path() / "picture.png").string() + " " +
                       std::to_string(picture_width) + " > " + answer));
  PixelBox box;
  std::ifstream(answer) >> box.left >> box.right >> box.bottom >> box.top;
  return box;
}

// Without VTK's Python the script says what is missing and what to do.
TEST(ViewScript, SaysWhatIsMissing) {
  if (!succeeds("/usr/bin/python3 -c 'import sys' > /dev/null 2>&1")) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  folder.write("vtkmodules.py", "");  // has no `all`
  const std::string message = (folder.path() / "message").string();
  EXPECT_FALSE(succeeds("PYTHONPATH=" + folder.path().string() + " /usr/bin/python3 " +
                        example("view.py") + " " + folder.path().string() + " 2> " + message));
  EXPECT_TRUE(says(read_text(message), "view.py needs VTK's Python"));
}

TEST(ViewScript, DrawsParticles) {
  if (!can_draw() || !succeeds("/usr/bin/python3 -c 'import matplotlib, PIL' > /dev/null 2>&1"))
    GTEST_SKIP() << "no VTK or no matplotlib for Python";
  const TemporaryFolder folder;
  solve(folder, R"([problem]
kind = "vortex"
[particles]
generator = "ring"
n = 20
sigma = 0.5
[[particles.ring]]
radius = 1.0
circulation = 1.0
[time]
step = 0.01
steps = 1
)");
  ::setenv("RANKINE_PYTHON", "/usr/bin/python3", 1);
  const std::string results = (folder.path() / "results").string();
  const Outcome viewed = run_program({"view", results, "--array", "speed"});
  ::unsetenv("RANKINE_PYTHON");
  EXPECT_EQ(viewed.exit_code, 0) << viewed.err;
  EXPECT_TRUE(says(read_text(folder.path() / "results" / "view.png"), "PNG"));
  const std::string film = (folder.path() / "film.gif").string();
  EXPECT_TRUE(succeeds("/usr/bin/python3 " + results + "/view.py " + results + " " + film));
  EXPECT_TRUE(says(read_text(film), "GIF89a"));
}

TEST(ViewScript, ShowsALongHalfModelWholeAndInTheMiddle) {
  if (!can_draw()) GTEST_SKIP() << "no xvfb-run, or no VTK for Python";
  const TemporaryFolder folder;
  const meshes::SurfaceMesh half =
      testing::positive_part(meshes::make_box(800, {12.0, 1.0, 1.0}), {1});
  folder.write("half.obj", obj_text(half));
  solve(folder,
        "[mesh]\nfile = \"half.obj\"\n[problem]\nvelocity = [1, 0, 0]\nsymmetry = [\"y\"]\n");
  ASSERT_FALSE(draw(folder).empty());
  const PixelBox box = drawn_pixels(folder);
  EXPECT_GT(box.left, 0);
  EXPECT_LT(box.right, picture_width - 1);
  EXPECT_GT(box.right - box.left, picture_width * 3 / 4) << "the body is the picture";
  constexpr int of_pixels = 3;  // edges are between pixels, and smoothed
  EXPECT_NEAR(box.left, picture_width - 1 - box.right, of_pixels);
  EXPECT_NEAR(box.bottom, height - 1 - box.top, of_pixels) << "both halves";
}

TEST(ViewScript, ShowsAnUprightPlaneOverTheGroundAndTheStreamlinesOfTheCase) {
  if (!can_draw()) GTEST_SKIP() << "no xvfb-run, or no VTK for Python";
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program({"solve", example("ground-effect/ground-effect.toml"), "--set", "mesh.panels=320",
                   "-o", (folder.path() / "results").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string with_lines = draw(folder);
  const PixelBox box = drawn_pixels(folder);
  EXPECT_TRUE(box.left > 0 && box.right < picture_width - 1) << "plane and ground are whole";
  EXPECT_TRUE(box.bottom > 0 && box.top < height - 1);
  const std::string without = draw(folder, "--no-streamlines");
  ASSERT_FALSE(with_lines.empty());
  ASSERT_FALSE(without.empty());
  EXPECT_NE(with_lines, without);
}

TEST(ViewScript, ColoursConductorsByTheirCharge) {
  if (!can_draw()) GTEST_SKIP() << "no xvfb-run, or no VTK for Python";
  const TemporaryFolder folder;
  solve(folder, R"([mesh]
shape = "box"
size = [1, 1, 1]
panels = 150
[problem]
kind = "electrostatics"
[[boundary]]
patch = "*"
type = "conductor"
value = 1.0
)");
  const std::string picture = draw(folder);
  ASSERT_FALSE(picture.empty());
  EXPECT_EQ(picture, draw(folder, "--array charge"));
  ::setenv("RANKINE_PYTHON", "/usr/bin/python3", 1);
  const std::string results = (folder.path() / "results").string();
  const Outcome viewed = run_program({"view", results, "--array", "charge"});
  ::unsetenv("RANKINE_PYTHON");
  ASSERT_EQ(viewed.exit_code, 0) << viewed.err;
  EXPECT_EQ(viewed.out, results + "/view.png\n");
  EXPECT_FALSE(read_text(results + "/view.png").empty());
  EXPECT_NE(picture, draw(folder, "--array phi"));
}

}  // namespace
}  // namespace rankine::cases
