// The promises of every backend's operator in both precisions, besides the tolerance
// (tests/support/operator_promise.hpp): algebra, unusual inputs, moving points, messages. Included
// by one file of a test program, which defines make_operator_backend() and says for which kinds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <tuple>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/operator_backend.hpp"

namespace rankine::testing {

using fmm::make_points;
using fmm::make_strengths;
using fmm::Method;
using fmm::Precision;

class OperatorContract : public ::testing::Test {
 protected:
  void SetUp() override { backend_ = make_operator_backend(); }

  std::unique_ptr<Operator> make(const Points& points, const Options& options) {
    return backend_->make(points, options);
  }
  Field sum(const Points& points, const Options& options, const HostStrengths& given,
            int derivatives = 0, int rhs = 1) {
    return backend_->apply(*make(points, options), given, derivatives, rhs);
  }

  std::unique_ptr<OperatorBackend> backend_;
};

/// No direct sum for few points. Two thousand evenly spread points make 512 leaves for the FMM, so
/// that all its passes have work, and 64 for the treecode, which takes three quarters of the pairs
/// by expansions.
inline Options contract_options(double tolerance, Method method = Method::fmm,
                                Precision precision = Precision::float64) {
  Options options;
  options.method = method;
  options.precision = precision;
  options.tolerance = tolerance;
  options.leaf_capacity = method == Method::fmm ? 25 : 50;
  options.direct_pairs = 0;
  options.gradient = options.dipoles = options.hessian = true;
  return options;
}

inline void expect_close(const Field& found, const Field& exact, double tolerance,
                         const std::string& what) {
  EXPECT_LE(relative_error(found.potential, exact.potential), tolerance) << what;
  EXPECT_LE(relative_error(found.gradient, exact.gradient), tolerance) << what << ", gradient";
  EXPECT_LE(relative_error(found.hessian, exact.hessian), tolerance)
      << what << ", second derivatives";
}

inline void expect_same(const Field& found, const Field& wanted) {
  EXPECT_EQ(found.potential, wanted.potential);
  EXPECT_EQ(found.gradient, wanted.gradient);
  EXPECT_EQ(found.hessian, wanted.hessian);
}

inline std::string contract_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

using OperatorKind = std::tuple<Method, Precision>;
inline const auto every_kind =
    ::testing::Combine(::testing::Values(Method::direct, Method::treecode, Method::fmm),
                       ::testing::Values(Precision::float64, Precision::float32));
inline std::string kind_name(const ::testing::TestParamInfo<OperatorKind>& instance) {
  return std::string(fmm::to_string(std::get<0>(instance.param))) + "_" +
         std::string(fmm::to_string(std::get<1>(instance.param)));
}

/// Tests for every method and precision.
class EveryOperator : public OperatorContract, public ::testing::WithParamInterface<OperatorKind> {
 protected:
  static constexpr std::size_t n = 2000;

  Method method() const { return std::get<0>(GetParam()); }
  bool single() const { return std::get<1>(GetParam()) == Precision::float32; }
  /// `order`: 0 where errors are compared with the tolerance; identities hold for every order, and
  /// a given one saves its choice.
  Options options(int order = 8) const {
    Options result = contract_options(single() ? 1e-4 : 1e-6, method(), std::get<1>(GetParam()));
    result.order = order;
    return result;
  }
  /// Rounding of sums of some thousand terms in another order: 1e-16 and 6e-8 per term, a hundred
  /// times more if they cancel.
  double rounding() const { return single() ? 1e-5 : 1e-12; }

