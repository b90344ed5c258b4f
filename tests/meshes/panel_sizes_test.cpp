// The sizes of panels on a geometry: as small as is asked for, no steeper than allowed, within the
// budget.
#include "rankine/meshes/gmsh/panel_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace rankine::meshes {
namespace {

/// Places in the unit cube with sizes of three decades, some of them of a surface of 6 m^2.
std::vector<SizeSample> scattered(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<SizeSample> samples;
  for (std::size_t k = 0; k < count; ++k) {
    samples.push_back({.place = {unit(random), unit(random), unit(random)},
                       .size = std::pow(10.0, -3.0 * unit(random)),
                       .reach = 0.02 * unit(random),
                       .area = k % 2 == 0 ? 12.0 / static_cast<double>(count) : 0.0});
  }
  return samples;
}

/// The definition, without a tree.
double asked_at(const std::vector<SizeSample>& samples, double largest, const Vec3d& x) {
  double size = largest;
  for (const SizeSample& s : samples)
    size = std::min(size, s.size + 0.3 * std::max(0.0, norm(x - s.place) - s.reach));
  return size;
}

TEST(PanelSizes, AreTheLeastThatIsAskedFor) {
  const std::vector<SizeSample> samples = scattered(500);
  const PanelSizes sizes(samples, 0.5, 1e9);
  EXPECT_EQ(sizes.least(), 0.5 / 200.0);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> place(-1.0, 2.0);
  for (int k = 0; k < 500; ++k) {
    const Vec3d x{place(random), place(random), place(random)};
    EXPECT_EQ(sizes.at(x), std::max(sizes.least(), asked_at(samples, 0.5, x))) << k;
  }
}

TEST(PanelSizes, NeverGrowFasterThanAllowed) {
  const PanelSizes sizes(scattered(100), 0.5, 1e9);
  const Vec3d from{-1.0, 0.2, 0.3}, step{1e-3, 0.0, 0.0};
  for (int k = 0; k < 3000; ++k) {
    const Vec3d x = from + static_cast<double>(k) * step;
    // 1e-12: rounding of sizes and places below 3
    EXPECT_LE(std::abs(sizes.at(x + step) - sizes.at(x)), 0.3 * norm(step) + 1e-12) << k;
  }
}

TEST(PanelSizes, KeepTheBudgetByTheFinest) {
  const std::vector<SizeSample> samples = scattered(500);
  double before = 0.0;
  for (const double budget : {2e5, 2e4, 2e3}) {
    const PanelSizes sizes(samples, 0.5, budget);
    EXPECT_LE(sizes.panels(), budget);
    EXPECT_GT(sizes.panels(), 0.9 * budget) << "less than the budget allows";
    EXPECT_GT(sizes.least(), before);
    before = sizes.least();
    double panels = 0.0;  // of equilateral triangles, sqrt(3)/4 h^2 each
    for (const SizeSample& s : samples)
      panels += s.area / (0.25 * std::sqrt(3.0) * std::pow(sizes.at(s.place), 2));
    EXPECT_NEAR(sizes.panels(), panels, 1e-9 * panels);
  }
}

TEST(PanelSizes, WithoutFeaturesAreTheLargest) {
  const PanelSizes none({}, 0.25, 100.0);
  EXPECT_EQ(none.at({1.0, 2.0, 3.0}), 0.25);
  const PanelSizes flat({{.place = {}, .size = HUGE_VAL, .reach = 0.1, .area = 6.0}}, 0.25, 1e6);
  EXPECT_EQ(flat.at({}), 0.25);
  EXPECT_NEAR(flat.panels(), 6.0 / (0.25 * std::sqrt(3.0) * 0.0625), 1e-9);
  EXPECT_NEAR(PanelSizes::edge_for(6.0, flat.panels()), 0.25, 1e-12);
}

}  // namespace
}  // namespace rankine::meshes
