// How an operator behaves whatever the distribution: algebra, small and odd inputs, determinism,
// errors.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/operator.hpp"
#include "tests/support/reference_sum.hpp"

namespace rankine::fmm {
namespace {

using testing::direct_sum;
using testing::relative_error;

constexpr std::size_t n = 2500;

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

TEST(OperatorUse, IsLinear) {
  const auto points = make_points("cube", n, 1);
  const auto a = make_strengths(n, 2), b = make_strengths(n, 3);
  const auto op = make_cpu_operator({points, points}, small_leaves(1e-5));
  std::vector<double> sum(n), expected(n);
  for (std::size_t i = 0; i < n; ++i) sum[i] = 2.0 * a[i] - 3.0 * b[i];
  const auto pa = potential_of(*op, a, n), pb = potential_of(*op, b, n),
             ps = potential_of(*op, sum, n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = 2.0 * pa[i] - 3.0 * pb[i];
  EXPECT_LE(relative_error(ps, expected), 1e-13);  // rounding alone, whatever the tolerance
}

// a . (K b) = b . (K a) for sources = targets, within the error of either side.
TEST(OperatorUse, IsSymmetricWithinItsTolerance) {
  const auto points = make_points("sphere", n, 1);
  const auto a = make_strengths(n, 2), b = make_strengths(n, 3);
  const auto op = make_cpu_operator({points, points}, small_leaves(1e-8));
  const auto ka = potential_of(*op, a, n), kb = potential_of(*op, b, n);
  const double left = std::inner_product(a.begin(), a.end(), kb.begin(), 0.0);
  const double right = std::inner_product(b.begin(), b.end(), ka.begin(), 0.0);
  const double scale = std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                                 std::inner_product(kb.begin(), kb.end(), kb.begin(), 0.0));
  EXPECT_NEAR(left, right, 2e-8 * scale);
}

TEST(OperatorUse, DoesNotDependOnTheOrderOfThePoints) {
  const auto points = make_points("clusters", n, 1);
  const auto q = make_strengths(n, 2);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<Vec3d> shuffled(n);
  std::vector<double> shuffled_q(n), back(n);
  for (std::size_t i = 0; i < n; ++i) {
    shuffled[i] = points[order[i]];
    shuffled_q[i] = q[order[i]];
  }
  const auto p = potential_of(*make_cpu_operator({points, points}, small_leaves(1e-6)), q, n);
  const auto s =
      potential_of(*make_cpu_operator({shuffled, shuffled}, small_leaves(1e-6)), shuffled_q, n);
  for (std::size_t i = 0; i < n; ++i) back[order[i]] = s[i];
  EXPECT_LE(relative_error(back, p), 1e-12);
}

TEST(OperatorUse, GivesTheSameBitsAgainAndForAnyNumberOfThreads) {
  const auto points = make_points("graded", n, 1);
  const auto q = make_strengths(n, 2);
  Options options = small_leaves(1e-6);
  options.threads = 1;
  const auto one = make_cpu_operator({points, points}, options);
  const auto first = potential_of(*one, q, n), again = potential_of(*one, q, n);
  EXPECT_EQ(first, again);
  options.threads = 3;
  EXPECT_EQ(first, potential_of(*make_cpu_operator({points, points}, options), q, n));
}

TEST(OperatorUse, SeveralRightHandSidesEqualOneAtATime) {
  constexpr int rhs = 7;
  const auto points = make_points("sphere", n, 1);
  const auto q = make_strengths(n * rhs, 2), d = make_strengths(3 * n * rhs, 3);
  Options options = small_leaves(1e-6);
  options.rhs = rhs;
  const auto op = make_cpu_operator({points, points}, options);
  std::vector<double> potential(n * rhs), gradient(3 * n * rhs), one(n), one_gradient(3 * n);
  op->apply({.charges = q, .dipoles = d}, {potential, gradient}, rhs);
  for (int k = 0; k < rhs; ++k) {
    op->apply({.charges = std::span(q).subspan(k * n, n),
               .dipoles = std::span(d).subspan(3 * k * n, 3 * n)},
              {one, one_gradient});
    const std::vector<double> part(potential.begin() + k * n, potential.begin() + (k + 1) * n);
    const std::vector<double> gradient_part(gradient.begin() + 3 * k * n,
                                            gradient.begin() + 3 * (k + 1) * n);
    EXPECT_LE(relative_error(part, one), 1e-13);
    EXPECT_LE(relative_error(gradient_part, one_gradient), 1e-13);
  }
}

TEST(OperatorUse, NormalDipolesAreDipolesAlongTheNormals) {
  const auto points = make_points("cube", n, 1), normals = make_points("sphere", n, 2);
  const auto mu = make_strengths(n, 3);
  std::vector<double> moments;
  for (std::size_t i = 0; i < n; ++i) {
    for (int axis = 0; axis < 3; ++axis) moments.push_back(mu[i] * normals[i][axis]);
  }
  const auto op = make_cpu_operator({points, points, normals}, small_leaves(1e-6));
  std::vector<double> along(n), free(n);
  op->apply({.normal_dipoles = mu}, {along});
  op->apply({.dipoles = moments}, {free});
  EXPECT_LE(relative_error(along, free), 1e-14);
}

TEST(OperatorUse, OnePairIsThePairFormula) {
  const std::vector<Vec3d> source = {{1.0, 2.0, 3.0}}, target = {{1.0, 2.0, 7.0}};
  for (const Method method : {Method::direct, Method::treecode, Method::fmm}) {
    Options options;
    options.method = method;
    const auto op = make_cpu_operator({source, target}, options);
    const double q = 3.0, d[3] = {0.0, 0.0, 2.0};
    double potential = -1.0, gradient[3] = {-1.0, -1.0, -1.0};
    op->apply({.charges = {&q, 1}, .dipoles = d}, {{&potential, 1}, gradient});
    EXPECT_NEAR(potential, 3.0 / 4.0 + 2.0 * 4.0 / 64.0, 1e-8);
    EXPECT_NEAR(gradient[0], 0.0, 1e-8);
    EXPECT_NEAR(gradient[2], -3.0 / 16.0 + 2.0 / 64.0 - 3.0 * 8.0 * 4.0 / 1024.0, 1e-8);
  }
}

TEST(OperatorUse, TakesNothingOnePointAndCoincidentPoints) {
  const std::vector<Vec3d> none, one = {{1.0, 1.0, 1.0}}, same(100, Vec3d{2.0, 3.0, 4.0});
  const std::vector<double> no_charge, unit = {1.0}, q(100, 1.0);
  EXPECT_EQ(potential_of(*make_cpu_operator({none, one}, {}), no_charge, 1),
            std::vector<double>{0.0});
  EXPECT_TRUE(potential_of(*make_cpu_operator({one, none}, {}), unit, 0).empty());
  EXPECT_EQ(potential_of(*make_cpu_operator({one, one}, {}), unit, 1), std::vector<double>{0.0});
  for (const double phi :
       potential_of(*make_cpu_operator({same, same}, small_leaves(1e-6)), q, 100))
    EXPECT_EQ(phi, 0.0);
}

TEST(OperatorUse, SaysWhatIsWrongWithItsArguments) {
  const auto points = make_points("cube", 20, 1);
  const auto op = make_cpu_operator({points, points}, {});
  std::vector<double> q(20), potential(20);
  const auto message = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_NE(message([&] { op->apply({}, {potential}); }).find("no strengths"), std::string::npos);
  EXPECT_NE(message([&] { op->apply({q}, {}); }).find("asked for nothing"), std::string::npos);
  EXPECT_NE(message([&] { op->apply({.normal_dipoles = q}, {potential}); }).find("without normals"),
            std::string::npos);
  EXPECT_EQ(message([&] { op->apply({.charges = std::span(q).first(7)}, {potential}); }),
            "charges hold 7 values, but 1 right-hand side of 20 sources needs 20");
  EXPECT_EQ(message([&] { op->apply({.charges = q}, {.gradient = potential}); }),
            "the gradient holds 20 values, but 1 right-hand side of 20 targets needs 60");
  EXPECT_EQ(message([&] { op->apply({.dipoles = q}, {potential}, 2); }),
            "dipoles hold 20 values, but 2 right-hand sides of 20 sources need 120");
  const std::vector<Vec3d> too_few(3);
  EXPECT_NE(message([&] {
              make_cpu_operator({points, points, too_few}, {});
            }).find("3 normals for 20"),
            std::string::npos);
  EXPECT_NE(message([&] { make_points("ring", 3, 1); }).find("choose one of cube"),
            std::string::npos);
}

TEST(OperatorUse, BreakdownNamesThePasses) {
  const auto points = make_points("sphere", n, 1);
  const auto q = make_strengths(n, 2);
  std::vector<double> potential(n);
  const auto op = make_cpu_operator({points, points}, small_leaves(1e-4));
  std::vector<std::string> names;
  for (const PassTime& pass : op->breakdown({q}, {potential})) {
    EXPECT_GE(pass.seconds, 0.0);
    names.push_back(pass.name);
  }
  for (const char* name : {"P2M", "M2M", "M2L", "L2L", "L2P", "P2P", "M2P", "P2L"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  EXPECT_EQ(potential, potential_of(*op, q, n));
}

}  // namespace
}  // namespace rankine::fmm
