// A sample that several processes divide.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributed/distributed_operator.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/truncation.hpp"
#include "tests/support/ranked_operators.hpp"
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

// Processes choose orders for a sample of more than 2^17 points and boxes for the points that they
// own. All choose the same, and sums are as accurate and boxes as large as those of one process.
TEST(DividedSample, OfManyPointsKeepsTheTolerance) {
  constexpr std::size_t sources = 72000, targets = 60000, every = 300;
  for (const std::string_view name : {"cube", "plummer"}) {
    const std::vector<Vec3d> from = fmm::make_points(name, sources, 1),
                             to = fmm::make_points(name, targets, 2);
    const std::vector<double> charges = fmm::make_strengths(sources, 3);
    std::vector<Vec3d> some;
    for (std::size_t i = 0; i < targets; i += every) some.push_back(to[i]);
    std::vector<double> exact(some.size()), exact_gradient(3 * some.size());
    fmm::make_cpu_operator({from, some}, {.method = fmm::Method::direct, .gradient = true})
        ->apply({.charges = charges}, {.potential = exact, .gradient = exact_gradient});
    const fmm::Options options{.tolerance = 1e-3, .gradient = true};
    const fmm::OperatorInfo alone = fmm::make_cpu_operator({from, to}, options)->info();
    ThreadRanks(3, 1).run([&](Communicator& processes) {
      const auto part = [&](auto& values, std::size_t width) {
        return part_of(std::span(values), static_cast<std::size_t>(processes.rank()), 3, width);
      };
      const auto op =
          fmm::make_distributed_operator(processes, {part(from, 1), part(to, 1)}, options);
      std::array<double, 2> chosen{1.0 * op->info().order, 1.0 * op->info().leaf_capacity};
      const std::array<double, 2> own = chosen;
      processes.maximum(chosen);
      EXPECT_EQ(own, chosen) << name;
      EXPECT_EQ(op->info().kept_tolerance, options.tolerance) << name;
      EXPECT_NEAR(op->info().order, alone.order, 1) << name;
      EXPECT_NEAR(std::log2(1.0 * op->info().leaf_capacity / alone.leaf_capacity), 0.0, 1.0)
          << name;
      std::vector<double> mine(part(to, 1).size()), slopes(3 * mine.size());
      op->apply({.charges = part(charges, 1)}, {.potential = mine, .gradient = slopes});
      std::vector<double> all(targets), all_slopes(3 * targets);
      processes.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
      processes.gather(std::as_bytes(std::span(slopes)),
                       std::as_writable_bytes(std::span(all_slopes)));
      std::vector<double> found, found_slopes;
      for (std::size_t i = 0; i < targets; i += every) {
        found.push_back(all[i]);
        for (std::size_t k = 0; k < 3; ++k) found_slopes.push_back(all_slopes[3 * i + k]);
      }
      EXPECT_LE(relative_error(found, exact), options.tolerance) << name;
      EXPECT_LE(relative_error(found_slopes, exact_gradient), options.tolerance) << name;
    });
  }
}

}  // namespace
}  // namespace rankine::testing
