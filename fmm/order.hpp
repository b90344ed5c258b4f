// Orders of expansions that meet the promised tolerance.
//
// The rate at which the truncation error of M2L decreases with the order depends on the geometry:
// boxes whose centres are many edges apart need fewer terms ([GD08] sec. 2.2.4). Coefficients are
// stored by degree, so a lower order uses the first coefficients of an expansion, and each relative
// position uses only the terms that it needs.
#pragma once

#include <array>
#include <cstdint>

#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/translation.hpp"

namespace rankine::fmm {

/// Whether points are on a surface (or line), where boxes have few occupied children and few far
/// boxes, or fill a volume.
enum class Spread { surface, volume };

struct Orders {
  int order = 0;  ///< p of multipole and local expansions
  // At each offset_index, at most `order`.
  std::array<std::int8_t, offset_count> m2l{};  ///< p of M2L
  std::array<std::int8_t, offset_count> m2p{};  ///< p of M2P from a box to targets in another
};

/// The highest order of expansions. In float higher orders are not more accurate, and their terms
/// exceed its range.
constexpr int highest_order(Precision precision) {
  return precision == Precision::float32 ? 16 : max_order - 1;
}

/// -log10 of the error of M2L at an offset_index with this order, in units of 1/h for a unit
/// charge.
double m2l_error_digits(int offset, int order);

/// Order p of expansions, 1 ... max_order - 1, with orders of M2L and M2P of the same accuracy.
const Orders& orders_of(int order);

/// The lowest order whose errors are smaller than those of `order` by this factor, or the highest.
int order_with_gain(int order, double factor, Precision precision);

/// The orders that options.tolerance will probably need, or those of options.order if it is given.
/// They are used to choose leaf capacities and sizes of memory; fmm/truncation.hpp then finds the
/// order that the points need. Throws InputError for a tolerance or order beyond the limits of the
/// precision.
Orders likely_orders(const Options& options, Spread spread = Spread::volume);

}  // namespace rankine::fmm
