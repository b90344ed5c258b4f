// Sums over several processes, however they are played (tests/support/ranks.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributed/distributed_operator.hpp"
#include "rankine/fmm/distributed/part.hpp"
#include "rankine/fmm/distributed/work.hpp"
#include "rankine/fmm/distributions.hpp"
#include "tests/support/ranked_operators.hpp"
#include "tests/support/ranks.hpp"

namespace rankine::testing {
namespace {

using fmm::make_points;
using fmm::make_strengths;

struct Problem {
  std::vector<Vec3d> sources, targets;
  std::vector<double> charges;

  fmm::Points points() const { return {sources, targets}; }
};

Problem problem(std::string_view name, std::size_t sources, std::size_t targets) {
  Problem result{make_points(name, sources, 1), {}, make_strengths(sources, 2)};
  result.targets = targets == 0 ? result.sources : make_points(name, targets, 3);
  return result;
}

/// Charges and potentials with gradients; of one process all points.
std::vector<double> sums_of_one(const Problem& given, const fmm::Options& options) {
  std::vector<double> potential(given.targets.size()), gradient(3 * given.targets.size());
  fmm::make_cpu_operator(given.points(), options)
      ->apply({.charges = given.charges}, {.potential = potential, .gradient = gradient});
  potential.insert(potential.end(), gradient.begin(), gradient.end());
  return potential;
}

/// The same of a process's part of the points, gathered in all processes.
std::vector<double> distributed_sums(Communicator& processes, const Problem& given,
                                     const fmm::Options& options, int applications = 1) {
  const auto rank = static_cast<std::size_t>(processes.rank()),
             size = static_cast<std::size_t>(processes.size());
  const std::span<const Vec3d> all_sources(given.sources), all_targets(given.targets);
  const auto sources = part_of(all_sources, rank, size), targets = part_of(all_targets, rank, size);
  const auto charges = part_of(std::span<const double>(given.charges), rank, size);
  const auto op = fmm::make_distributed_operator(processes, {sources, targets}, options);
  std::vector<double> potential(targets.size()), gradient(3 * targets.size());
  for (int k = 0; k < applications; ++k)
    op->apply({.charges = charges}, {.potential = potential, .gradient = gradient});
  std::vector<double> all(given.targets.size()), all_gradients(3 * given.targets.size());
  processes.gather(std::as_bytes(std::span(potential)), std::as_writable_bytes(std::span(all)));
  processes.gather(std::as_bytes(std::span(gradient)),
                   std::as_writable_bytes(std::span(all_gradients)));
  all.insert(all.end(), all_gradients.begin(), all_gradients.end());
  return all;
}

struct Row {
  const char* points;
  std::size_t sources, targets;  ///< 0 targets: the sources
  fmm::Method method;
  double tolerance;
};

// Expansions of a process are those of a single one, up to boxes that are divided at cuts. So sums
// agree to the tolerance, and with one process exactly.
TEST(Processes, SumAsOneDoes) {
  const Row rows[] = {{"cube", 2000, 0, fmm::Method::fmm, 1e-6},
                      {"sphere", 2000, 0, fmm::Method::fmm, 1e-4},
                      {"sphere", 2000, 1500, fmm::Method::fmm, 1e-8},
                      {"graded", 2000, 0, fmm::Method::fmm, 1e-5},
                      {"two-bodies", 2000, 0, fmm::Method::fmm, 1e-6},
                      {"plummer", 2000, 1500, fmm::Method::treecode, 1e-4},
                      {"line", 1800, 0, fmm::Method::treecode, 1e-5},
                      {"helix", 2000, 0, fmm::Method::fmm, 1e-5},
                      {"coincident", 2000, 0, fmm::Method::fmm, 1e-5},
                      {"cube", 800, 0, fmm::Method::direct, 1e-6},
                      {"cube", 9, 4, fmm::Method::fmm, 1e-6}};
  for (const Row& row : rows) {
    const Problem given = problem(row.points, row.sources, row.targets);
    fmm::Options options{
        .method = row.method, .tolerance = row.tolerance, .gradient = true, .direct_pairs = 0};
    const std::vector<double> expected = sums_of_one(given, options);
    on_processes([&](Communicator& processes) {
      const std::vector<double> sums = distributed_sums(processes, given, options);
      EXPECT_LE(relative_error(sums, expected), row.tolerance)
          << row.points << " in " << processes.size() << " processes";
      if (processes.size() == 1) {
        EXPECT_EQ(sums, expected);
      }
    });
  }
}

// Kernels whose boxes may not be small, and strengths of other kinds.
TEST(Processes, SumVorticesAndSoftenedDipoles) {
  const Problem given = problem("ring", 2000, 0);
  const std::vector<double> moments = make_strengths(3 * given.sources.size(), 4),
                            radii(given.sources.size(), 0.02);
  struct Case {
    fmm::Options options;
    bool vortices;
  };
  const Case cases[] = {{{.kernel = fmm::Kernel::vortex_gaussian,
                          .tolerance = 1e-5,
                          .gradient = true,
                          .direct_pairs = 0},
                         true},
                        {{.kernel = fmm::Kernel::plummer,
                          .softening = 1e-3,
                          .tolerance = 1e-4,
                          .dipoles = true,
                          .direct_pairs = 0},
                         false}};
  for (const Case& each : cases) {
    const auto points_of = [&](auto&& part) {
      return fmm::Points{
          part(std::span<const Vec3d>(given.sources), 1),
          part(std::span<const Vec3d>(given.targets), 1),
          {},
          each.vortices ? part(std::span<const double>(radii), 1) : std::span<const double>{}};
    };
    const auto apply = [&](fmm::Operator& op, std::span<const double> strengths,
                           std::span<double> values) {
      if (each.vortices) {
        op.apply({.vortices = strengths}, {.velocity = values});
      } else {
        op.apply({.dipoles = strengths}, {.gradient = values});
      }
    };
    const auto whole = [](auto values, std::size_t) { return values; };
    std::vector<double> expected(3 * given.targets.size()), all(expected.size());
    apply(*fmm::make_cpu_operator(points_of(whole), each.options), moments, expected);
    on_processes([&](Communicator& processes) {
      const auto part = [&](auto values, std::size_t width) {
        return part_of(values, static_cast<std::size_t>(processes.rank()),
                       static_cast<std::size_t>(processes.size()), width);
      };
      const auto op = fmm::make_distributed_operator(processes, points_of(part), each.options);
      const auto strengths = part(std::span<const double>(moments), 3);
      std::vector<double> values(strengths.size()), sums(all.size());
      apply(*op, strengths, values);
      processes.gather(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(sums)));
      EXPECT_LE(relative_error(sums, expected), each.options.tolerance);
    });
  }
}

TEST(Processes, HaveTheSameBitsEachTime) {
  const Problem given = problem("sphere", 5000, 0);
  const fmm::Options options{.gradient = true, .direct_pairs = 0};
  on_processes([&](Communicator& processes) {
    EXPECT_EQ(distributed_sums(processes, given, options),
              distributed_sums(processes, given, options, 2));
  });
}

TEST(Processes, WithoutPointsStayInStep) {
  Problem given = problem("cube", 4000, 0);
  const fmm::Options options{.gradient = true, .direct_pairs = 0};
  const std::vector<double> expected = sums_of_one(given, options);
  on_processes([&](Communicator& processes) {
    // The last process gives all points; the others give none.
    const bool last = processes.rank() == processes.size() - 1;
    const std::size_t count = last ? given.sources.size() : 0;
    const auto points = std::span<const Vec3d>(given.sources).first(count);
    const auto op = fmm::make_distributed_operator(processes, {points, points}, options);
    std::vector<double> potential(count), gradient(3 * count);
    op->apply({.charges = std::span<const double>(given.charges).first(count)},
              {.potential = potential, .gradient = gradient});
    potential.insert(potential.end(), gradient.begin(), gradient.end());
    if (last) {
      EXPECT_LE(relative_error(potential, expected), options.tolerance);
    }
  });
}

TEST(Processes, WithAllPointsShareTheWork) {
  const Problem given = problem("sphere", 5000, 3000);
  const fmm::Options options{.gradient = true, .direct_pairs = 0};
  const std::vector<double> expected = sums_of_one(given, options);
  on_processes([&](Communicator& processes) {
    const auto op = fmm::make_replicated_operator(processes, given.points(), options);
    const std::size_t n = given.targets.size();
    std::vector<double> sums(4 * n);
    op->apply({.charges = given.charges},
              {.potential = std::span(sums).first(n), .gradient = std::span(sums).subspan(n)});
    EXPECT_LE(relative_error(sums, expected), options.tolerance);
    std::vector<double> all(sums.size() * static_cast<std::size_t>(processes.size()));
    processes.gather(std::as_bytes(std::span(sums)), std::as_writable_bytes(std::span(all)));
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], sums[i % sums.size()]);
    const fmm::Options free{.dipoles = true, .direct_pairs = 0};
    const auto moments = make_strengths(3 * given.sources.size(), 5);
    std::vector<double> of_one(n), shared(n);
    fmm::make_cpu_operator(given.points(), free)->apply({.dipoles = moments}, {of_one});
    fmm::make_replicated_operator(processes, given.points(), free)
        ->apply({.dipoles = moments}, {shared});
    EXPECT_LE(relative_error(shared, of_one), free.tolerance);
  });
}

