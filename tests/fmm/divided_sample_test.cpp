// A sample that several processes divide.
#include <gtest/gtest.h>

#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/truncation.hpp"
#include "tests/support/ranks.hpp"

namespace rankine::testing {
namespace {

TEST(Truncation, HasTheSameBitsInProcessesThatDivideTheSample) {
  const std::vector<Vec3d> points = fmm::make_points("clusters", 3000, 1);
  const fmm::Options options{.order = 8, .leaf_capacity = 30, .direct_pairs = 0};
  const fmm::Plan plan = fmm::make_plan({points, points}, options);
  const fmm::MortonPoints ordered = fmm::morton_points(plan.tree, {points, points});
  const auto error = [&](Communicator* processes) {
    return fmm::TruncationSample(plan.tree, ordered, options, plan.direct_threshold, 8, 10,
                                 processes)
        .relative_error(8);
  };
  const double alone = error(nullptr);
  EXPECT_GT(alone, 0.0);
  on_processes([&](Communicator& processes) { EXPECT_EQ(error(&processes), alone); });
}

}  // namespace
}  // namespace rankine::testing