  HostStrengths strengths(std::size_t rhs = 1) const {
    HostStrengths given{make_strengths(n * rhs, 2), make_strengths(n * rhs, 3),
                        make_strengths(3 * n * rhs, 4)};
    for (double& each : given.normal_dipoles) each *= 0.01;
    for (double& each : given.dipoles) each *= 0.01;
    return given;
  }
  std::vector<Vec3d> normals() const { return make_points("sphere", n, 9); }
};

TEST_P(EveryOperator, IsLinear) {
  const auto points = make_points("cube", n, 1);
  const auto op = make({points, points}, options());
  const HostStrengths a{.charges = make_strengths(n, 2)}, b{.charges = make_strengths(n, 3)},
      c{.charges = combined(2.0, a.charges, -3.0, b.charges)};
  const Field of_a = backend_->apply(*op, a, 2), of_b = backend_->apply(*op, b, 2),
              of_c = backend_->apply(*op, c, 2);
  expect_close(of_c, combined(2.0, of_a, -3.0, of_b), rounding(), "linearity");
}

TEST_P(EveryOperator, TakesOtherOrders) {
  const auto points = make_points("sphere", n, 1), elsewhere = make_points("graded", n, 2),
             directions = normals();
  const Points given{points, points, directions};
  const HostStrengths charges{.charges = make_strengths(n, 2)};
  const auto sum_of = [&](Operator& op) { return backend_->apply(op, charges, 2); };
  Options exact = options();
  exact.method = Method::direct;
  exact.precision = Precision::float64;
  const Field wanted = sum_of(*make(given, exact));
  const auto op = make(given, options(5));
  const Field first = sum_of(*op);
  op->set_order(10);
  const Field second = sum_of(*op);
  if (method() != Method::direct) {
    EXPECT_EQ(op->info().order, 10);
    // The error of M2L to the nearest boxes falls from 10^-3.0 to 10^-5.0.
    EXPECT_LE(relative_error(second.potential, wanted.potential),
              0.03 * relative_error(first.potential, wanted.potential));
  }
  op->move({elsewhere, elsewhere, directions});
  op->move(given);
  expect_same(sum_of(*op), second);
  op->set_order(5);
  expect_same(sum_of(*op), first);
}

TEST_P(EveryOperator, DoesNotDependOnTheOrderOfThePoints) {
  const auto points = make_points("clusters", n, 1);
  const auto q = make_strengths(n, 2);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<Vec3d> shuffled(n);
  HostStrengths shuffled_q{.charges = std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    shuffled[i] = points[order[i]];
    shuffled_q.charges[i] = q[order[i]];
  }
  const Field straight = sum({points, points}, options(), {.charges = q});
  const Field mixed = sum({shuffled, shuffled}, options(), shuffled_q);
  std::vector<double> back(n);
  for (std::size_t i = 0; i < n; ++i) back[order[i]] = mixed.potential[i];
  EXPECT_LE(relative_error(back, straight.potential), rounding());
}

TEST_P(EveryOperator, GivesTheSameBitsAgain) {
  const auto points = make_points("graded", n, 1), directions = normals();
  const auto op = make({points, points, directions}, options());
  const Field once = backend_->apply(*op, strengths(), 2),
              again = backend_->apply(*op, strengths(), 2);
  expect_same(once, again);
}

// Also for leaves of very different sizes and low orders, so that every pass has work, including
// P2L and M2P.
TEST_P(EveryOperator, SeveralRightHandSidesEqualOneAtATime) {
  constexpr std::size_t rhs = 7;
  const HostStrengths all = strengths(rhs);
  const auto directions = normals();
  for (const std::string_view name : {"sphere", "clusters"}) {
    const auto points = make_points(name, n, 1);
    const auto op = make({points, points, directions}, options(name == "clusters" ? 4 : 8));
    // Right-hand sides share directions only if all dipoles are along normals.
    for (const auto& [charges, along, free] : {std::array{true, true, true},
                                               {true, false, false},
                                               {false, true, false},
                                               {true, true, false}}) {
      if (!free && name == "clusters") continue;
      HostStrengths some;
      if (charges) some.charges = all.charges;
      if (along) some.normal_dipoles = all.normal_dipoles;
      if (free) some.dipoles = all.dipoles;
      const Field together = backend_->apply(*op, some, 2, rhs);
      for (std::size_t k = 0; k < rhs; ++k) {
        const HostStrengths one{part(some.charges, n, k), part(some.normal_dipoles, n, k),
                                part(some.dipoles, 3 * n, k)};
        expect_close({part(together.potential, n, k), part(together.gradient, 3 * n, k),
                      part(together.hessian, 6 * n, k)},
                     backend_->apply(*op, one, 2), rounding(),
                     std::string(name) + ", right-hand side " + std::to_string(k) + " of charges " +
                         std::to_string(charges) + ", along normals " + std::to_string(along));
      }
    }
  }
}

TEST_P(EveryOperator, NormalDipolesAreDipolesAlongTheNormals) {
  const auto points = make_points("cube", n, 1), directions = normals();
  const auto mu = make_strengths(n, 3);
  std::vector<double> moments;
  for (std::size_t i = 0; i < n; ++i) {
    for (int axis = 0; axis < 3; ++axis) moments.push_back(mu[i] * directions[i][axis]);
  }
  const auto op = make({points, points, directions}, options());
  EXPECT_LE(relative_error(backend_->apply(*op, {.normal_dipoles = mu}).potential,
                           backend_->apply(*op, {.dipoles = moments}).potential),
            single() ? 1e-6 : 1e-14);
}

// The sum of charges, dipoles along the normals and free dipoles is the sum of their separate
// results.
TEST_P(EveryOperator, StrengthsAddUp) {
  const auto points = make_points("sphere", n, 1), directions = normals();
  const HostStrengths all = strengths();
  const auto op = make({points, points, directions}, options());
  const Field together = backend_->apply(*op, all, 2);
  const Field of_charges = backend_->apply(*op, {.charges = all.charges}, 2),
              of_normal = backend_->apply(*op, {.normal_dipoles = all.normal_dipoles}, 2),
              of_free = backend_->apply(*op, {.dipoles = all.dipoles}, 2);
  expect_close(together, combined(1.0, combined(1.0, of_charges, 1.0, of_normal), 1.0, of_free),
               rounding(), "charges and dipoles");
}

// div grad phi = 0 away from the sources, for every pair and expansion. Roots must be precise,
// since the trace of a pair is proportional to 1 - r^2 u^2.
TEST_P(EveryOperator, SecondDerivativesAreHarmonic) {
  const auto points = make_points("cube", n, 1), directions = normals();
  Options precise = options();
  if (!single()) precise.tolerance = 1e-11;
  const Field field = sum({points, points, directions}, precise, strengths(), 2);
  double trace = 0.0, size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* h = field.hessian.data() + 6 * i;
    trace += (h[0] + h[3] + h[5]) * (h[0] + h[3] + h[5]);
    for (int c = 0; c < 6; ++c) size += h[c] * h[c];
  }
  EXPECT_LE(std::sqrt(trace / size), rounding());
}

