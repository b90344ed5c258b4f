#include "rankine/bem/panels/panel_fits.hpp"

#include <array>

#include "rankine/bem/panels/panel_patches.hpp"

namespace rankine::bem {
namespace {

/// Fits all panels of `patches`.
void fit(const PanelNeighbourhood& around, const FittedFields& fields, PanelPatches& patches,
         PanelFits& fits) {
  const auto value = [&](std::span<const double> of, std::int32_t j) {
    return of.empty() ? 0.0 : around.value(of, j);
  };
  const auto [values, phi, height] = patches.fits<3>([&](const PanelPatch& patch, std::int32_t j) {
    const Vec3d r = around.centroid(j) - around.centroid(patch.panel());
    return std::array{value(fields.values, j), value(fields.potential, j),
                      dot(r, patch.normal()) / patch.scale()};
  });
  for (int l = 0; l < patches.count(); ++l) {
    const auto i = static_cast<std::size_t>(patches[l].panel());
    if (!fields.values.empty())
      fits.of_values[i] = integral_over(around.panels(), i, values[l], patches[l]);
    if (!fields.potential.empty())
      fits.of_potential[i] = integral_over(around.panels(), i, phi[l], patches[l]);
  }
  if (fits.signs.empty()) return;
  const auto [u, v, w, potential] = patches.misses([&](const PanelPatch&, std::int32_t j) {
    const Vec3d velocity = around.value(fields.velocity, j);
    return std::array{velocity.x, velocity.y, velocity.z, around.value(fields.potential, j)};
  });
  for (int l = 0; l < patches.count(); ++l) {
    const auto i = static_cast<std::size_t>(patches[l].panel());
    fits.signs[i] =
        signs_of(fields.velocity[i], {u[l], v[l], w[l]}, potential[l], phi[l], height[l]);
  }
}

}  // namespace

PanelFits fit_panels(const PanelNeighbourhood& neighbourhood, const FittedFields& fields,
                     const RowRange& rows) {
  PanelFits fits(neighbourhood.panels().size(), fields);
  for_each_patches(neighbourhood, rows,
                   [&](PanelPatches& patches) { fit(neighbourhood, fields, patches, fits); });
  return fits;
}

void fit_panel(const PanelNeighbourhood& neighbourhood, const FittedFields& fields,
               std::int32_t panel, PanelFits& fits) {
  PanelPatches patches(neighbourhood);
  patches.move_to({&panel, 1});
  fit(neighbourhood, fields, patches, fits);
}

}  // namespace rankine::bem
