#include "rankine/fmm/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rankine/fmm/fitted_constants.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/once_per_order.hpp"

namespace rankine::fmm {
namespace {

constexpr int table_orders = max_order - 1;

constexpr double most_digits = 15.5;  // of double precision

/// -log10 of the root-mean-square error of M2L of order 1 ... 47 in units of 1/h, for a unit charge
/// and a target uniform in boxes of edge h. Rows: offsets in units of h, up to symmetry. Measured
/// with 8000 random pairs per offset, weighted, since more are drawn near the corners; rounded down
/// to tenths. tests/fmm/order_test.cpp repeats the measurement. A row ends when it reaches
/// most_digits.
// clang-format off
constexpr double m2l_digits[16][table_orders] = {
    {0.9, 1.7, 2.1, 2.6, 3.0, 3.5, 3.9, 4.3, 4.7, 5.0, 5.4, 5.7, 6.0, 6.4, 6.6, 6.9, 7.2, 7.5,
     7.8, 8.0, 8.3, 8.6, 8.8, 9.0, 9.2, 9.4, 9.7, 9.8, 10.0, 10.3, 10.4, 10.6, 10.9, 10.9, 11.3,
     11.4, 11.5, 12.0, 12.0, 12.2, 12.4, 12.5, 12.9, 12.9, 13.1, 13.3, 13.4},  // (2, 0, 0)
    {1.0, 1.7, 2.3, 2.9, 3.3, 3.8, 4.2, 4.7, 5.1, 5.5, 5.9, 6.3, 6.6, 7.0, 7.4, 7.7, 8.1, 8.4,
     8.8, 9.1, 9.4, 9.8, 10.1, 10.4, 10.7, 11.0, 11.4, 11.7, 11.9, 12.3, 12.7, 13.1, 13.3, 13.5,
     13.9, 14.2, 14.5, 14.8, 15.1, 15.4, 15.5},  // (2, 1, 0)
    {1.1, 1.8, 2.4, 3.0, 3.6, 4.1, 4.5, 5.0, 5.4, 5.9, 6.3, 6.7, 7.1, 7.5, 7.9, 8.2, 8.6, 8.9,
     9.3, 9.7, 10.0, 10.3, 10.7, 11.0, 11.3, 11.7, 12.0, 12.4, 12.7, 12.9, 13.3, 13.5, 13.9,
     14.3, 14.6, 14.8, 15.1, 15.3, 15.5},  // (2, 1, 1)
    {1.2, 2.0, 2.7, 3.4, 4.0, 4.6, 5.2, 5.7, 6.3, 6.8, 7.3, 7.8, 8.3, 8.8, 9.3, 9.8, 10.3, 10.7,
     11.2, 11.7, 12.2, 12.6, 13.0, 13.5, 14.0, 14.4, 14.8, 15.3, 15.5},  // (2, 2, 0)
    {1.3, 2.1, 2.8, 3.5, 4.1, 4.8, 5.3, 5.9, 6.5, 7.0, 7.5, 8.1, 8.6, 9.2, 9.7, 10.1, 10.6,
     11.0, 11.5, 12.0, 12.6, 13.1, 13.6, 13.9, 14.3, 14.7, 15.2, 15.5},  // (2, 2, 1)
    {1.4, 2.2, 3.0, 3.7, 4.4, 5.1, 5.7, 6.3, 7.0, 7.5, 8.1, 8.7, 9.3, 9.8, 10.4, 10.9, 11.5,
     12.0, 12.6, 13.1, 13.6, 14.1, 14.7, 15.2, 15.5},  // (2, 2, 2)
    {1.3, 2.2, 2.9, 3.5, 4.3, 4.9, 5.5, 6.1, 6.7, 7.3, 7.8, 8.4, 9.0, 9.5, 10.0, 10.6, 11.1,
     11.6, 12.1, 12.7, 13.2, 13.7, 14.2, 14.7, 15.2, 15.5},  // (3, 0, 0)
    {1.3, 2.2, 3.0, 3.7, 4.4, 5.0, 5.7, 6.3, 6.9, 7.5, 8.1, 8.7, 9.3, 9.8, 10.4, 10.9, 11.5,
     12.0, 12.6, 13.1, 13.7, 14.2, 14.7, 15.2, 15.5},  // (3, 1, 0)
    {1.4, 2.3, 3.1, 3.8, 4.5, 5.2, 5.8, 6.5, 7.1, 7.7, 8.4, 8.9, 9.5, 10.1, 10.7, 11.2, 11.8,
     12.4, 12.9, 13.5, 14.0, 14.6, 15.1, 15.5},  // (3, 1, 1)
    {1.5, 2.3, 3.2, 4.0, 4.7, 5.4, 6.1, 6.9, 7.5, 8.2, 8.8, 9.4, 10.1, 10.7, 11.4, 11.9, 12.6,
     13.2, 13.8, 14.4, 15.0, 15.5},  // (3, 2, 0)
    {1.5, 2.4, 3.2, 4.0, 4.8, 5.6, 6.3, 6.9, 7.7, 8.3, 9.0, 9.6, 10.3, 10.9, 11.5, 12.2, 12.9,
     13.5, 14.1, 14.6, 15.2, 15.5},  // (3, 2, 1)
    {1.6, 2.5, 3.4, 4.2, 5.0, 5.8, 6.6, 7.3, 8.1, 8.8, 9.5, 10.2, 10.9, 11.5, 12.2, 12.9, 13.5,
     14.2, 14.9, 15.5},  // (3, 2, 2)
    {1.6, 2.5, 3.5, 4.3, 5.2, 5.9, 6.8, 7.5, 8.3, 9.0, 9.8, 10.5, 11.2, 11.9, 12.6, 13.3, 14.0,
     14.6, 15.4, 15.5},  // (3, 3, 0)
    {1.6, 2.6, 3.5, 4.4, 5.2, 6.1, 6.8, 7.6, 8.4, 9.1, 9.9, 10.6, 11.3, 12.0, 12.7, 13.5, 14.2,
     14.9, 15.5},  // (3, 3, 1)
    {1.7, 2.7, 3.6, 4.5, 5.3, 6.2, 7.0, 7.8, 8.6, 9.4, 10.2, 11.0, 11.7, 12.4, 13.2, 13.9, 14.6,
     15.3, 15.5},  // (3, 3, 2)
    {1.8, 2.8, 3.7, 4.7, 5.6, 6.4, 7.3, 8.1, 8.9, 9.8, 10.6, 11.4, 12.2, 13.0, 13.7, 14.5, 15.3,
     15.5},  // (3, 3, 3)
};
// clang-format on

/// Row of m2l_digits for an offset.
int offset_row(int index) {
  const Vec3d v = offset_vector(index);
  int a[3] = {std::abs(static_cast<int>(v.x)), std::abs(static_cast<int>(v.y)),
              std::abs(static_cast<int>(v.z))};
  std::sort(a, a + 3, std::greater<>());
  constexpr int begin_of_3 = 6;  // six offsets begin with 2
  return (a[0] == 3 ? begin_of_3 : 0) + a[1] * (a[1] + 1) / 2 + a[2];
}

int order_for_digits(int row, double digits) {
  const double* begin = m2l_digits[row];
  const double* found =
      std::find_if(begin, begin + table_orders, [&](double d) { return d >= digits; });
  return static_cast<int>(found - begin) + 1;
}

/// The ratio of successive terms of M2P at an offset: the reach of sources that fill a box, divided
/// by the distance from its centre to the nearest targets.
double m2p_ratio(int index) {
  constexpr double source_reach = 0.75;
  const Vec3d v = offset_vector(index);
  double distance2 = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double gap = std::max(std::abs(v[axis]) - 0.5, 0.0);
    distance2 += gap * gap;
  }
  return source_reach / std::sqrt(distance2);
}

/// The quantities that determine the orders at an offset.
struct OffsetClass {
  int row = 0;                 ///< of m2l_digits
  double log_m2p_ratio = 0.0;  ///< log10
};

/// By offset_index, for far offsets.
const std::array<OffsetClass, offset_count>& offset_classes() {
  static const auto classes = [] {
    std::array<OffsetClass, offset_count> all;
    for (int i = 0; i < offset_count; ++i) {
      if (offset_is_far(i)) all[i] = {offset_row(i), std::log10(m2p_ratio(i))};
    }
    return all;
  }();
  return classes;
}

/// Correct digits of sums with expansions of order p, from those of M2L at (2, 0, 0). A derivative,
/// of the result or of the source, multiplies the n-th term of the truncated series by n, which
/// reduces the accuracy by log10(p / 4) digits. For gradients of charges on a surface the larger
/// near field compensates this.
double kept_digits(int order, const Options& options, Spread spread) {
  const bool derived = options.dipoles || (spread == Spread::volume && options.gradient);
  return m2l_digits[0][order - 1] - fitted::lost_by_summation -
         (derived ? std::max(0.0, std::log10(order / 4.0)) : 0.0);
}

}  // namespace

