// Strengths that vary linearly on panels, and what takes their variation out of sums.
#include "rankine/bem/layers/linear_corrections.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/meshes/shapes/box.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

constexpr std::array both{Layer::single_layer, Layer::double_layer};

TEST(LinearCorrections, AreNothingWhereStrengthsDoNotVary) {
  for (const auto& mesh : {testing::graded_sphere(320), testing::cubed_sphere(384)}) {
    const Panels panels = make_panels(mesh);
    const CollocatedPanels discretization(panels, {});
    for (const SparseRows& rows : discretization.variation_corrections(both)) {
      ASSERT_EQ(rows.rows(), panels.size());
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        double sum = 0.0, size = 0.0;
        for (auto k = static_cast<std::size_t>(rows.pattern->offsets[i]);
             k < static_cast<std::size_t>(rows.pattern->offsets[i + 1]); ++k) {
          sum += rows.values[k];
          size += std::abs(rows.values[k]);
        }
        EXPECT_GT(size, 0.0);
        EXPECT_NEAR(sum, 0.0, 1e-13 * size);
      }
    }
  }
}

TEST(LinearStrengths, AreExactForLinearValuesOnAPlane) {
  const Panels panels = make_panels(meshes::make_box(600, {1.0, 2.0, 3.0}));
  const PanelNodes nodes = place_nodes(panels);
  const SparseRows p = linear_strengths(panels, nodes);
  const auto value = [](const Vec3d& x) { return 1.0 + 2.0 * x.x - 3.0 * x.y + 0.5 * x.z; };
  for (std::size_t node = 0; node < nodes.weights.size(); ++node) {
    double sum = 0.0;
    for (std::int64_t e = p.pattern->offsets[node]; e < p.pattern->offsets[node + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      sum += p.values[entry] *
             value(panels.centroid[static_cast<std::size_t>(p.pattern->columns[entry])]);
    }
    // Points of squares stand 1e-4 of their width beside the mean.
    EXPECT_NEAR(sum / nodes.weights[node], value(nodes.points[node]), 1e-3);
  }
}

TEST(LinearStrengths, KeepTheMeanOfEveryPanel) {
  const Panels panels = make_panels(testing::graded_sphere(500));
  const PanelNodes nodes = place_nodes(panels);
  const SparseRows p = linear_strengths(panels, nodes);
  std::vector<double> total(panels.size() * panels.size(), 0.0);
  for (std::size_t j = 0; j < panels.size(); ++j) {
    for (std::int64_t e = p.pattern->offsets[nodes.begin(j)]; e < p.pattern->offsets[nodes.end(j)];
         ++e) {
      const auto entry = static_cast<std::size_t>(e);
      total[j * panels.size() + static_cast<std::size_t>(p.pattern->columns[entry])] +=
          p.values[entry];
    }
  }
  for (std::size_t j = 0; j < panels.size(); ++j) {
    double weight = 0.0;
    for (std::size_t k = nodes.begin(j); k < nodes.end(j); ++k) weight += nodes.weights[k];
    for (std::size_t i = 0; i < panels.size(); ++i) {
      EXPECT_NEAR(total[j * panels.size() + i], i == j ? weight : 0.0, 1e-14);
    }
  }
}

}  // namespace
}  // namespace rankine::bem
