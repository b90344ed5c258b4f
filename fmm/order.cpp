#include "fmm/order.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "fmm/error.hpp"
#include "fmm/harmonics.hpp"

namespace rankine::fmm {

Orders choose_orders(const Options& options) {
  Orders orders;
  orders.order = options.order > 0 ? options.order : static_cast<int>(std::ceil(-std::log10(options.tolerance) * 1.7 + 1));
  orders.m2l.fill(static_cast<std::int8_t>(orders.order));
  return orders;
}

}  // namespace rankine::fmm