// Each process has other sources, the first of several none; all have the same targets.
TEST(Processes, WithOwnSourcesReceiveTheSumsOfAll) {
  for (const fmm::Method method : {fmm::Method::fmm, fmm::Method::treecode, fmm::Method::direct}) {
    const Problem given = problem("sphere", 3000, 700);
    const std::size_t n = given.sources.size(), m = given.targets.size();
    const fmm::Options options{.method = method, .gradient = true, .rhs = 2, .direct_pairs = 0};
    const auto charges = make_strengths(2 * n, 5);
    const auto sums_with = [&](fmm::Operator& op, std::span<const double> strengths) {
      std::vector<double> sums(8 * m);
      op.apply(
          {.charges = strengths},
          {.potential = std::span(sums).first(2 * m), .gradient = std::span(sums).subspan(2 * m)},
          2);
      return sums;
    };
    std::vector<Vec3d> shifted = given.targets;
    for (Vec3d& x : shifted) x += Vec3d{0.02, -0.01, 0.03};
    const auto one = fmm::make_cpu_operator(given.points(), options);
    const std::vector<double> expected = sums_with(*one, charges);
    one->move({given.sources, shifted});
    const std::vector<double> moved = sums_with(*one, charges);
    on_processes([&](Communicator& processes) {
      const auto rank = static_cast<std::size_t>(processes.rank()),
                 size = static_cast<std::size_t>(processes.size());
      const std::size_t begin = rank <= 1 ? 0 : n * (rank - 1) / size,
                        end = size == 1 || rank == size - 1 ? n : n * rank / size;
      const auto sources = std::span<const Vec3d>(given.sources).subspan(begin, end - begin);
      std::vector<double> own;
      for (std::size_t k = 0; k < 2; ++k)
        own.insert(own.end(), charges.data() + k * n + begin, charges.data() + k * n + end);
      const auto op = fmm::make_replicated_operator(processes, {sources, given.targets}, options,
                                                    fmm::SourcesOf::process);
      EXPECT_LE(relative_error(sums_with(*op, own), expected), options.tolerance);
      op->move({sources, shifted});
      EXPECT_LE(relative_error(sums_with(*op, own), moved), options.tolerance);
    });
  }
}

