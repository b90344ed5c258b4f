// Sections of wings: NACA's against its formulas, those of files against the curve of their points.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/wing_section.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/naca_thickness.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using testing::says;

using std::numbers::pi;
using testing::half_thickness;

// NACA Report 460 prints the ordinates of its 4-digit sections in per cent of the chord with three
// digits behind the point; the closed trailing edge takes 5 t 0.0021 x^4 from them.
TEST(WingSection, HasTheThicknessThatNacaPrints) {
  const WingSection section = naca_section("0012");
  EXPECT_EQ(section.name, "NACA 0012");
  const std::pair<double, double> printed[] = {
      {1.25, 1.894}, {2.5, 2.615},  {5.0, 3.555},  {7.5, 4.200},  {10.0, 4.683}, {15.0, 5.345},
      {20.0, 5.737}, {25.0, 5.941}, {30.0, 6.002}, {40.0, 5.803}, {50.0, 5.294}, {60.0, 4.563},
      {70.0, 3.664}, {80.0, 2.623}, {90.0, 1.448}, {95.0, 0.807}, {100.0, 0.126}};
  for (const auto& [x, z] : printed) {
    const auto [upper, lower] = section.sides(0.01 * x);
    EXPECT_EQ(upper.x, 0.01 * x);
    EXPECT_EQ(lower.x, 0.01 * x);
    EXPECT_EQ(lower.z, -upper.z);
    EXPECT_NEAR(upper.z, 0.01 * z - 0.6 * 0.0021 * std::pow(0.01 * x, 4), 0.6e-5) << x;
  }
}

TEST(WingSection, IsThickestAtThreeTenths) {
  for (const char* digits : {"0006", "0012", "0024"}) {
    const WingSection section = naca_section(digits);
    const double t = 0.01 * std::stoi(digits);
    EXPECT_NEAR(2.0 * section.sides(0.3).upper.z, t, 5e-4 * t);
    EXPECT_LT(section.sides(0.27).upper.z, section.sides(0.3).upper.z);
    EXPECT_LT(section.sides(0.33).upper.z, section.sides(0.3).upper.z);
  }
}

TEST(WingSection, HasNacasCamberLineHalfwayBetweenItsSides) {
  const WingSection section = naca_section("4415");
  for (int i = 1; i < 50; ++i) {
    const double x = i / 50.0, m = 0.04, p = 0.4;
    const double camber = x < p ? m / (p * p) * (2.0 * p * x - x * x)
                                : m / std::pow(1.0 - p, 2) * (1.0 - 2.0 * p + 2.0 * p * x - x * x);
    const double slope =
        x < p ? 2.0 * m / (p * p) * (p - x) : 2.0 * m / std::pow(1.0 - p, 2) * (p - x);
    const auto [upper, lower] = section.sides(x);
    EXPECT_NEAR(0.5 * (upper.x + lower.x), x, 1e-15);
    EXPECT_NEAR(0.5 * (upper.z + lower.z), camber, 1e-15);
    EXPECT_NEAR(0.5 * std::hypot(upper.x - lower.x, upper.z - lower.z), half_thickness(0.15, x),
                1e-15);
    // Thickness is normal to the camber line.
    EXPECT_NEAR(upper.x - lower.x + slope * (upper.z - lower.z), 0.0, 1e-15);
  }
}

TEST(WingSection, IsOnePointAtNoseAndTrailingEdge) {
  for (const char* digits : {"0012", "2412", "6318"}) {
    for (const double end : {0.0, 1.0}) {
      const auto [upper, lower] = naca_section(digits).sides(end);
      EXPECT_EQ(upper.x, end);
      EXPECT_EQ(upper.z, 0.0);
      EXPECT_EQ(lower.x, end);
      EXPECT_EQ(lower.z, 0.0);
    }
  }
}

TEST(WingSection, RefusesWordsThatNameNone) {
  for (const char* word : {"", "12", "00a2", "23012", "0000", "2012", "0412"})
    EXPECT_THROW(naca_section(word), InputError) << word;
}

/// A section as a file has it: points from `sides`, closed or with an open trailing edge.
class SectionFile {
 public:
  std::string selig(double scale = 1.0, double gap = 0.0, int n = 80) const {
    std::string text = "A section\n";
    for (int k = 0; k <= 2 * n; ++k) text += line(k <= n, std::abs(n - k), n, scale, gap);
    return text;
  }
  std::string lednicer(int n = 80) const {
    std::string text =
        "A section\n " + std::to_string(n + 1) + ". " + std::to_string(n + 1) + ".\n";
    for (const bool upper : {true, false}) {
      text += "\n";
      for (int i = 0; i <= n; ++i) text += line(upper, i, n, 1.0, 0.0);
    }
    return text;
  }

