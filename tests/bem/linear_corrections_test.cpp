#include "rankine/bem/layers/linear_corrections.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "rankine/bem/layers/collocated_panels.hpp"
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

}  // namespace
}  // namespace rankine::bem