TEST(Processes, FollowPointsThatMove) {
  Problem given = problem("sphere", 5000, 0);
  const fmm::Options options{.gradient = true, .direct_pairs = 0};
  Problem moved = given;
  for (Vec3d& x : moved.sources) x = Vec3d{2.0 * x.y + 1.0, x.z, -x.x};
  moved.targets = moved.sources;
  const std::vector<double> expected = sums_of_one(moved, options);
  on_processes([&](Communicator& processes) {
    const auto rank = static_cast<std::size_t>(processes.rank()),
               size = static_cast<std::size_t>(processes.size());
    const auto part = [&](const Problem& of) {
      const auto points = part_of(std::span<const Vec3d>(of.sources), rank, size);
      return fmm::Points{points, points};
    };
    const auto op = fmm::make_distributed_operator(processes, part(given), options);
    op->move(part(moved));
    const auto charges = part_of(std::span<const double>(given.charges), rank, size);
    std::vector<double> potential(charges.size());
    op->apply({.charges = charges}, {.potential = potential});
    std::vector<double> all(given.charges.size());
    processes.gather(std::as_bytes(std::span(potential)), std::as_writable_bytes(std::span(all)));
    EXPECT_LE(relative_error(all, {expected.begin(),
                                   expected.begin() + static_cast<std::ptrdiff_t>(all.size())}),
              options.tolerance);
  });
}

