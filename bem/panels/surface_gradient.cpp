#include "rankine/bem/panels/surface_gradient.hpp"

#include <cassert>

#include "rankine/bem/panels/panel_patches.hpp"

namespace rankine::bem {

SurfaceGradient surface_gradient(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values, const RowRange& rows) {
  const std::size_t count = neighbourhood.panels().size();
  assert(values.size() == count);
  SurfaceGradient result;
  result.normal.resize(count);
  result.gradient.resize(count);
  for_each_patches(neighbourhood, rows, [&](PanelPatches& patches) {
    const auto fits = patches.fits<1>([&](const PanelPatch&, std::int32_t j) {
      return std::array{neighbourhood.value(values, j)};
    });
    for (int l = 0; l < patches.count(); ++l) {
      const PanelPatch& patch = patches[l];
      const auto i = static_cast<std::size_t>(patch.panel());
      result.gradient[i] = patch.slope(fits[0][l]);
      result.normal[i] = patch.normal();
    }
  });
  return result;
}

}  // namespace rankine::bem
