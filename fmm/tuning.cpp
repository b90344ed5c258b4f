#include "fmm/tuning.hpp"

#include <algorithm>
#include <cmath>

#include "fmm/order.hpp"

namespace rankine::fmm {

int cpu_leaf_capacity(const Points& points, const Options& options) {
  if (options.method == Method::direct) return 256;
  // The translations of a leaf cost about p^3, its pairs the square of its points; gradients and
  // dipoles make pairs dearer.
  const double dearer = options.gradient || options.dipoles ? 1.0 : 1.25;
  const double even = std::clamp(8.0 * dearer * choose_orders(options).order, 32.0, 192.0);
  // Where sources and targets are uneven, their product counts.
  const auto sources = static_cast<double>(points.sources.size()),
             targets = static_cast<double>(points.targets.size());
  const double uneven = std::max(sources, targets) / std::max(1.0, std::min(sources, targets));
  return static_cast<int>(even * std::min(2.0, std::sqrt(uneven)));
}

}  // namespace rankine::fmm
