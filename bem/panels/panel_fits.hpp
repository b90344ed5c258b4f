// What fits around every panel say of fields that are given at the collocation points: integrals over the panel, and
// how far values are from those that the panels around predict. One pass over the surface serves all.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

/// One value per panel, of any unit; empty where there is no such field.
struct FittedFields {
  std::span<const double> values, potential;
  std::span<const Vec3d> velocity;
};

/// What one panel's surroundings say about it.
struct PanelSigns {
  double difference = 0.0;  ///< |u - u*|, of the velocity
  double deviation = 0.0;   ///< |phi - phi*|, of the potential
  double tilt = 0.0;        ///< tangent of the angle between the panel and the fitted surface
};

struct PanelFits {
  AlignedVector<SurfaceIntegral> of_values, of_potential;  ///< of fields that are given
  AlignedVector<PanelSigns> signs;  ///< where potential and velocity are given

  /// With room for what fits of these fields yield.
  PanelFits(std::size_t panels, const FittedFields& fields)
      : of_values(fields.values.size()),
        of_potential(fields.potential.size()),
        signs(fields.potential.empty() || fields.velocity.empty() ? 0 : panels) {}
};

/// `missed`: predictions for velocity and potential less what the panel has; `phi` and `height`: the polynomials
/// fitted to the potential and to the points over the panel's plane, in its scale.
RANKINE_HD inline PanelSigns signs_of(const Vec3d& velocity, const Vec3d& missed,
                                      double missed_potential, const PlanePolynomial& phi,
                                      const PlanePolynomial& height) {
  // Slopes of a plane say nothing about how far they are off.
  return {.difference = norm(phi.terms >= 5 ? missed : velocity),
          .deviation = std::abs(missed_potential),
          .tilt = std::hypot(height.slope_x(), height.slope_y())};
}

PanelFits fit_panels(const PanelNeighbourhood& neighbourhood, const FittedFields& fields);

/// The same of one panel alone.
void fit_panel(const PanelNeighbourhood& neighbourhood, const FittedFields& fields,
               std::int32_t panel, PanelFits& fits);

}  // namespace rankine::bem