// Small leaves with few points, where the next points in memory are many edges away: the fourteenth
// power of such a distance exceeds float.
TEST_P(EveryOperator, TakesFewPointsInSmallBoxes) {
  constexpr std::size_t sources = 1000, targets = 300;
  const auto from = make_points("clusters", sources, 1), to = make_points("clusters", targets, 2);
  const std::vector<double> charges(sources, 1.0);  // nothing cancels
  Options small = options(0);
  small.tolerance = single() ? 1e-5 : 1e-6;
  small.leaf_capacity = 8;
  small.hessian = small.dipoles = false;
  const auto op = make({from, to}, small);
  const Field found = backend_->apply(*op, {.charges = charges}, 1),
              exact = direct_sum(from, to, charges, {}, 1);
  constexpr double nothing_lost = 1e-3;  // an overflow would spoil everything
  expect_close(found, exact, nothing_lost, "small boxes");
}

// Coincident points, and points on both sides of a face of boxes that are closer than the working
// precision resolves in their leaves. The root's edge is 2, and its middle is such a face. Second
// derivatives of dipoles 1e-10 apart exceed the range of float. A direct sum in float may keep only
// 48 bits of positions.
TEST_P(EveryOperator, TakesClosePointsAcrossFacesOfBoxes) {
  constexpr std::size_t count = 400;
  Options asked = options(0);
  asked.tolerance = 1e-4;  // a pair that is summed wrongly errs by its size
  for (const double gap : {0.0, 1e-20, 1e-12, 1e-9, 1e-6}) {
    if (single() && method() == Method::direct && gap > 0.0 && gap < 1e-9) continue;
    auto points = make_points("cube", count, 1);
    for (Vec3d& p : points) p = 2.0 * p - Vec3d{1.0, 1.0, 1.0};
    points.front() = {-1.0, -1.0, -1.0};
    points.back() = {1.0, 1.0, 1.0};
    for (std::size_t i = 1; i <= 20; ++i) {
      const double y = -0.95 + 0.09 * static_cast<double>(i);
      points[2 * i - 1] = {-gap, y, 0.3};
      points[2 * i] = {gap, y, 0.3};
    }
    const auto op = make({points, points}, asked);
    for (const HostStrengths& given : {HostStrengths{.charges = make_strengths(count, 2)},
                                       HostStrengths{.dipoles = make_strengths(3 * count, 4)}}) {
      const Field found = backend_->apply(*op, given, 2),
                  exact = direct_sum(points, points, given.charges, given.dipoles, 2);
      // All points together, and the other points alone.
      for (const std::size_t from : {0, 41}) {
        const auto rest = [&](const Field& field) {
          return Field{part_from(field.potential, from), part_from(field.gradient, 3 * from),
                       part_from(field.hessian, 6 * from)};
        };
        expect_close(rest(found), rest(exact), asked.tolerance,
                     "gap " + std::to_string(gap) + " from " + std::to_string(from));
      }
    }
  }
}

