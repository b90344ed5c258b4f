// The CUDA operator against the CPU operator for every method, precision, kind of strength and
// result, in addition to tests/support/operator_contract.hpp.
#include "rankine/gpu/sums/cuda_operator.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "tests/gpu/cuda_operators.hpp"
#include "tests/support/cpu_operators.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

struct Problem {
  std::vector<Vec3d> sources, targets, normals;
  std::vector<double> charges, normal_dipoles, dipoles;  ///< for `rhs` right-hand sides
  int rhs = 1;
  bool same_points = true;

  fmm::Points points() const {
    const std::span<const Vec3d> s(sources);
    return {s, same_points ? s : std::span<const Vec3d>(targets), normals};
  }
  std::size_t target_count() const { return same_points ? sources.size() : targets.size(); }
};

Problem make_problem(std::string_view distribution, std::size_t n, int rhs = 1,
                     bool same_points = true) {
  Problem p;
  p.rhs = rhs;
  p.same_points = same_points;
  p.sources = fmm::make_points(distribution, n, 1);
  if (!same_points) p.targets = fmm::make_points(distribution, n / 2 + 1, 7);
  p.charges = fmm::make_strengths(n * rhs, 2);
  p.normal_dipoles = fmm::make_strengths(n * rhs, 3);
  p.dipoles = fmm::make_strengths(3 * n * rhs, 4);
  for (double& value : p.normal_dipoles) value *= 0.01;
  for (double& value : p.dipoles) value *= 0.01;
  for (const Vec3d& x : fmm::make_points("sphere", n, 5)) p.normals.push_back(x);
  return p;
}

struct Wanted {
  bool charges = true, normal_dipoles = false, dipoles = false;
  int derivatives = 0;
};

using Values = testing::Field;

/// The strengths that are wanted.
testing::HostStrengths strengths(const Problem& p, const Wanted& wanted) {
  return {wanted.charges ? p.charges : std::vector<double>{},
          wanted.normal_dipoles ? p.normal_dipoles : std::vector<double>{},
          wanted.dipoles ? p.dipoles : std::vector<double>{}};
}

Values on_cpu(const Problem& p, const fmm::Options& options, const Wanted& wanted) {
  testing::CpuOperators cpu;
  return cpu.apply(*cpu.make(p.points(), options), strengths(p, wanted), wanted.derivatives, p.rhs);
}

Values on_device(const Problem& p, const fmm::Options& options, const Wanted& wanted) {
  CudaOperators device;
  return device.apply(*device.make(p.points(), options), strengths(p, wanted), wanted.derivatives,
                      p.rhs);
}

fmm::Options options_for(fmm::Method method, fmm::Precision precision, double tolerance,
                         int leaf_capacity = 24) {
  fmm::Options options;
  options.method = method;
  options.precision = precision;
  options.tolerance = tolerance;
  options.leaf_capacity = leaf_capacity;
  options.direct_pairs = 0;  // tests the methods themselves for any number of points
  return options;
}

using CudaOperator = testing::DeviceTest;

// The plans and expansions are the same; only the order of additions, and so rounding, differs. At
// 1e-11 both compute reciprocal square roots to full precision.
void expect_parity(const Problem& p, fmm::Method method, fmm::Precision precision,
                   const Wanted& wanted, int order = 16) {
  const bool wide = precision == fmm::Precision::float64;
  fmm::Options options = options_for(method, precision, wide ? 1e-11 : 1e-4);
  options.order = wide ? order : 0;
  const Values cpu = on_cpu(p, options, wanted), device = on_device(p, options, wanted);
  const double limit = wide ? 1e-12 : 1e-5;
  EXPECT_LE(relative_error(device.potential, cpu.potential), limit);
  EXPECT_LE(relative_error(device.gradient, cpu.gradient), limit);
  EXPECT_LE(relative_error(device.hessian, cpu.hessian), limit);
}

