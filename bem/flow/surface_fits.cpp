#include "rankine/bem/flow/surface_fits.hpp"

#include <array>
#include <cmath>

#include "rankine/bem/panels/panel_patches.hpp"

namespace rankine::bem {
namespace {

using Polynomials = std::array<PlanePolynomial, PanelPatches::most>;

/// What the panels around say of every panel of `patches`; `phi` and `height`: the polynomials fitted to the potential
/// and to the points over the panel's plane, in its scale.
void find_signs(const Solution& solution, PanelPatches& patches, const Polynomials& phi,
                const Polynomials& height, AlignedVector<PanelSigns>& signs) {
  const auto [u, v, w, potential] = patches.misses([&](const PanelPatch& patch, std::int32_t j) {
    const PanelNeighbourhood& around = patch.neighbourhood();
    const Vec3d velocity = around.value(solution.velocity, j);
    return std::array{velocity.x, velocity.y, velocity.z, around.value(solution.phi, j)};
  });
  for (int l = 0; l < patches.count(); ++l) {
    const auto i = static_cast<std::size_t>(patches[l].panel());
    const Vec3d missed{u[l], v[l], w[l]};
    // Slopes of a plane say nothing about how far they are off.
    signs[i] = {.difference = norm(phi[l].terms >= 5 ? missed : solution.velocity[i]),
                .deviation = std::abs(potential[l]),
                .tilt = std::hypot(height[l].slope_x(), height[l].slope_y())};
  }
}

/// Of all panels of `patches`, `flux` the polynomials fitted to it.
void find_flux_signs(const Panels& panels, const Solution& solution, const PanelPatches& patches,
                     const Polynomials& flux, AlignedVector<PanelSigns>& signs) {
  for (int l = 0; l < patches.count(); ++l) {
    const auto i = static_cast<std::size_t>(patches[l].panel());
    const double mean = integral_over(panels, i, flux[l], patches[l]).plain / panels.area[i];
    signs[i].flux = std::abs(mean - solution.flux[i]);
  }
}

}  // namespace

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution) {
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size();
  const PanelNeighbourhood neighbourhood(panels);
  const bool has_phi = !solution.phi.empty(), has_signs = has_phi && !solution.velocity.empty();
  // Either is fitted: what has no pressure has charges, which are fluxes.
  const std::vector<double>& values = problem.has_pressure ? solution.pressure : solution.flux;
  SurfaceFits fits{AlignedVector<SurfaceIntegral>(problem.has_pressure ? values.size() : 0),
                   AlignedVector<SurfaceIntegral>(solution.phi.size()),
                   AlignedVector<PanelSigns>(has_signs ? n : 0)};
  const auto value = [&](const std::vector<double>& of, std::int32_t j) {
    return of.empty() ? 0.0 : neighbourhood.value(of, j);
  };
  for_each_patches(neighbourhood, [&](PanelPatches& patches) {
    const auto [fitted, phi, height] =
        patches.fits<3>([&](const PanelPatch& patch, std::int32_t j) {
          const Vec3d r = neighbourhood.centroid(j) - neighbourhood.centroid(patch.panel());
          return std::array{value(values, j), value(solution.phi, j),
                            dot(r, patch.normal()) / patch.scale()};
        });
    for (int l = 0; l < patches.count(); ++l) {
      const auto i = static_cast<std::size_t>(patches[l].panel());
      if (!fits.pressure.empty())
        fits.pressure[i] = integral_over(panels, i, fitted[l], patches[l]);
      if (has_phi) fits.phi[i] = integral_over(panels, i, phi[l], patches[l]);
    }
    if (!has_signs) return;
    find_signs(solution, patches, phi, height, fits.signs);
    if (!problem.has_pressure) find_flux_signs(panels, solution, patches, fitted, fits.signs);
  });
  return fits;
}

}  // namespace rankine::bem
