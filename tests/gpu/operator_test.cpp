// The CUDA operator against the CPU's and against direct sums, for every method, precision, kind of
// strength and result.
#include "rankine/gpu/sums/cuda_operator.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
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
  bool charges = true, normal_dipoles = false, dipoles = false, gradient = false;
};

struct Values {
  std::vector<double> potential, gradient;
};

Values on_cpu(const Problem& p, const fmm::Options& options, const Wanted& wanted) {
  Values values;
  values.potential.resize(p.target_count() * p.rhs);
  values.gradient.resize(wanted.gradient ? 3 * p.target_count() * p.rhs : 0);
  const auto op = fmm::make_cpu_operator(p.points(), options);
  fmm::Strengths strengths;
  if (wanted.charges) strengths.charges = p.charges;
  if (wanted.normal_dipoles) strengths.normal_dipoles = p.normal_dipoles;
  if (wanted.dipoles) strengths.dipoles = p.dipoles;
  op->apply(strengths, {values.potential, values.gradient}, p.rhs);
  return values;
}

Values on_device(const Problem& p, const fmm::Options& options, const Wanted& wanted) {
  const auto stream = std::make_shared<const Stream>();
  const auto op = make_cuda_operator(p.points(), options, stream);
  const DeviceBuffer<double> charges(p.charges, *stream), normal_dipoles(p.normal_dipoles, *stream),
      dipoles(p.dipoles, *stream);
  DeviceBuffer<double> potential(p.target_count() * p.rhs, *stream),
      gradient(wanted.gradient ? 3 * p.target_count() * p.rhs : 0, *stream);
  potential.upload(std::vector<double>(potential.size(), std::nan("")), *stream);
  gradient.upload(std::vector<double>(gradient.size(), std::nan("")), *stream);
  fmm::Strengths strengths;
  if (wanted.charges) strengths.charges = charges.span();
  if (wanted.normal_dipoles) strengths.normal_dipoles = normal_dipoles.span();
  if (wanted.dipoles) strengths.dipoles = dipoles.span();
  op->apply(strengths, {potential.span(), gradient.span()}, p.rhs);
  op->synchronize();
  return {potential.download(*stream), gradient.download(*stream)};
}

fmm::Options options_for(fmm::Method method, fmm::Precision precision, double tolerance,
                         int leaf_capacity = 24) {
  fmm::Options options;
  options.method = method;
  options.precision = precision;
  options.tolerance = tolerance;
  options.leaf_capacity = leaf_capacity;
  options.direct_pairs = 0;  // the methods themselves, however few the points
  return options;
}

using CudaOperator = DeviceTest;

// Same plan, same expansions: what differs is the order of additions, hence rounding alone. At
// 1e-11 both compute reciprocal square roots to full precision.
void expect_parity(const Problem& p, fmm::Method method, fmm::Precision precision,
                   const Wanted& wanted, int order = 16) {
  const bool wide = precision == fmm::Precision::float64;
  fmm::Options options = options_for(method, precision, wide ? 1e-11 : 1e-4);
  options.order = wide ? order : 0;
  const Values cpu = on_cpu(p, options, wanted), device = on_device(p, options, wanted);
  const double limit = wide ? 1e-12 : 1e-5;
  EXPECT_LE(relative_error(device.potential, cpu.potential), limit);
  if (wanted.gradient) {
    EXPECT_LE(relative_error(device.gradient, cpu.gradient), limit);
  }
}

TEST_F(CudaOperator, AgreesWithTheCpuForEveryKindOfStrength) {
  const Problem p = make_problem("sphere", 1500);
  for (const fmm::Precision precision : {fmm::Precision::float64, fmm::Precision::float32}) {
    for (const Wanted& wanted :
         {Wanted{true, false, false, false}, Wanted{true, false, false, true},
          Wanted{false, true, false, false}, Wanted{false, false, true, true},
          Wanted{true, true, false, false}, Wanted{true, true, true, true}}) {
      SCOPED_TRACE(
          std::string(fmm::to_string(precision)) + ", charges " + std::to_string(wanted.charges) +
          ", normal dipoles " + std::to_string(wanted.normal_dipoles) + ", dipoles " +
          std::to_string(wanted.dipoles) + ", gradient " + std::to_string(wanted.gradient));
      expect_parity(p, fmm::Method::fmm, precision, wanted);
      expect_parity(p, fmm::Method::treecode, precision, wanted);
    }
  }
}

// Quick roots err by at most 1.3e-12, so a sum errs by at most that part of the sum of its terms'
// magnitudes, a gradient, whose terms are cubes of roots, by three times as much. One leaf holds
// all points: nothing but pairs is summed.
TEST_F(CudaOperator, QuickRootsKeepTwelveDigitsOfEveryTerm) {
  constexpr int n = 300;
  const Problem p = make_problem("cube", n);
  const Wanted wanted{true, false, false, true};
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
                  {true, true, false, true});
  }
}