  WingSection section = naca_section("2412");

 private:
  std::string line(bool upper, int i, int n, double scale, double gap) const {
    const double s = 0.5 * (1.0 - std::cos(pi * i / n));
    const SectionPoint point = upper ? section.sides(s).upper : section.sides(s).lower;
    char text[80];
    std::snprintf(text, sizeof text, "  %.10f  %.10f\n", scale * point.x,
                  scale * (point.z + (upper ? 0.5 : -0.5) * gap * point.x));
    return text;
  }
};

// With steps of pi/80 in the angle, on which the nose is smooth, cubic splines err by about
// (5/384) (pi/80)^4 = 3e-8 of the fourth derivative. The natural ends, which drop a second
// derivative of about 0.2 chords, err by h^2/16 of it with h = 4e-4: less.
TEST(WingSection, OfAFileIsTheCurveThroughItsPoints) {
  const testing::TemporaryFolder folder;
  const SectionFile points;
  // On the upper side at x: bisection of the formula.
  const auto z_at = [&](double x, bool upper) {
    double low = 0.0, high = 1.0;
    for (int step = 0; step < 60; ++step) {
      const double s = 0.5 * (low + high);
      const auto [one, other] = points.section.sides(s);
      ((upper ? one.x : other.x) < x ? low : high) = s;
    }
    const auto [one, other] = points.section.sides(low);
    return upper ? one.z : other.z;
  };
  for (int k = 0; k < 3; ++k) {
    const std::string text = k == 0   ? points.selig()
                             : k == 1 ? points.lednicer()
                                      : points.selig(100.0);
    const WingSection section = read_section(folder.write("section.dat", text));
    EXPECT_TRUE(section.notes.empty());
    // The nose is the foremost point: by the camber about 1e-4 before the origin and above it.
    const auto foremost = [&] {
      SectionPoint least{0.0, 0.0};
      for (int i = 0; i < 4000; ++i) {
        const SectionPoint point = points.section.sides(1e-6 * i).upper;
        if (point.x < least.x) least = point;
      }
      return least;
    }();
    // Heights are compared from the trailing edge: z of the foremost point follows x only as its
    // square root.
    const double chord = 1.0 - foremost.x, edge = section.sides(1.0).upper.z;
    for (const double x : {0.003, 0.03, 0.1, 0.37, 0.71, 0.97}) {
      const auto [upper, lower] = section.sides(x);
      EXPECT_EQ(upper.x, x);
      EXPECT_EQ(lower.x, x);
      const double there = foremost.x + x * chord;
      EXPECT_NEAR(upper.z, edge + z_at(there, true) / chord, 1e-5) << k << " " << x;
      EXPECT_NEAR(lower.z, edge + z_at(there, false) / chord, 1e-5) << k << " " << x;
    }
  }
}

TEST(WingSection, OfAFileHasItsTrailingEdgeClosed) {
  const testing::TemporaryFolder folder;
  SectionFile points;
  points.section = naca_section("0012");
  const WingSection closed = read_section(folder.write("a.dat", points.selig())),
                    open = read_section(folder.write("b.dat", points.selig(1.0, 0.0025)));
  EXPECT_EQ(closed.notes.size(), 0u);
  ASSERT_EQ(open.notes.size(), 1u);
  EXPECT_TRUE(says(open.notes[0], "0.0025 chords wide, is closed"));
  // The wedge that closes it is the one that opened it, but between points, where splines are not
  // linear in the values to the last digit since the lengths of chords differ.
  for (const double x : {0.0, 0.1, 0.5, 0.9, 1.0})
    EXPECT_NEAR(open.sides(x).upper.z, closed.sides(x).upper.z, 1e-6) << x;
}

TEST(WingSection, RefusesFilesThatHoldNone) {
  const testing::TemporaryFolder folder;
  const std::string good = SectionFile().selig();
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      read_section(folder.write("s.dat", text));
    } catch (const MeshError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(good), "");
  EXPECT_TRUE(says(refusal(""), "points, found 0"));
  EXPECT_TRUE(says(refusal("title\n1 0\n0 0\n1 0\n"), "needs 10 to 100000 points, found 3"));
  EXPECT_TRUE(says(refusal(good + "0.5 zero\n"), "s.dat:163: a point needs two numbers"));
  EXPECT_TRUE(says(refusal(good + "0.5 0.0\n"), "s.dat:163: x must rise along each side"));
  EXPECT_TRUE(says(refusal(SectionFile().selig(1.0, 0.2)), "which is no trailing edge"));
  EXPECT_THROW(read_section(folder.path() / "absent.dat"), MeshError);
}

}  // namespace
}  // namespace rankine::meshes
