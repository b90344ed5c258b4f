#include "rankine/bem/flow/surface_fits.hpp"

#include <array>
#include <cmath>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// `phi`: the polynomial fitted to the potential; `height`: that of the points over the panel's plane, in its
/// scale.
PanelSigns signs_of(const Solution& solution, std::size_t i, const PlanePolynomial& phi,
                    const PlanePolynomial& height, PanelPatch& patch) {
  const PanelNeighbourhood& around = patch.neighbourhood();
  PanelSigns signs;
  signs.tilt = std::hypot(height.slope_x(), height.slope_y());
  Vec3d predicted{};
  double predicted_phi = 0.0;
  const std::span<const double> weights = patch.prediction();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::int32_t j = patch.around()[k];
    predicted += weights[k] * around.value(solution.velocity, j);
    predicted_phi += weights[k] * around.value(solution.phi, j);
  }
  // Slopes of a plane say nothing about how far they are off.
  signs.difference = norm(phi.terms >= 5 ? solution.velocity[i] - predicted : solution.velocity[i]);
  signs.deviation = weights.empty() ? 0.0 : std::abs(solution.phi[i] - predicted_phi);
  return signs;
}

}  // namespace

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution) {
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size();
  const PanelNeighbourhood neighbourhood(panels);
  const bool has_phi = !solution.phi.empty(), has_signs = has_phi && !solution.velocity.empty();
  SurfaceFits fits{std::vector<SurfaceIntegral>(solution.pressure.size()),
                   std::vector<SurfaceIntegral>(solution.phi.size()),
                   std::vector<PanelSigns>(has_signs ? n : 0)};
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      n, chunk, [&] { return PanelPatch(neighbourhood); },
      [&](std::size_t i, PanelPatch& patch) {
        patch.move_to(static_cast<std::int32_t>(i));
        const auto value = [&](const std::vector<double>& values, std::int32_t j) {
          return values.empty() ? 0.0 : neighbourhood.value(values, j);
        };
        const auto [pressure, phi, height] = patch.fits<3>([&](std::int32_t j) {
          const Vec3d r = neighbourhood.centroid(j) - panels.centroid[i];
          return std::array{value(solution.pressure, j), value(solution.phi, j),
                            dot(r, patch.normal()) / patch.scale()};
        });
        if (!fits.pressure.empty()) fits.pressure[i] = integral_over(panels, i, pressure, patch);
        if (!has_phi) return;
        fits.phi[i] = integral_over(panels, i, phi, patch);
        if (has_signs) fits.signs[i] = signs_of(solution, i, phi, height, patch);
      });
  return fits;
}

}  // namespace rankine::bem
