#include "rankine/bem/panels/surface_gradient.hpp"

#include <cassert>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SurfaceGradient surface_gradient(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values) {
  const std::size_t count = neighbourhood.panels().size();
  assert(values.size() == count);
  SurfaceGradient result;
  result.normal.resize(count);
  result.gradient.resize(count);
  constexpr std::size_t chunk = 1024;
  const auto patch_of_thread = [&] { return PanelPatch(neighbourhood); };
  parallel_chunks(count, chunk, patch_of_thread, [&](std::size_t i, PanelPatch& patch) {
    patch.move_to(static_cast<std::int32_t>(i));
    const Quadratic f = patch.fit([&](std::int32_t j) { return values[j]; });
    // g = u T_1 + v T_2 with the metric (1 + zx^2, zx ze; zx ze, 1 + ze^2).
    const double zx = patch.height().xi, ze = patch.height().eta;
    const double determinant = (1.0 + zx * zx + ze * ze) * patch.scale();
    const double u = ((1.0 + ze * ze) * f.xi - zx * ze * f.eta) / determinant;
    const double v = ((1.0 + zx * zx) * f.eta - zx * ze * f.xi) / determinant;
    const Vec3d &t1 = patch.t1(), &t2 = patch.t2(), &n = patch.normal();
    result.gradient[i] = u * (t1 + zx * n) + v * (t2 + ze * n);
    result.normal[i] = normalized(n - zx * t1 - ze * t2);
  });
  return result;
}

}  // namespace rankine::bem