double m2l_error_digits(int offset, int order) {
  const double digits = m2l_digits[offset_classes()[offset].row][order - 1];
  return digits > 0.0 ? digits : most_digits;
}

int order_with_gain(int order, double factor, Precision precision) {
  constexpr int nearest = 0;  // row of the boxes at (2, 0, 0)
  const double digits = m2l_digits[nearest][order - 1] + std::log10(factor);
  return std::min(order_for_digits(nearest, digits), highest_order(precision));
}

namespace {

Orders find_orders(int order) {
  Orders orders;
  orders.order = order;
  const double digits = m2l_digits[0][orders.order - 1];
  const auto& classes = offset_classes();
  const double nearest = classes[offset_index(2, 0, 0)].log_m2p_ratio;
  for (int i = 0; i < offset_count; ++i) {
    if (!offset_is_far(i)) continue;
    const int row = classes[i].row;
    orders.m2l[i] = static_cast<std::int8_t>(std::min(
        orders.order, order_for_digits(row, row == 0 ? digits : digits + fitted::extra_digits)));
    const double terms = (order * nearest - fitted::extra_digits) / classes[i].log_m2p_ratio;
    orders.m2p[i] = static_cast<std::int8_t>(std::min(order, static_cast<int>(std::ceil(terms))));
  }
  return orders;
}

}  // namespace

const Orders& orders_of(int order) {
  static OncePerOrder<Orders> all;
  return all.at(order, [&] { return find_orders(order); });
}

Orders likely_orders(const Options& options, Spread spread) {
  check_options({}, options);
  int order = options.order;
  while (options.order == 0 && ++order < table_orders) {
    if (kept_digits(order, options, spread) >= -std::log10(options.tolerance)) break;
  }
  return orders_of(order);
}

}  // namespace rankine::fmm
