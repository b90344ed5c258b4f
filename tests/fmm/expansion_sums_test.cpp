// P2M, P2L, L2P and M2P of the SIMD kernels against the expansion of 1/|x - y| written out.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/dual.hpp"
#include "rankine/fmm/gradient_terms.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "tests/fmm/factored_translation.hpp"

namespace rankine::fmm {
namespace {

constexpr int order = 9;
constexpr std::ptrdiff_t count = 21;  // not a whole number of packs
constexpr double scale = 4.0;
const Vec3d origin{0.9, -0.7, 0.8};

/// Points in a box about zero, padded for SIMD loads.
struct PointArrays {
  std::vector<double> axis[3];
  ScaledPoints<double> scaled;

  PointArrays() {
    for (const Vec3d& point : make_points("cube", count, 3)) {
      for (int a = 0; a < 3; ++a) axis[a].push_back(0.2 * (point[a] - 0.5));
    }
    for (auto& each : axis) each.resize(count + 16, 0.0);
    scaled = {{axis[0].data(), axis[1].data(), axis[2].data()},
              count,
              {origin.x, origin.y, origin.z},
              scale};
  }
  double in_frame(int i, int a) const { return scale * (axis[a][i] - origin[a]); }
};

template <class T>
std::vector<T> harmonics(Harmonic kind, int degrees, const T& x, const T& y, const T& z) {
  std::vector<T> values(coefficient_count(degrees));
  visit_harmonics(RecursionFactors(), degrees, harmonic_point(kind, x, y, z, one<T>()),
                  [&](int k, const T& value) { values[k] = value; });
  return values;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

class ExpansionSums : public ::testing::TestWithParam<Harmonic> {
 protected:
  const Kernels<double>& simd_ = kernels<double>();
  RecursionTable<double> table_;
  PointArrays points_;
  AlignedVector<double> workspace_ = AlignedVector<double>(simd_.workspace_size(order + 2));
};

// Charges and dipoles, alone and together: q B(y) + scale mu . grad B(y), the gradient by its rule.
TEST_P(ExpansionSums, SourcesAddTheirChargeAndDipoleToTheExpansion) {
  const std::vector<double> charges = make_strengths(count, 1),
                            moments = make_strengths(3 * count, 2);
  const double* dipoles[3] = {moments.data(), moments.data() + count, moments.data() + 2 * count};
  std::vector<double> of_charges(coefficient_count(order)), of_dipoles(of_charges.size());
  const int step = GetParam() == Harmonic::regular ? -1 : 1;
  for (int i = 0; i < count; ++i) {
    const auto values = harmonics(GetParam(), order + 1, points_.in_frame(i, 0),
                                  points_.in_frame(i, 1), points_.in_frame(i, 2));
    for (int n = 0; n < order; ++n) {
      for (int m = -n; m <= n; ++m) {
        const int k = coefficient_index(n, m);
        of_charges[k] += charges[i] * values[k];
        visit_gradient(GetParam(), n, m, [&](int axis, int m2, double coefficient) {
          of_dipoles[k] +=
              scale * dipoles[axis][i] * coefficient * values[coefficient_index(n + step, m2)];
        });
      }
    }
  }
  for (const bool with_charges : {true, false}) {
    for (const bool with_dipoles : {true, false}) {
      std::vector<double> expansion(of_charges.size(), 1.0), expected(of_charges.size(), 1.0);
      for (std::size_t k = 0; k < expected.size(); ++k)
        expected[k] += (with_charges ? of_charges[k] : 0.0) + (with_dipoles ? of_dipoles[k] : 0.0);
      SourceStrengths<double> strengths;
      if (with_charges) strengths.charge = charges.data();
      for (std::size_t axis = 0; with_dipoles && axis < 3; ++axis)
        strengths.dipole[axis] = dipoles[axis];
      simd_.accumulate(GetParam(), table_, order, points_.scaled, strengths, 1, workspace_.data(),
                       expansion.data(), 0);
      // Sums of `count` values, each with an error of the recursion of one epsilon per degree.
      const double tolerance = 1e-15 * count * largest(expected);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(expansion[k], expected[k], tolerance) << k;
    }
  }
}

// The ten sets of coefficients against the expansion evaluated in dual numbers of dual numbers.
TEST_P(ExpansionSums, ExpansionsYieldPotentialGradientAndSecondDerivatives) {
  const std::vector<double> expansion = make_strengths(coefficient_count(order), 5);
  const GradientTerms<double> first(GetParam(), order),
      second(GetParam(), first.derivative_order());
  std::vector<double> derivative[9];
  std::vector<double> result[10];
  EvaluatedExpansion<double> sets[10];
  for (auto& each : derivative) each.resize(coefficient_count(order + 2));
  for (auto& each : result) each.resize(count);
  for (int axis = 0; axis < 3; ++axis)
    first.differentiate(axis, expansion.data(), derivative[axis].data());
  for (int i = 0; i < 6; ++i) {
    const auto [a, b] = second_derivatives[i];
    second.differentiate(b, derivative[a].data(), derivative[3 + i].data());
  }
  for (int s = 0; s < 10; ++s) {
    const int set_order = s == 0  ? order
                          : s < 4 ? first.derivative_order()
                                  : second.derivative_order();
    sets[s] = {s == 0 ? expansion.data() : derivative[s - 1].data(), set_order, 1.0,
               result[s].data()};
  }
  simd_.evaluate(GetParam(), table_, std::max(order, second.derivative_order()), points_.scaled,
                 sets, 10, workspace_.data());

  using D = Dual<double>;
  using DD = Dual<D>;
  for (int i = 0; i < count; ++i) {
    for (int s = 0; s < 6; ++s) {
      const auto [a, b] = second_derivatives[s];
      const auto coordinate = [&, a = a, b = b](int axis) {
        return DD{D{points_.in_frame(i, axis), axis == a ? 1.0 : 0.0},
                  D{axis == b ? 1.0 : 0.0, 0.0}};
      };
      const auto values = harmonics(GetParam(), order, coordinate(0), coordinate(1), coordinate(2));
      DD sum{};
      double terms = 0.0;
      for (int k = 0; k < coefficient_count(order); ++k) {
        sum = sum + values[k] * expansion[k];
        terms += std::abs(values[k].d.d * expansion[k]) + std::abs(values[k].v.d * expansion[k]) +
                 std::abs(values[k].v.v * expansion[k]);
      }
      // The coefficients lose an epsilon per degree and derivative.
      const double tolerance = 1e-15 * order * order * terms;
      EXPECT_NEAR(result[0][i], sum.v.v, tolerance);
      EXPECT_NEAR(result[1 + a][i], sum.v.d, tolerance);
      EXPECT_NEAR(result[1 + b][i], sum.d.v, tolerance);
      EXPECT_NEAR(result[4 + s][i], sum.d.d, tolerance) << "point " << i << ", " << a << b;
    }
    EXPECT_NEAR(
        result[4][i] + result[7][i] + result[9][i], 0.0,
        1e-14 * order * (std::abs(result[4][i]) + std::abs(result[7][i]) + std::abs(result[9][i])));
  }
}

// Threads of a calling program may have small stacks: the kernels put no array that grows with the
// order on the stack.
TEST(ExpansionWorkspace, HighestOrdersNeedLittleStack) {
  constexpr std::size_t stack_bytes = std::size_t{256} * 1024;
  const auto run = [](void* result) -> void* {
    const Kernels<double>& simd = kernels<double>();
    const RecursionTable<double> table;
    const PointArrays points;
    const std::vector<double> charges = make_strengths(count, 1);
    AlignedVector<double> workspace(simd.workspace_size(max_harmonics));
    std::vector<double> multipole(coefficient_count(max_harmonics)), potential(count);
    simd.accumulate(Harmonic::regular, table, max_harmonics, points.scaled,
                    {.charge = charges.data()}, 1, workspace.data(), multipole.data(), 0);
    const EvaluatedExpansion<double> sum{multipole.data(), max_harmonics, 1.0, potential.data()};
    simd.evaluate(Harmonic::regular, table, max_harmonics, points.scaled, &sum, 1,
                  workspace.data());
    multipole.resize(coefficient_count(max_order - 1));
    const std::vector<double> local = translated(
        make_translation(Shift::multipole_to_local, {2, 0, 0}, max_order - 1), multipole);
    *static_cast<bool*>(result) = std::isfinite(potential[0]) && std::isfinite(local[0]);
    return nullptr;
  };
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  bool finite = false;
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &finite), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  EXPECT_TRUE(finite);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ExpansionSums,
                         ::testing::Values(Harmonic::regular, Harmonic::singular),
                         [](const auto& instance) {
                           return instance.param == Harmonic::regular ? "Regular" : "Singular";
                         });

}  // namespace
}  // namespace rankine::fmm
