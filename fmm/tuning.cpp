#include "fmm/tuning.hpp"

#include <algorithm>
#include <cmath>

#include "fmm/order.hpp"

namespace rankine::fmm {

int cpu_leaf_capacity(const Points& points, const Options& options) {
  if (options.method == Method::direct) return 256;
  if (options.method == Method::treecode)
    return 400;  // M2P is dear: one evaluation a box and target
  // Per leaf, translations cost about p^3 and pairs the square of its points, so that the best
  // capacity grows as p^1.5; gradients and dipoles make pairs dearer.
  const double dearer = options.gradient || options.dipoles ? 1.0 : 1.25;
  const double even =
      std::clamp(1.75 * dearer * std::pow(choose_orders(options).order, 1.5), 48.0, 512.0);
  // Where sources and targets are uneven, their product counts.
  const auto sources = static_cast<double>(points.sources.size()),
             targets = static_cast<double>(points.targets.size());
  const double uneven = std::max(sources, targets) / std::max(1.0, std::min(sources, targets));
  return static_cast<int>(even * std::min(2.0, std::sqrt(uneven)));
}

}  // namespace rankine::fmm
