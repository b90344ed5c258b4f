// Orders of expansions that keep the promised tolerance.
//
// The truncation error of M2L falls with the order at a rate that the geometry sets: boxes whose
// centres are far apart in edges need fewer terms ([GD08] sec. 2.2.4). Coefficients are stored by
// degree, so a lower order is a prefix of the expansion and each relative position uses just the
// terms it needs.
#pragma once

#include <array>
#include <cstdint>

#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/translation.hpp"

namespace rankine::fmm {

/// Whether points fill a surface (or line), where boxes have few occupied children and few far
/// boxes, or a volume.
enum class Spread { surface, volume };

struct Orders {
  int order = 0;  ///< p of multipole and local expansions
  // At each offset_index, at most `order`.
  std::array<std::int8_t, offset_count> m2l{};  ///< p of M2L
  std::array<std::int8_t, offset_count> m2p{};  ///< p of M2P of a box at the targets of another
};

/// -log10 of the error of M2L at an offset_index with this order, in units of 1/h for a unit
/// charge.
double m2l_error_digits(int offset, int order);

/// Order p of expansions, 1 ... max_order - 1, with orders of M2L and M2P that are as accurate.
const Orders& orders_of(int order);

/// The orders that options.tolerance is likely to need, or those of options.order if that is given.
/// Leaf capacities and sizes of memory are chosen with them; fmm/truncation.hpp then finds the
/// order that the points need. Throws InputError for a tolerance or order that the precision cannot
/// keep.
Orders likely_orders(const Options& options, Spread spread = Spread::volume);

}  // namespace rankine::fmm
