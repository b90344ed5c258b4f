// Lines along exact velocities and along those of a solved flow.
#include "rankine/bem/fields/streamlines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

/// A velocity that is known everywhere outside the unit sphere, or where `solid` is false
/// everywhere.
template <class Velocity>
VelocityField exact_field(Velocity velocity, bool solid, std::size_t* calls = nullptr) {
  return [=](std::span<const Vec3d> points) {
    VelocitySample sample;
    for (const Vec3d& x : points) {
      const bool inside = solid && norm(x) < 1.0;
      sample.velocity.push_back(inside ? Vec3d{} : velocity(x));
      sample.inside.push_back(inside ? 1 : 0);
    }
    if (calls != nullptr) ++*calls;
    return sample;
  };
}

/// Stokes' stream function of the unit sphere in a stream along x over its speed [L32 sec. 95].
double stream_function(const Vec3d& x) {
  const double across2 = x.y * x.y + x.z * x.z, r = norm(x);
  return 0.5 * across2 * (1.0 - 1.0 / (r * r * r));
}

std::vector<Vec3d> rake(double x) {
  std::vector<Vec3d> seeds;
  for (int k = 0; k < 12; ++k) {
    const double across = 0.05 + 0.15 * k, angle = 0.7 * k;
    seeds.push_back({x, across * std::cos(angle), across * std::sin(angle)});
  }
  return seeds;
}

TEST(Streamlines, GoRoundInASolidRotation) {
  std::size_t calls = 0;
  const VelocityField spin = exact_field(
      [](const Vec3d& x) {
        return Vec3d{-x.y, x.x, 0.5};
      },
      false, &calls);
  for (const double tolerance : {1e-5, 1e-7}) {
    calls = 0;
    const StreamlineOptions options{.length = 6.0, .tolerance = tolerance, .most_step = 1.0};
    const std::vector<Vec3d> seeds{{1.0, 0.0, 0.0}, {0.0, -2.0, 1.0}, {0.1, 0.2, 0.0}};
    const std::vector<Streamline> lines = trace_streamlines(spin, seeds, options);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const double radius = std::hypot(seeds[i].x, seeds[i].y);
      EXPECT_EQ(lines[i].end, LineEnd::length);
      EXPECT_NEAR(lines[i].s.back(), options.length, 1e-12);
      // The helix at that arc length; errors of steps that were taken add up, at most.
      const double time = options.length / std::hypot(radius, 0.5),
                   angle = std::atan2(seeds[i].y, seeds[i].x) + time;
      const Vec3d end{radius * std::cos(angle), radius * std::sin(angle), seeds[i].z + 0.5 * time};
      const double steps = static_cast<double>(lines[i].points.size());
      EXPECT_LT(norm(lines[i].points.back() - end), steps * tolerance);
      longest = std::max(longest, lines[i].points.size());
    }
    // All lines share the evaluations: one at the seeds and three for each step of the longest, and
    // of some that were made again.
    EXPECT_LE(calls, 1 + 3 * (longest + longest / 2 + 2));
  }
}

/// A hundredth of the tolerance takes 100^(1/3) = 4.6 times the steps of a pair whose error is of
/// third order a step.
TEST(Streamlines, TakeStepsOfThirdOrder) {
  const VelocityField flow = exact_field(
      [](const Vec3d& x) {
        return SphereFlow{{1.0, 0.0, 0.0}}.velocity(x);
      },
      true);
  const auto steps = [&](double tolerance) {
    const std::vector<Vec3d> seeds{{-3.0, 0.3, 0.1}};
    return static_cast<double>(
        trace_streamlines(flow, seeds, {.length = 6.0, .tolerance = tolerance, .most_step = 6.0})[0]
            .points.size());
  };
  EXPECT_NEAR(steps(1e-9) / steps(1e-7), std::cbrt(100.0), 0.5);
}

