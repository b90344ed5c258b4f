// What an operator keeps and changes when its points move.
#pragma once

#include "tests/support/operator_contract.hpp"

namespace rankine::testing {

TEST_P(EveryOperator, AMovedOperatorIsANewOne) {
  const auto here = make_points("cube", n, 1), there = make_points("graded", n, 2),
             others = make_points("plane", n / 2, 3), directions = normals(),
             elsewhere = make_points("sphere", n / 3, 4);
  Options chosen = options(0);
  chosen.tolerance = 1e-3;
  Options kept = chosen;  // moved points keep the order that was chosen
  for (const bool same : {true, false}) {
    const Points first{here, same ? std::span<const Vec3d>(here) : others, directions},
        second{there, same ? std::span<const Vec3d>(there) : elsewhere, directions};
    const auto moved = make(first, chosen);
    const Field before = backend_->apply(*moved, strengths(), 2);
    moved->move(second);
    kept.order = moved->info().order;
    const auto fresh = make(second, kept);
    const Field found = backend_->apply(*moved, strengths(), 2),
                wanted = backend_->apply(*fresh, strengths(), 2);
    expect_same(found, wanted);
    EXPECT_EQ(moved->info().near_pairs, fresh->info().near_pairs);
    moved->move(first);
    EXPECT_EQ(backend_->apply(*moved, strengths(), 2).hessian, before.hessian);
  }
}

TEST_P(EveryOperator, MovesToAnyNumberOfPoints) {
  const auto few = make_points("sphere", n / 3, 4), many = make_points("cube", n, 1);
  const std::vector<double> all = make_strengths(n, 5);
  const auto op = make({few, few}, options(0));
  for (const Points& next : {Points{many, many}, Points{few, many}, Points{few, few}}) {
    op->move(next);
    const HostStrengths charges{
        .charges = {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(next.sources.size())}};
    const auto fresh = make(next, options(op->info().order));
    expect_same(backend_->apply(*op, charges, 1), backend_->apply(*fresh, charges, 1));
    EXPECT_EQ(op->info().sources, static_cast<std::int64_t>(next.sources.size()));
    EXPECT_EQ(op->info().targets, static_cast<std::int64_t>(next.targets.size()));
  }
}

}  // namespace rankine::testing