TEST(Processes, AllFailWhereOneDoes) {
  on_processes([](Communicator& processes) {
    std::vector<Vec3d> points = make_points("cube", 100, 1);
    const bool last = processes.rank() == processes.size() - 1;
    if (last) points[7].y = std::numeric_limits<double>::quiet_NaN();
    if (last) {
      EXPECT_THROW(fmm::make_distributed_operator(processes, {points, points}, {}), InputError);
    } else {
      EXPECT_THROW(fmm::make_distributed_operator(processes, {points, points}, {}), Stopped);
    }
  });
}

// All processes go back to the orders before if the memory of one is insufficient for the new ones.
TEST(Processes, AllLackTheMemoryThatOneLacks) {
  on_processes([](Communicator& processes) {
    const auto fail_on_last = [&](const auto& failure) {
      agreed(processes, [&] {
        if (processes.rank() == processes.size() - 1) throw failure;
      });
    };
    if (processes.rank() == processes.size() - 1) {
      EXPECT_THROW(fail_on_last(std::bad_alloc()), std::bad_alloc);
      EXPECT_THROW(fail_on_last(InputError("wrong")), InputError);
    } else {
      EXPECT_THROW(fail_on_last(std::bad_alloc()), DeviceMemoryError);
      EXPECT_THROW(fail_on_last(InputError("wrong")), Stopped);
    }
  });
}

/// Divided equally, parts of these points have up to 1.6 times the mean work. The second division
/// misses its aim by the boxes that it does not cut, and by lists that its own boundaries change.
TEST(Processes, DivideTheWorkEqually) {
  for (const std::string_view name : {"graded", "plummer", "clusters"}) {
    const Problem given = problem(name, 30000, 0);
    on_processes([&](Communicator& processes) {
      const auto points =
          part_of(std::span<const Vec3d>(given.sources), static_cast<std::size_t>(processes.rank()),
                  static_cast<std::size_t>(processes.size()));
      const fmm::Options options{.order = 6, .leaf_capacity = 60, .direct_pairs = 0};
      fmm::Part part(processes, {points, points}, options);
      EXPECT_GE(part.imbalance(), 1.0) << name << ", " << processes.size();
      EXPECT_LE(part.imbalance(), 1.15) << name << ", " << processes.size();
    });
  }
}

// Each target has its pairs, and a share of the translations of its boxes.
TEST(Work, IsThatOfTheLists) {
  const Problem given = problem("plummer", 20000, 5000);
  const fmm::Options options{.leaf_capacity = 60, .direct_pairs = 0};
  const fmm::Plan plan = fmm::make_plan(given.points(), options);
  const fmm::OperatorInfo info = plan.info();
  const auto total = [&](const fmm::PassCosts& costs) {
    const std::vector<double> each = fmm::seconds_per_target(plan, costs);
    EXPECT_EQ(each.size(), given.targets.size());
    return std::accumulate(each.begin(), each.end(), 0.0);
  };
  const auto pairs = static_cast<double>(info.near_pairs);
  EXPECT_NEAR(total({.pair = 1.0}), pairs, 1e-9 * pairs);
  EXPECT_NEAR(total({.m2l = 1.0}), static_cast<double>(plan.lists.far.items.size()), 1e-6);
}

}  // namespace
}  // namespace rankine::testing
