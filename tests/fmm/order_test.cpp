#include "rankine/fmm/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/dense_translation.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/fitted_constants.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/pair_series.hpp"

namespace rankine::fmm {
namespace {

std::vector<double> regular(const RecursionTable<double>& table, int order, const Vec3d& r) {
  std::vector<double> values(coefficient_count(order));
  visit_harmonics(table, order, harmonic_point(Harmonic::regular, r.x, r.y, r.z, 1.0),
                  [&](int k, double value) { values[k] = value; });
  return values;
}

// Repeats the measurement behind the table with plain sampling: 600 pairs give the root mean square
// of a heavy-tailed error to about a factor two, 0.3 digits; the table is rounded down by up to
// 0.1.
TEST(Order, TableHoldsTheMeasuredErrorOfM2L) {
  constexpr std::size_t samples = 600;
  const RecursionTable<double> table;
  const auto points = make_points("cube", 2 * samples, 11);
  for (const auto& [dx, dy, dz] :
       {std::array{2, 0, 0}, std::array{1, -2, 1}, std::array{0, 3, -2}, std::array{3, 3, 3}}) {
    const int offset = offset_index(dx, dy, dz);
    const Vec3d t = offset_vector(offset);
    for (const int order : {3, 6, 9}) {
      const auto matrix = dense_translation(Shift::multipole_to_local, t, order);
      const int size = coefficient_count(order);
      double sum = 0.0;
      for (std::size_t s = 0; s < samples; ++s) {
        const Vec3d y = points[2 * s] - Vec3d{0.5, 0.5, 0.5},
                    x = points[2 * s + 1] - Vec3d{0.5, 0.5, 0.5};
        const auto m = regular(table, order, y), r = regular(table, order, x);
        double value = 0.0;
        for (int i = 0; i < size; ++i) {
          for (int j = 0; j < size; ++j) value += r[i] * matrix[i * size + j] * m[j];
        }
        const double error = value - 1.0 / norm(t + x - y);
        sum += error * error;
      }
      const double digits = -0.5 * std::log10(sum / samples);
      EXPECT_NEAR(digits, m2l_error_digits(offset, order), 0.4)
          << "order " << order << " at " << dx << dy << dz;
    }
  }
}

// Successive terms have a ratio of about |x - y| / |t| >= 0.1, with |x - y| about 0.7 h and |t| at
// most 5.2 h. The table is rounded down by up to 0.1.
TEST(Order, EachTermOfM2LGainsUpToADigit) {
  for (int offset = 0; offset < offset_count; ++offset) {
    if (!offset_is_far(offset)) continue;
    for (int order = 2; order < max_order; ++order) {
      const double gain = m2l_error_digits(offset, order) - m2l_error_digits(offset, order - 1);
      EXPECT_GE(gain, 0.0) << "order " << order << " at " << offset_vector(offset).x;
      EXPECT_LE(gain, 1.1) << "order " << order << " at " << offset_vector(offset).x;
    }
  }
}

// With the order for an offset, M2P has no larger error than with the full order at the nearest
// offset. The root mean square over 600 random pairs of a heavy-tailed error is good to about a
// factor of two.
TEST(Order, OfM2PLosesNoMoreAtADistance) {
  constexpr std::size_t samples = 600;
  constexpr int order = 8;
  const Orders orders = orders_of(order);
  const auto points = make_points("cube", 2 * samples, 12);
  const auto error_at = [&](int offset, int terms) {
    PairSeries series(order, 0, 1);
    const Vec3d t = offset_vector(offset), centre{0.5, 0.5, 0.5}, any{0.0, 0.0, 1.0};
    double sum = 0.0;
    for (std::size_t s = 0; s < samples; ++s) {
      series.set_single(Harmonic::singular, t + points[2 * s] - centre, points[2 * s + 1] - centre,
                        any, any);
      series.errors(0, 0, [&](int p, double error) { sum += p == terms ? error * error : 0.0; });
    }
    return std::sqrt(sum / samples);
  };
  const double nearest = error_at(offset_index(2, 0, 0), order);
  EXPECT_EQ(orders.m2p[offset_index(0, -2, 0)], order);
  for (const auto& [dx, dy, dz] :
       {std::array{2, 1, 0}, std::array{-1, 2, 1}, std::array{0, 2, -2}, std::array{2, 2, 2},
        std::array{3, 0, 0}, std::array{1, -3, 2}, std::array{3, 3, 3}}) {
    const int offset = offset_index(dx, dy, dz);
    EXPECT_LT(error_at(offset, orders.m2p[offset]), 2.0 * nearest) << dx << dy << dz;
  }
  EXPECT_LE(orders.m2p[offset_index(3, 3, 3)], order / 2);
}

TEST(Order, GrowsWithTheDigitsAskedAndFallsWithDistance) {
  Options options;
  int last = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    options.tolerance = tolerance;
    const Orders orders = likely_orders(options);
    EXPECT_GT(orders.order, last);
    last = orders.order;
    EXPECT_EQ(orders.m2l[offset_index(2, 0, 0)], orders.order);
    EXPECT_LE(orders.m2l[offset_index(3, 3, 3)], orders.m2l[offset_index(3, 0, 0)]);
    EXPECT_LE(orders.m2l[offset_index(3, 0, 0)], orders.m2l[offset_index(2, 0, 0)]);
  }
}

// Sums lose `lost_by_summation` digits of those of M2L at (2, 0, 0), and log10(p / 4) more with
// derivatives.
TEST(Order, IsTheLeastThatKeepsTheTolerance) {
  struct Sums {
    bool gradient, dipoles;
    Spread spread;
    bool derived;
  };
  const int nearest = offset_index(2, 0, 0);
  for (const Sums& sums :
       {Sums{false, false, Spread::volume, false}, Sums{true, false, Spread::surface, false},
        Sums{true, false, Spread::volume, true}, Sums{false, true, Spread::surface, true}}) {
    Options options;
    options.gradient = sums.gradient;
    options.dipoles = sums.dipoles;
    for (const int order : {3, 4, 7, 11, 16, 24}) {
      const double digits = m2l_error_digits(nearest, order) - fitted::lost_by_summation -
                            (sums.derived ? std::max(0.0, std::log10(order / 4.0)) : 0.0);
      options.tolerance = std::pow(10.0, 1e-6 - digits);
      EXPECT_EQ(likely_orders(options, sums.spread).order, order);
      options.tolerance = std::pow(10.0, -1e-6 - digits);
      EXPECT_EQ(likely_orders(options, sums.spread).order, order + 1);
    }
  }
}

TEST(Order, RefusesWhatThePrecisionCannotKeep) {
  Options options;
  const auto message = [&] {
    try {
      likely_orders(options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const double tolerance : {0.0, -1e-6, 1e-13, 0.5, std::nan("")}) {
    options.tolerance = tolerance;
    EXPECT_NE(message().find("tolerance"), std::string::npos) << tolerance;
  }
  options.tolerance = 1e-7;
  EXPECT_EQ(message(), "");
  options.precision = Precision::float32;
  EXPECT_NE(message().find("use double precision"), std::string::npos) << message();
  options = {};
  options.order = max_order;
  EXPECT_NE(message().find("order"), std::string::npos);
}

}  // namespace
}  // namespace rankine::fmm
