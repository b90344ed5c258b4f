#include "rankine/bem/panels/surface_integrals.hpp"

#include <cassert>

#include "rankine/bem/panels/panel_patches.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SurfaceIntegral integral_over(const Panels& panels, std::size_t panel, const PlanePolynomial& f,
                              const PanelPatch& patch) {
  static const std::vector<TrianglePoint> rule = triangle_rule(6);
  const PanelShape<double>& shape = panels.shape[panel];
  SurfaceIntegral sum;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule) {
      const Vec3d x = triangle.point(p.a, p.b, p.c), area = triangle.vector_area(p.a, p.b, p.c);
      const Vec3d r = (x - panels.centroid[panel]) / patch.scale();
      const double weighted = p.weight * f(dot(r, patch.t1()), dot(r, patch.t2()));
      sum.add(weighted, {norm(area), area, cross(x, area)});
    }
  }
  return sum;
}

SurfaceIntegral surface_integral(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values) {
  const Panels& panels = neighbourhood.panels();
  assert(values.size() == panels.size());
  AlignedVector<SurfaceIntegral> of_panels(panels.size());
  for_each_patches(neighbourhood, [&](PanelPatches& patches) {
    const auto fits = patches.fits<1>([&](const PanelPatch&, std::int32_t j) {
      return std::array{neighbourhood.value(values, j)};
    });
    for (int l = 0; l < patches.count(); ++l) {
      const auto i = static_cast<std::size_t>(patches[l].panel());
      of_panels[i] = integral_over(panels, i, fits[0][l], patches[l]);
    }
  });
  return sum_of(of_panels);
}

SurfaceIntegral sum_of(std::span<const SurfaceIntegral> of_panels) {
  return parallel_blocks(
      of_panels.size(), SurfaceIntegral{},
      [&](std::size_t i, SurfaceIntegral& sum) { sum.add(1.0, of_panels[i]); },
      [](SurfaceIntegral& sum, const SurfaceIntegral& block) { sum.add(1.0, block); });
}

std::vector<SurfaceIntegral> sums_of_groups(std::span<const SurfaceIntegral> of_panels,
                                            std::span<const std::int32_t> group_of,
                                            std::size_t groups) {
  assert(of_panels.empty() || of_panels.size() == group_of.size());
  std::vector<SurfaceIntegral> sums(groups);
  for (std::size_t i = 0; i < of_panels.size(); ++i)
    sums.at(static_cast<std::size_t>(group_of[i])).add(1.0, of_panels[i]);
  return sums;
}

}  // namespace rankine::bem
