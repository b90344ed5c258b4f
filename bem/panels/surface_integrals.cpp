#include "rankine/bem/panels/surface_integrals.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SurfaceIntegral integral_over(const Panels& panels, std::size_t panel, const PlanePolynomial& f,
                              const PanelPatch& patch) {
  static const std::vector<TrianglePoint> rule = triangle_rule(integral_points);
  return integral_over(panels.shape[panel], rule, f, panels.centroid[panel], patch.scale(),
                       patch.t1(), patch.t2());
}

void set_means(const Panels& panels, std::span<const double> means, std::span<const double> values,
               std::span<SurfaceIntegral> integrals) {
  static const std::vector<TrianglePoint> rule = triangle_rule(integral_points);
  constexpr double rounding = 1e-10;
  const double largest =
      parallel_max(values.size(), 0.0, [&](std::size_t i) { return std::abs(values[i]); });
  parallel_for(values.size(), [&](std::size_t i) {
    if (std::abs(means[i] - values[i]) <= rounding * largest) return;
    PlanePolynomial one;
    one.constant = 1.0;
    const SurfaceIntegral unit = integral_over(panels.shape[i], rule, one, {}, 1.0, {}, {});
    integrals[i].add((means[i] * unit.plain - integrals[i].plain) / unit.plain, unit);
  });
}

SurfaceIntegral sum_of(std::span<const SurfaceIntegral> of_panels) {
  return parallel_reduce(
      of_panels.size(), SurfaceIntegral{},
      [&](std::size_t i, SurfaceIntegral& sum) { sum.add(1.0, of_panels[i]); },
      [](SurfaceIntegral& sum, const SurfaceIntegral& block) { sum.add(1.0, block); });
}

std::vector<SurfaceIntegral> sums_of_groups(std::span<const SurfaceIntegral> of_panels,
                                            std::span<const std::int32_t> group_of,
                                            std::size_t groups) {
  assert(of_panels.empty() || of_panels.size() == group_of.size());
  const auto add = [&](std::size_t i, std::vector<SurfaceIntegral>& sums) {
    sums.at(static_cast<std::size_t>(group_of[i])).add(1.0, of_panels[i]);
  };
  std::vector<SurfaceIntegral> none(groups);
  constexpr std::size_t few = 64;  // up to this number of groups, every block of panels has its own
                                   // sums
  if (groups > few) {
    for (std::size_t i = 0; i < of_panels.size(); ++i) add(i, none);
    return none;
  }
  return parallel_reduce(
      of_panels.size(), none, add,
      [](std::vector<SurfaceIntegral>& all, const std::vector<SurfaceIntegral>& block) {
        for (std::size_t k = 0; k < all.size(); ++k) all[k].add(1.0, block[k]);
      });
}

}  // namespace rankine::bem