// Lanes share the work of an order in ways that depend on it.
TEST_F(CudaOperator, AgreesWithTheCpuForEveryOrder) {
  const Problem p = make_problem("graded", 600);
  for (int order = 1; order < fmm::max_order; ++order) {
    SCOPED_TRACE("order " + std::to_string(order));
    expect_parity(p, fmm::Method::fmm, fmm::Precision::float64, {true, true, false, true}, order);
  }
}

TEST_F(CudaOperator, AgreesWithTheCpuForOtherTargetsAndSeveralRightHandSides) {
  const Problem p = make_problem("graded", 1200, 3, false);
  expect_parity(p, fmm::Method::fmm, fmm::Precision::float64, {true, false, true, true});
  expect_parity(p, fmm::Method::treecode, fmm::Precision::float64, {true, false, true, true});
}

/// The right-hand sides of `all` from `rhs` on, one at a time.
Problem one_of(const Problem& all, int rhs) {
  Problem one = all;
  one.rhs = 1;
  const auto n = static_cast<std::ptrdiff_t>(all.sources.size());
  const auto cut = [&](std::vector<double>& values, std::ptrdiff_t width) {
    values.assign(values.begin() + width * n * rhs, values.begin() + width * n * (rhs + 1));
  };
  cut(one.charges, 1);
  cut(one.normal_dipoles, 1);
  cut(one.dipoles, 3);
  return one;
}

// Together and alone differ in the order in which a leaf's pairs are added.
TEST_F(CudaOperator, SeveralRightHandSidesEqualEachAlone) {
  for (const int count : {2, 4, 5}) {
    const Problem all = make_problem("sphere", 1500, count);
    for (const fmm::Precision precision : {fmm::Precision::float64, fmm::Precision::float32}) {
      const bool wide = precision == fmm::Precision::float64;
      const fmm::Options options = options_for(fmm::Method::fmm, precision, wide ? 1e-6 : 1e-4);
      const double limit = wide ? 1e-13 : 1e-5;
      for (const Wanted& wanted :
           {Wanted{true, false, false, false}, Wanted{true, false, false, true},
            Wanted{false, true, false, false}, Wanted{false, true, false, true}}) {
        const Values together = on_device(all, options, wanted);
        const std::size_t n = all.target_count();
        for (int k = 0; k < count; ++k) {
          const Values alone = on_device(one_of(all, k), options, wanted);
          const auto part = [&](const std::vector<double>& values, std::size_t width) {
            return std::vector<double>(values.begin() + width * n * k,
                                       values.begin() + width * n * (k + 1));
          };
          EXPECT_LE(relative_error(part(together.potential, 1), alone.potential), limit);
          if (!wanted.gradient) continue;
          EXPECT_LE(relative_error(part(together.gradient, 3), alone.gradient), limit);
        }
      }
    }
  }
}

TEST_F(CudaOperator, KeepsTheToleranceAgainstTheDirectSum) {
  const Problem p = make_problem("cube", 2500);
  const Values exact = on_cpu(p, options_for(fmm::Method::direct, fmm::Precision::float64, 1e-12),
                              {true, false, false, false});
  for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
    SCOPED_TRACE(tolerance);
    const Values values =
        on_device(p, options_for(fmm::Method::fmm, fmm::Precision::float64, tolerance), {});
    EXPECT_LE(relative_error(values.potential, exact.potential), tolerance);
  }
}

TEST_F(CudaOperator, GivesTheSameBitsAgain) {
  const Problem p = make_problem("clusters", 1500);
  const fmm::Options options = options_for(fmm::Method::fmm, fmm::Precision::float32, 1e-4);
  const Values once = on_device(p, options, {true, true, true, true}),
               again = on_device(p, options, {true, true, true, true});
  EXPECT_EQ(once.potential, again.potential);
  EXPECT_EQ(once.gradient, again.gradient);
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

TEST_F(CudaOperator, TakesOneAndTwoPoints) {
  for (const std::size_t n : {1u, 2u}) {
    const Problem p = make_problem("cube", n);
    const Values cpu =
        on_cpu(p, options_for(fmm::Method::direct, fmm::Precision::float64, 1e-12), {});
    const Values device =
        on_device(p, options_for(fmm::Method::fmm, fmm::Precision::float64, 1e-12), {});
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(device.potential[i], cpu.potential[i], 1e-12 * std::abs(cpu.potential[i]));
  }
}

}  // namespace
}  // namespace rankine::gpu
