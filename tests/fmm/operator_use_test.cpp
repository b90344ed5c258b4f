// Promises of the CPU operator beyond tests/support/operator_contract.hpp.
#include <gtest/gtest.h>

#include <numeric>
#include <stop_token>
#include <thread>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t points_of_use = 2500;

Options small_leaves(double tolerance) {
  Options options;
  options.tolerance = tolerance;
  options.leaf_capacity = 20;
  options.direct_pairs = 0;
  return options;
}

std::vector<double> potential_of(Operator& op, const std::vector<double>& q, std::size_t targets,
                                 int rhs = 1) {
  std::vector<double> potential(targets * rhs);
  op.apply({q}, {potential}, rhs);
  return potential;
}

// a . (K b) = b . (K a) for sources = targets, within the error of either side.
TEST(OperatorUse, IsSymmetricWithinItsTolerance) {
  const auto points = make_points("sphere", points_of_use, 1);
  const auto a = make_strengths(points_of_use, 2), b = make_strengths(points_of_use, 3);
  const auto op = make_cpu_operator({points, points}, small_leaves(1e-8));
  const auto ka = potential_of(*op, a, points_of_use), kb = potential_of(*op, b, points_of_use);
  const double left = std::inner_product(a.begin(), a.end(), kb.begin(), 0.0);
  const double right = std::inner_product(b.begin(), b.end(), ka.begin(), 0.0);
  const double scale = std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                                 std::inner_product(kb.begin(), kb.end(), kb.begin(), 0.0));
  EXPECT_NEAR(left, right, 2e-8 * scale);
}

TEST(OperatorUse, GivesTheSameBitsAgainAndForAnyNumberOfThreads) {
  const auto points = make_points("graded", points_of_use, 1);
  const auto q = make_strengths(points_of_use, 2);
  Options options = small_leaves(1e-6);
  options.execution.threads = 1;
  const auto one = make_cpu_operator({points, points}, options);
  const auto first = potential_of(*one, q, points_of_use),
             again = potential_of(*one, q, points_of_use);
  EXPECT_EQ(first, again);
  options.execution.threads = 3;
  EXPECT_EQ(first, potential_of(*make_cpu_operator({points, points}, options), q, points_of_use));
}

// Two operators on two threads, each in the execution that it was given.
TEST(OperatorUse, AStoppedOperatorDoesNotStopAnother) {
  const auto points = make_points("clusters", points_of_use, 1);
  const auto q = make_strengths(points_of_use, 2);
  std::stop_source source;
  Options options{.execution = {.threads = 2, .stop = source.get_token()}, .direct_pairs = 0};
  const auto stopped = make_cpu_operator({points, points}, options);
  const auto before = potential_of(*stopped, q, points_of_use);
  options.execution = {.threads = 3};
  const auto other = make_cpu_operator({points, points}, options);
  source.request_stop();
  std::vector<double> meanwhile;
  std::thread beside([&] { meanwhile = potential_of(*other, q, points_of_use); });
  EXPECT_THROW(potential_of(*stopped, q, points_of_use), Stopped);
  EXPECT_THROW(stopped->move({points, points}), Stopped);
  beside.join();
  EXPECT_EQ(meanwhile, before);
}

// Normals of a single source, with several strengths along it: each is p n . (x - y) / r^3.
TEST(OperatorUse, OneDipoleMayLieAlongItsNormal) {
  const std::vector<Vec3d> source{{0.1, 0.2, 0.3}}, normal{normalized(Vec3d{1.0, -2.0, 0.5})};
  const auto targets = make_points("cube", 20, 1);
  Options options;
  options.dipoles = true;
  options.rhs = 2;
  const auto op = make_cpu_operator({source, targets, normal}, options);
  const std::vector<double> along{3.0, -0.5};
  std::vector<double> potential(2 * targets.size());
  op->apply({.normal_dipoles = along}, {potential}, 2);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Vec3d r = targets[i] - source[0];
    const double unit = dot(normal[0], r) / std::pow(norm(r), 3);
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(potential[c * targets.size() + i], along[c] * unit, 1e-13 * std::abs(unit));
  }
}

TEST(OperatorUse, BreakdownNamesThePasses) {
  const auto points = make_points("sphere", points_of_use, 1);
  const auto q = make_strengths(points_of_use, 2);
  std::vector<double> potential(points_of_use);
  const auto op = make_cpu_operator({points, points}, small_leaves(1e-4));
  std::vector<std::string> names;
  for (const PassTime& pass : op->breakdown({q}, {potential})) {
    EXPECT_GE(pass.seconds, 0.0);
    EXPECT_FALSE(std::string_view(pass.name) == "P2P" && pass.seconds == 0.0);
    names.push_back(pass.name);
  }
  for (const char* name : {"P2M", "M2M", "M2L", "L2L", "L2P", "P2P", "M2P", "P2L"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  EXPECT_EQ(potential, potential_of(*op, q, points_of_use));
}

}  // namespace
}  // namespace rankine::fmm