TEST_P(EveryOperator, TakesNothingAndOneAndTwoAndCoincidentPoints) {
  const std::vector<Vec3d> none, one = {{1.0, 2.0, 3.0}}, other = {{1.0, 2.0, 7.0}},
                                 same(100, Vec3d{2.0, 3.0, 4.0});
  Options by_default = options(0);
  by_default.direct_pairs = Options{}.direct_pairs;
  const HostStrengths unit{.charges = {1.0}};
  for (const Options& each : {options(0), by_default}) {
    EXPECT_EQ(sum({none, one}, each, {}).potential, std::vector<double>{0.0});
    EXPECT_TRUE(sum({one, none}, each, unit).potential.empty());
    EXPECT_TRUE(sum({none, none}, each, {}).potential.empty());
    EXPECT_EQ(sum({one, one}, each, unit).potential, std::vector<double>{0.0});
    EXPECT_EQ(sum({same, same}, each, {.charges = std::vector<double>(100, 1.0)}).potential,
              std::vector<double>(100, 0.0));
    const Field pair = sum({one, other}, each, {.charges = {3.0}, .dipoles = {0.0, 0.0, 2.0}}, 2);
    // q/r + mu/r^2, -q/r^2 - 2 mu/r^3, 2 q/r^3 + 6 mu/r^4 along the line of both
    const double scale = each.tolerance;
    EXPECT_NEAR(pair.potential[0], 3.0 / 4.0 + 2.0 / 16.0, scale);
    EXPECT_NEAR(pair.gradient[2], -3.0 / 16.0 - 4.0 / 64.0, scale);
    EXPECT_NEAR(pair.gradient[0], 0.0, scale);
    EXPECT_NEAR(pair.hessian[5], 6.0 / 64.0 + 12.0 / 256.0, scale);
    EXPECT_NEAR(pair.hessian[0], -0.5 * (6.0 / 64.0 + 12.0 / 256.0), scale);
  }
}

// Operators share no memory that they write.
TEST_P(EveryOperator, DifferentOperatorsRunAtOnceInDifferentThreads) {
  constexpr int threads = 3, repeats = 2;
  const auto points = make_points("cube", n, 1), directions = normals();
  const Field alone = sum({points, points, directions}, options(), strengths(), 2);
  std::vector<int> equal(threads, 0);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      const auto op = make({points, points, directions}, options());
      for (int i = 0; i < repeats; ++i) {
        const Field field = backend_->apply(*op, strengths(), 2);
        equal[static_cast<std::size_t>(t)] +=
            field.potential == alone.potential && field.hessian == alone.hessian ? 1 : 0;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(equal, std::vector<int>(threads, repeats));
}

TEST_P(EveryOperator, SaysWhatIsWrongWithItsArguments) {
  const auto points = make_points("cube", 20, 1);
  const auto op = make({points, points}, options());
  const std::vector<double> q(20, 1.0);
  std::vector<double> phi(20);
  const auto message = [](auto&& call) { return message_of<InputError>(call); };
  const auto of_apply = [&](const fmm::Strengths& given, const fmm::Results& wanted, int rhs = 1) {
    return message([&] { op->apply(given, wanted, rhs); });
  };
  const auto of_move = [&](const Points& to) { return message([&] { op->move(to); }); };
  const auto of_make = [&](const Points& at, const Options& given) {
    return message([&] { make(at, given); });
  };
  // Sizes are checked before anything is read, so these arrays need not be in the backend's memory.
  EXPECT_EQ(of_apply({}, {phi}), "apply was given no strengths; pass charges or dipoles");
  EXPECT_EQ(of_apply({q}, {}),
            "apply was asked for nothing; pass an array for the potential or its derivatives");
  EXPECT_TRUE(says(of_apply({.normal_dipoles = q}, {phi}), "without normals"));
  EXPECT_EQ(of_apply({std::span(q).first(7)}, {phi}),
            "charges hold 7 values, but 1 right-hand side of 20 sources needs 20");
  EXPECT_EQ(of_apply({.dipoles = q}, {phi}, 2),
            "dipoles hold 20 values, but 2 right-hand sides of 20 sources need 120");
  EXPECT_EQ(of_apply({q}, {.gradient = phi}),
            "the gradient holds 20 values, but 1 right-hand side of 20 targets needs 60");
  EXPECT_EQ(of_apply({q}, {.hessian = phi}),
            "the second derivatives hold 20 values, but 1 right-hand side of 20 targets needs 120");
  EXPECT_TRUE(says(of_apply({q}, {phi}, 0), "0 right-hand sides"));
  EXPECT_EQ(of_move({points, points, points}),
            "there are 20 normals for 20 sources, but the operator was built without; give none");
  const auto fewer = make_points("cube", 19, 1);
  EXPECT_TRUE(says(of_make({points, points, fewer}, options()), "19 normals for 20"));
  auto broken = points;
  broken[3].y = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(says(of_make({broken, points}, options()), "number 3"));
  const Field before = backend_->apply(*op, {.charges = q});
  EXPECT_TRUE(says(of_move({broken, points}), "number 3"));
  EXPECT_EQ(backend_->apply(*op, {.charges = q}).potential, before.potential);
  for (const double tolerance : {0.0, 1e-13, 0.5, std::nan("")}) {
    Options refused = options();
    refused.tolerance = tolerance;
    EXPECT_TRUE(says(of_make({points, points}, refused), "tolerance"));
  }
}

}  // namespace rankine::testing