TEST(Streamlines, KeepTheStreamFunctionOfASphere) {
  const VelocityField flow = exact_field(
      [](const Vec3d& x) {
        return SphereFlow{{1.0, 0.0, 0.0}}.velocity(x);
      },
      true);
  const double tolerance = 1e-7;
  for (const bool upstream : {false, true}) {
    const std::vector<Streamline> lines = trace_streamlines(
        flow, rake(upstream ? 3.0 : -3.0),
        {.length = 6.5, .tolerance = tolerance, .most_step = 0.2, .upstream = upstream});
    for (const Streamline& line : lines) {
      EXPECT_EQ(line.end, LineEnd::length);
      EXPECT_LT((upstream ? -1.0 : 1.0) * line.points.front().x, 0.0);
      const double psi = stream_function(line.points.front());
      double drift = 0.0;  // |grad psi| is the speed times the distance from the axis
      for (const Vec3d& x : line.points) {
        EXPECT_NEAR(stream_function(x), psi, drift + 1e-15);
        drift += 1.5 * std::hypot(x.y, x.z) * tolerance;
      }
    }
  }
}

TEST(Streamlines, GoBothWaysAtOnceAsTheyDoOneAfterTheOther) {
  const SphereFlow flow{{1.0, 0.0, 0.0}};
  std::size_t calls = 0;
  const VelocityField field =
      exact_field([&](const Vec3d& x) { return flow.velocity(x); }, true, &calls);
  const std::vector<Vec3d> seeds = rake(-1.5);
  StreamlineOptions options{.length = 3.0, .tolerance = 1e-6, .most_step = 0.3};
  const std::vector<Streamline> down = trace_streamlines(field, seeds, options);
  options.upstream = true;
  const std::vector<Streamline> up = trace_streamlines(field, seeds, options);
  const std::size_t calls_apart = std::exchange(calls, 0);
  const LinesOfBothSenses both = trace_both_senses(field, seeds, options);
  EXPECT_LT(calls, calls_apart);
  ASSERT_EQ(both.downstream.size(), seeds.size());
  ASSERT_EQ(both.upstream.size(), seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    EXPECT_EQ(both.downstream[i].s, down[i].s) << i;
    EXPECT_EQ(both.upstream[i].s, up[i].s) << i;
    EXPECT_EQ(norm(both.downstream[i].points.back() - down[i].points.back()), 0.0) << i;
    EXPECT_EQ(norm(both.upstream[i].points.back() - up[i].points.back()), 0.0) << i;
    EXPECT_EQ(both.downstream[i].end, down[i].end) << i;
    EXPECT_GT(both.downstream[i].points.back().x, seeds[i].x + 0.1) << i;
    EXPECT_LT(both.upstream[i].points.back().x, seeds[i].x - 1.0) << i;
  }
}

TEST(Streamlines, EndWhereTheyMust) {
  // Straight at a sphere, which velocities along x do not avoid.
  const VelocityField blind = exact_field([](const Vec3d&) { return Vec3d{2.0, 0.0, 0.0}; }, true);
  const StreamlineOptions options{.length = 10.0,
                                  .tolerance = 1e-6,
                                  .most_step = 0.3,
                                  .box = {{-4.0, -4.0, -4.0}, {3.0, 4.0, 4.0}}};
  const std::vector<Vec3d> seeds{
      {-3.0, 0.0, 0.0}, {-3.0, 2.0, 0.0}, {0.0, 0.5, 0.0}, {5.0, 0.0, 0.0}};
  const std::vector<Streamline> lines = trace_streamlines(blind, seeds, options);
  EXPECT_EQ(lines[0].end, LineEnd::body);
  EXPECT_LE(lines[0].points.back().x, -1.0);
  EXPECT_GT(lines[0].points.back().x, -1.0 - 4.0 * options.tolerance);
  EXPECT_EQ(lines[1].end, LineEnd::box);
  EXPECT_NEAR(lines[1].points.back().x, 3.0, 1e-12);
  EXPECT_NEAR(lines[1].s.back(), 6.0, 1e-12);
  EXPECT_EQ(lines[2].end, LineEnd::body);
  EXPECT_EQ(lines[2].points.size(), 1u);
  EXPECT_EQ(lines[3].end, LineEnd::box);
  EXPECT_EQ(lines[3].points.size(), 1u);
  // Towards a plane beyond which nothing moves.
  const VelocityField still = exact_field(
      [](const Vec3d& x) {
        return Vec3d{std::max(-x.x, 0.0), 0.0, 0.0};
      },
      false);
  const std::vector<Vec3d> one{{-0.5, 0.4, 0.0}};
  const std::vector<Streamline> ending = trace_streamlines(still, one, options);
  EXPECT_EQ(ending[0].end, LineEnd::stagnation);
  EXPECT_NEAR(ending[0].points.back().x, 0.0, 5.0 * options.tolerance);
  EXPECT_TRUE(testing::says(
      testing::message_of<InputError>([&] { trace_streamlines(still, one, {.length = -1.0}); }),
      "streamlines: the length is -1"));
}

