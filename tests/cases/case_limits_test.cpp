// What a case file may just say, and what it may just not.
#include <gtest/gtest.h>

#include <string>

#include "cases/input/read_case.hpp"
#include "cases/resources/machine.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::message_of;
using testing::says;

class CaseLimits : public testing::FolderTest {
 protected:
  Case read(const std::string& lines) const {
    return read_case(
        folder().write("case.toml", "version = 1\n[mesh]\nshape = \"sphere\"\n" + lines));
  }
  std::string refusal(const std::string& lines) const {
    return message_of<InputError>([&] { read(lines); });
  }
};

TEST_F(CaseLimits, LengthsAndDensitiesAreAboveZero) {
  EXPECT_TRUE(says(refusal("radius = 0\n"), "mesh.radius must be greater than 0, found 0"));
  EXPECT_TRUE(says(refusal("length = 0.0\n"), "mesh.length has no meaning for the shape"));
  EXPECT_TRUE(says(refusal("[problem]\ndensity = 0.0\n"),
                   "problem.density must be greater than 0, found 0"));
  EXPECT_EQ(read("radius = 1e-300\n").mesh.radius, 1e-300);
}

TEST_F(CaseLimits, BoundsBelongToTheirRange) {
  EXPECT_EQ(read("panels = 4\n").mesh.panels.first, 4);
  EXPECT_TRUE(
      says(refusal("panels = 3\n"), "mesh.panels must be between 4 and 100000000, found 3"));
  EXPECT_EQ(read("[fmm]\ntolerance = 0.1\n").fmm.tolerance, 0.1);
  EXPECT_TRUE(says(refusal("[fmm]\ntolerance = 0.2\n"), "must be between 1e-12 and 0.1"));
}

TEST_F(CaseLimits, EntriesOfListsKnowTheirKeys) {
  EXPECT_TRUE(says(refusal("[[boundary]]\npatch = \"*\"\nkind = \"wall\"\n"),
                   "unknown key \"kind\" in [boundary]"));
  EXPECT_TRUE(
      says(refusal("[[output.probe]]\nname = \"a\"\nkind = \"points\"\npoint = [[0, 0, 2]]\n"),
           "unknown key \"point\" in [output.probe]; did you mean \"points\"?"));
}

TEST_F(CaseLimits, PlanesAreFlatInOneDirectionAndBoxesInNone) {
  const auto grid = [](const std::string& kind, const std::string& size) {
    return "[[output.probe]]\nname = \"a\"\nkind = \"" + kind +
           "\"\norigin = [0, 0, 0]\ncells = [2, 2, 2]\nsize = " + size + "\n";
  };
  EXPECT_EQ(read(grid("plane", "[1, 0, 1]")).output.probes.size(), 1u);
  EXPECT_EQ(read(grid("box", "[1, 1, 1]")).output.probes.size(), 1u);
  for (const std::string size : {"[1, 1, 1]", "[1, 0, 0]", "[0, 0, 0]"})
    EXPECT_TRUE(says(refusal(grid("plane", size)), "exactly one zero component")) << size;
  for (const std::string size : {"[1, 0, 1]", "[0, 0, 0]"})
    EXPECT_TRUE(says(refusal(grid("box", size)), "has no zero component")) << size;
}

TEST(PeakMemory, CoversWhatWasWritten) {
  constexpr std::size_t bytes = 64 << 20;
  const std::string text(bytes, 'x');
  EXPECT_EQ(text.back(), 'x');
  EXPECT_GE(peak_host_bytes(), bytes);
}

}  // namespace
}  // namespace rankine::cases
