#include "rankine/gpu/sums/derivative_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/gradient_terms.hpp"

namespace rankine::gpu {
namespace {

constexpr int order = 6;
constexpr int row_size = 70;  // more than the coefficients of order + 2

std::vector<double> product(const DerivativeMap<double>& map, const std::vector<double>& x) {
  std::vector<double> y(map.rows);
  for (std::int32_t row = 0; row < map.rows; ++row) {
    for (std::int32_t i = 0; i < map.width; ++i) {
      const auto& entry = map.entries[i * map.rows + row];
      y[row] += entry.coefficient * x[entry.column];
    }
  }
  return y;
}

// The rule applied once, or twice, equals one product with the map, up to the rounding of
// coefficients, which are below order^2.
TEST(DerivativeMap, IsTheRuleAppliedOnceAndTwice) {
  const std::vector<double> expansion = fmm::make_strengths(fmm::coefficient_count(order), 1);
  for (const fmm::Harmonic kind : {fmm::Harmonic::regular, fmm::Harmonic::singular}) {
    const fmm::GradientTerms<double> first(kind, order), second(kind, first.derivative_order());
    std::vector<double> expected(std::size_t{9} * row_size);
    const auto row_of = [&](int i) { return &expected[static_cast<std::size_t>(i) * row_size]; };
    for (int axis = 0; axis < 3; ++axis) first.differentiate(axis, expansion.data(), row_of(axis));
    for (int i = 0; i < 6; ++i) {
      const auto& [a, b] = fmm::second_derivatives[i];
      second.differentiate(b, row_of(a), row_of(3 + i));
    }
    const auto both = product(
        derivative_map<double>(kind, Derivatives::first_and_second, order, row_size), expansion);
    const auto once =
        product(derivative_map<double>(kind, Derivatives::first, order, row_size), expansion);
    ASSERT_EQ(both.size(), 9u * row_size);
    ASSERT_EQ(once.size(), 3u * row_size);
    for (std::size_t row = 0; row < both.size(); ++row)
      EXPECT_NEAR(both[row], expected[row], 1e-15 * order * order * 8) << "row " << row;
    for (std::size_t row = 0; row < once.size(); ++row)
      EXPECT_NEAR(once[row], expected[row], 1e-15 * order * 8) << "row " << row;
  }
}

// u_0 = d_1 A_2 - d_2 A_1 and so on, and every derivative of these.
TEST(DerivativeMap, TakesTheCurlOfThreeExpansions) {
  constexpr int size = fmm::coefficient_count(order);
  const std::vector<double> components = fmm::make_strengths(3 * size, 1);
  std::vector<double> columns(of_component(2, size));  // as the map counts them
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(components.data() + axis * size, size, columns.data() + of_component(axis, 0));
  for (const fmm::Harmonic kind : {fmm::Harmonic::regular, fmm::Harmonic::singular}) {
    const fmm::GradientTerms<double> first(kind, order), second(kind, first.derivative_order());
    std::vector<double> expected(std::size_t{12} * row_size);
    const auto row_of = [&](int i) { return &expected[static_cast<std::size_t>(i) * row_size]; };
    for (int i = 0; i < 3; ++i) {
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      first.differentiate(a, components.data() + b * size, row_of(i));
      first.add(b, -1.0, components.data() + a * size, row_of(i));
      for (int j = 0; j < 3; ++j) second.differentiate(j, row_of(i), row_of(3 + 3 * i + j));
    }
    const auto both =
        product(curl_map<double>(kind, Derivatives::first_and_second, order, row_size), columns);
    const auto once = product(curl_map<double>(kind, Derivatives::first, order, row_size), columns);
    ASSERT_EQ(both.size(), 12u * row_size);
    ASSERT_EQ(once.size(), 3u * row_size);
    for (std::size_t row = 0; row < both.size(); ++row)
      EXPECT_NEAR(both[row], expected[row], 1e-15 * order * order * 16) << "row " << row;
    for (std::size_t row = 0; row < once.size(); ++row)
      EXPECT_NEAR(once[row], expected[row], 1e-15 * order * 16) << "row " << row;
  }
}

}  // namespace
}  // namespace rankine::gpu