TEST_F(CudaOperator, AgreesWithTheCpuForEveryKindOfStrength) {
  const Problem p = make_problem("sphere", 1500);
  for (const fmm::Precision precision : {fmm::Precision::float64, fmm::Precision::float32}) {
    for (const Wanted& wanted : {Wanted{true, false, false, 0}, Wanted{true, false, false, 1},
                                 Wanted{false, true, false, 0}, Wanted{false, false, true, 2},
                                 Wanted{true, true, false, 0}, Wanted{true, true, true, 2}}) {
      SCOPED_TRACE(
          std::string(fmm::to_string(precision)) + ", charges " + std::to_string(wanted.charges) +
          ", normal dipoles " + std::to_string(wanted.normal_dipoles) + ", dipoles " +
          std::to_string(wanted.dipoles) + ", derivatives " + std::to_string(wanted.derivatives));
      expect_parity(p, fmm::Method::fmm, precision, wanted);
      expect_parity(p, fmm::Method::treecode, precision, wanted);
    }
  }
}

// Quick roots have a relative error of at most 1.3e-12. So the error of a sum is at most that
// fraction of the sum of its terms' magnitudes, and three times as much for a gradient, whose terms
// are cubes of roots. All points are in one leaf, so that only pairs are summed.
TEST_F(CudaOperator, QuickRootsKeepTwelveDigitsOfEveryTerm) {
  constexpr int n = 300;
  const Problem p = make_problem("cube", n);
  const Wanted wanted{true, false, false, 1};
  const auto sums = [&](double tolerance) {
    fmm::Options options = options_for(fmm::Method::fmm, fmm::Precision::float64, tolerance, n);
    return on_device(p, options, wanted);
  };
  const Values precise = sums(1e-11), quick = sums(1e-9);
  constexpr double root_error = 1.3e-12, rounding = 1e-15;
  for (int i = 0; i < n; ++i) {
    double potential = 0.0, gradient = 0.0;
    for (int j = 0; j < n; ++j) {
      const double r = norm(p.sources[i] - p.sources[j]);
      if (j == i) continue;
      potential += std::abs(p.charges[j]) / r;
      gradient += std::abs(p.charges[j]) / (r * r);
    }
    EXPECT_NEAR(quick.potential[i], precise.potential[i], (root_error + rounding) * potential);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(quick.gradient[3 * i + axis], precise.gradient[3 * i + axis],
                  3.0 * (root_error + rounding) * gradient);
    }
  }
  EXPECT_NE(quick.potential, precise.potential);
}

TEST_F(CudaOperator, AgreesWithTheCpuOnEveryDistribution) {
  for (const std::string_view name : fmm::distribution_names()) {
    SCOPED_TRACE(std::string(name));
    expect_parity(make_problem(name, 1200), fmm::Method::fmm, fmm::Precision::float64,
                  {true, true, false, 2});
  }
}

// The distribution of the work over lanes depends on the order.
TEST_F(CudaOperator, AgreesWithTheCpuForEveryOrder) {
  const Problem p = make_problem("graded", 600);
  for (int order = 1; order < fmm::max_order; ++order) {
    SCOPED_TRACE("order " + std::to_string(order));
    expect_parity(p, fmm::Method::fmm, fmm::Precision::float64, {true, true, false, 2}, order);
  }
}

TEST_F(CudaOperator, AgreesWithTheCpuForOtherTargetsAndSeveralRightHandSides) {
  const Problem p = make_problem("graded", 1200, 3, false);
  expect_parity(p, fmm::Method::fmm, fmm::Precision::float64, {true, false, true, 2});
  expect_parity(p, fmm::Method::treecode, fmm::Precision::float64, {true, false, true, 2});
}

TEST_F(CudaOperator, OneGraphServesOtherArraysAndStrengths) {
  const Problem p = make_problem("sphere", 800);
  const auto stream = std::make_shared<const Stream>();
  const auto op = make_cuda_operator(
      p.points(), options_for(fmm::Method::fmm, fmm::Precision::float64, 1e-6), stream);
  std::vector<double> doubled = p.charges;
  for (double& q : doubled) q *= 2.0;
  const DeviceBuffer<double> first(p.charges, *stream), second(doubled, *stream);
  DeviceBuffer<double> a(800, *stream), b(800, *stream);
  op->apply({first.span()}, {a.span()});
  op->apply({second.span()}, {b.span()});
  const std::vector<double> once = a.download(*stream);
  std::vector<double> twice = b.download(*stream);
  for (double& value : twice) value *= 0.5;  // powers of two are exact
  EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace rankine::gpu
