#include "fmm/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "fmm/error.hpp"
#include "fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

constexpr int table_orders = 31;

/// -log10 of the root-mean-square error of M2L of order 1 ... 31 in units of 1/h, for a unit charge and a target uniform in
/// boxes of edge h. Rows: offsets in edges, up to symmetry. Measured over 1500 random pairs per offset, rounded down to
/// tenths; tests/fmm/order_test.cpp repeats the measurement.
constexpr double m2l_digits[16][table_orders] = {
    {0.9, 1.6, 2.1, 2.5, 3.0, 3.4, 3.9, 4.3, 4.7, 5.1, 5.4, 5.8, 6.2, 6.4, 6.9, 7.3, 7.4, 7.9, 8.2, 8.4, 9.0, 9.2, 9.3, 10.0, 10.1, 10.3, 10.9, 11.0, 11.3, 11.9, 11.9},  // (2, 0, 0)
    {1.0, 1.7, 2.3, 2.8, 3.3, 3.7, 4.2, 4.7, 5.0, 5.4, 5.9, 6.3, 6.7, 7.1, 7.4, 7.8, 8.2, 8.8, 8.9, 9.3, 9.7, 10.1, 10.4, 10.8, 11.1, 11.5, 12.1, 12.2, 12.6, 12.9, 13.6},  // (2, 1, 0)
    {1.1, 1.8, 2.4, 3.0, 3.5, 4.0, 4.5, 5.0, 5.6, 6.0, 6.2, 6.5, 6.9, 7.5, 8.2, 8.5, 8.6, 8.9, 9.3, 9.8, 10.6, 10.9, 10.9, 11.2, 11.6, 12.2, 13.0, 13.2, 13.2, 13.5, 13.9},  // (2, 1, 1)
    {1.2, 2.0, 2.7, 3.3, 4.0, 4.6, 5.1, 5.6, 6.2, 6.9, 7.3, 7.8, 8.3, 8.8, 9.3, 9.8, 10.5, 10.9, 11.3, 11.7, 12.3, 12.8, 13.2, 13.8, 14.4, 14.8, 15.0, 15.4, 15.5, 15.5, 15.5},  // (2, 2, 0)
    {1.3, 2.0, 2.8, 3.5, 4.1, 4.8, 5.3, 5.8, 6.3, 6.8, 7.4, 8.1, 8.8, 9.3, 9.6, 10.0, 10.4, 10.9, 11.5, 12.1, 13.0, 13.4, 13.6, 13.9, 14.4, 14.8, 15.3, 15.5, 15.5, 15.5, 15.5},  // (2, 2, 1)
    {1.4, 2.2, 3.0, 3.7, 4.3, 5.0, 5.6, 6.2, 6.7, 7.3, 7.9, 8.5, 9.1, 9.7, 10.2, 10.8, 11.4, 12.0, 12.6, 13.2, 13.7, 14.3, 14.9, 15.4, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (2, 2, 2)
    {1.3, 2.2, 2.9, 3.5, 4.2, 4.9, 5.5, 6.1, 6.6, 7.3, 7.9, 8.3, 9.0, 9.6, 10.0, 10.6, 11.3, 11.5, 12.2, 12.9, 13.1, 13.8, 14.5, 14.6, 15.2, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 0, 0)
    {1.3, 2.2, 3.0, 3.7, 4.3, 5.0, 5.7, 6.3, 6.9, 7.4, 8.2, 8.6, 9.3, 9.8, 10.3, 11.0, 11.4, 12.2, 12.5, 13.1, 13.9, 14.1, 14.9, 15.1, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 1, 0)
    {1.4, 2.3, 3.1, 3.8, 4.5, 5.2, 5.9, 6.5, 7.1, 7.7, 8.5, 9.0, 9.5, 10.0, 10.7, 11.5, 11.9, 12.3, 12.9, 13.7, 14.3, 14.6, 15.1, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 1, 1)
    {1.4, 2.3, 3.2, 4.0, 4.7, 5.4, 6.1, 6.8, 7.5, 8.2, 8.8, 9.4, 10.1, 10.7, 11.3, 11.9, 12.6, 13.2, 13.7, 14.4, 15.0, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 2, 0)
    {1.5, 2.4, 3.2, 4.0, 4.8, 5.5, 6.2, 6.9, 7.7, 8.4, 9.0, 9.5, 10.2, 10.9, 11.7, 12.4, 12.8, 13.3, 13.9, 14.6, 15.4, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 2, 1)
    {1.6, 2.5, 3.3, 4.2, 5.0, 5.8, 6.6, 7.4, 8.1, 8.7, 9.4, 10.0, 10.7, 11.4, 12.2, 13.0, 13.8, 14.5, 15.0, 15.4, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 2, 2)
    {1.6, 2.5, 3.5, 4.3, 5.2, 5.9, 6.7, 7.5, 8.2, 9.0, 9.8, 10.5, 11.1, 11.9, 12.6, 13.4, 13.9, 14.6, 15.3, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 3, 0)
    {1.6, 2.6, 3.5, 4.3, 5.2, 6.0, 6.7, 7.5, 8.3, 9.2, 9.9, 10.6, 11.2, 11.9, 12.6, 13.5, 14.3, 15.0, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 3, 1)
    {1.7, 2.6, 3.6, 4.4, 5.3, 6.1, 7.0, 7.8, 8.6, 9.4, 10.2, 10.9, 11.6, 12.3, 13.0, 13.7, 14.5, 15.3, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 3, 2)
    {1.8, 2.8, 3.7, 4.6, 5.5, 6.4, 7.2, 8.0, 8.8, 9.6, 10.4, 11.2, 12.0, 12.8, 13.6, 14.4, 15.2, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5, 15.5},  // (3, 3, 3)
};

/// Row of m2l_digits for an offset.
int offset_class(int index) {
  const Vec3d v = offset_vector(index);
  int a[3] = {std::abs(static_cast<int>(v.x)), std::abs(static_cast<int>(v.y)), std::abs(static_cast<int>(v.z))};
  std::sort(a, a + 3, std::greater<>());
  constexpr int begin_of_3 = 6;  // six offsets begin with 2
  return (a[0] == 3 ? begin_of_3 : 0) + a[1] * (a[1] + 1) / 2 + a[2];
}

int order_for_digits(int row, double digits) {
  const double* begin = m2l_digits[row];
  const double* found = std::find_if(begin, begin + table_orders, [&](double d) { return d >= digits; });
  return static_cast<int>(found - begin) + 1;
}

/// The many offsets other than (2, 0, 0) and its images are cheap to make more accurate, so that together they add little.
constexpr double extra_digits = 0.4;

}  // namespace

double m2l_error_digits(int offset, int order) { return m2l_digits[offset_class(offset)][order - 1]; }

Orders choose_orders(const Options& options) {
  Orders orders;
  const double digits = options.order > 0 ? m2l_digits[0][options.order - 1] : -std::log10(options.tolerance);
  orders.order = options.order > 0 ? options.order : order_for_digits(0, digits);
  for (int i = 0; i < offset_count; ++i) {
    if (!offset_is_far(i)) continue;
    const int row = offset_class(i);
    orders.m2l[i] = static_cast<std::int8_t>(
        std::min(orders.order, order_for_digits(row, row == 0 ? digits : digits + extra_digits)));
  }
  return orders;
}

}  // namespace rankine::fmm
