#include "rankine/bem/panels/surface_integrals.hpp"

#include <cassert>

#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SurfaceIntegral integral_over(const Panels& panels, std::size_t panel, const PlanePolynomial& f,
                              const PanelPatch& patch, const Vec3d& reference) {
  static const std::vector<TrianglePoint> rule = triangle_rule(6);
  const PanelShape<double>& shape = panels.shape[panel];
  SurfaceIntegral sum;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule) {
      const Vec3d x = triangle.point(p.a, p.b, p.c), area = triangle.vector_area(p.a, p.b, p.c);
      const Vec3d r = (x - panels.centroid[panel]) / patch.scale();
      const double weighted = p.weight * f(dot(r, patch.t1()), dot(r, patch.t2()));
      sum.add(weighted, {norm(area), area, cross(x - reference, area)});
    }
  }
  return sum;
}

std::vector<SurfaceIntegral> surface_integrals(const PanelNeighbourhood& neighbourhood,
                                               std::span<const double> values,
                                               const IntegralOptions& options) {
  const Panels& panels = neighbourhood.panels();
  const std::span<const std::int32_t> group_of = options.group_of;
  const std::span<const double> factor = options.factor;
  assert(values.size() == panels.size());
  assert(group_of.empty() || group_of.size() == panels.size());
  assert(factor.empty() || factor.size() == panels.size());
  std::vector<std::vector<SurfaceIntegral>> of_threads(static_cast<std::size_t>(thread_count()));
  parallel_parts(panels.size(), [&](const Part& part) {
    std::vector<SurfaceIntegral> sums(options.groups);
    PanelPatch patch(neighbourhood);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      patch.move_to(static_cast<std::int32_t>(i));
      const PlanePolynomial f =
          patch.fit([&](std::int32_t j) { return neighbourhood.value(values, j); });
      const std::size_t group = group_of.empty() ? 0 : static_cast<std::size_t>(group_of[i]);
      sums.at(group).add(factor.empty() ? 1.0 : factor[i],
                         integral_over(panels, i, f, patch, options.reference));
    }
    of_threads[static_cast<std::size_t>(part.thread)] = std::move(sums);
  });
  std::vector<SurfaceIntegral> sums(options.groups);
  for (const std::vector<SurfaceIntegral>& of_thread : of_threads) {
    for (std::size_t group = 0; group < of_thread.size(); ++group)
      sums[group].add(1.0, of_thread[group]);
  }
  return sums;
}

SurfaceIntegral surface_integral(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values, const Vec3d& reference) {
  return surface_integrals(neighbourhood, values, {.reference = reference}).front();
}

}  // namespace rankine::bem