/// psi changes along a line by no more than what the velocity across it is off, and the errors of
/// its steps.
TEST(Streamlines, EndAfterTheLargestNumberOfSteps) {
  const VelocityField uniform = exact_field(
      [](const Vec3d&) {
        return Vec3d{1.0, 0.0, 0.0};
      },
      false);
  const std::vector<Vec3d> seeds(2);
  StreamlineOptions options{.length = 1e6, .most_step = 0.5, .most_steps = 40};
  for (const Streamline& line : trace_streamlines(uniform, seeds, options)) {
    EXPECT_EQ(line.end, LineEnd::steps);
    EXPECT_EQ(line.points.size(), 41U);
    EXPECT_NEAR(line.points.back().x, 20.0, 1e-12);
  }
  options.length = 20.0;
  EXPECT_EQ(trace_streamlines(uniform, seeds, options).front().end, LineEnd::length);
}

TEST(Streamlines, OfASolvedFlowKeepTheStreamFunctionAsWellAsItIsSolved) {
  const FlowProblem problem{.panels = make_panels(testing::jittered_sphere(1280)),
                            .stream = {1.0, 0.0, 0.0}};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, {}, *backend);
  FieldEvaluator field(problem, solution, {}, *backend);
  const VelocityField velocity = [&](std::span<const Vec3d> points) {
    Field found = field.at(points);
    return VelocitySample{std::move(found.velocity), std::move(found.inside)};
  };
  const double tolerance = 1e-5;
  const std::vector<Streamline> lines = trace_streamlines(
      velocity, rake(-3.0), {.length = 6.0, .tolerance = tolerance, .most_step = 0.2});
  const SphereFlow exact{problem.stream};
  for (const Streamline& line : lines) {
    EXPECT_EQ(line.end, LineEnd::length);
    const VelocitySample found = velocity(line.points);
    const double psi = stream_function(line.points.front());
    double drift = 0.0, last = 0.0, most = 0.0;
    for (std::size_t k = 0; k < line.points.size(); ++k) {
      const Vec3d& x = line.points[k];
      const double across = std::hypot(x.y, x.z);
      const double rate = across * norm(found.velocity[k] - exact.velocity(x)) /
                          norm(found.velocity[k]) * norm(exact.velocity(x));
      // Between points the error is taken as linear, which it is not quite.
      if (k > 0) drift += (line.s[k] - line.s[k - 1]) * (rate + last) + 1.5 * across * tolerance;
      last = rate;
      EXPECT_NEAR(stream_function(x), psi, drift + 1e-12);
      most = std::max(most, std::abs(stream_function(x) - psi));
    }
    EXPECT_LT(most, 2e-3);  // of a rake 1.7 wide
  }
}

}  // namespace
}  // namespace rankine::bem
