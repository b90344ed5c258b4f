// Fits around every panel of fields that are given at the collocation points. They give integrals
// over the panel, and differences between its values and those predicted from neighbouring panels.
// One pass over the surface computes all of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

/// One value per panel, of any unit; empty: no such field.
struct FittedFields {
  std::span<const double> values, potential;
  std::span<const Vec3d> velocity;
};

/// Differences between a panel and fits to its neighbours.
struct PanelSigns {
  double difference = 0.0;  ///< |u - u*|, of the velocity
  double deviation = 0.0;   ///< |phi - phi*|, of the potential
  double tilt = 0.0;        ///< tangent of the angle between the panel and the fitted surface
};

struct PanelFits {
  AlignedVector<SurfaceIntegral> of_values, of_potential;  ///< empty for fields that are not given
  AlignedVector<PanelSigns> signs;  ///< empty unless potential and velocity are given

  /// Allocates the results for these fields.
  PanelFits(std::size_t panels, const FittedFields& fields)
      : of_values(fields.values.size()),
        of_potential(fields.potential.size()),
        signs(fields.potential.empty() || fields.velocity.empty() ? 0 : panels) {}
};

/// `missed`, `missed_potential`: predictions for velocity and potential minus the panel's values.
/// `phi` and `height`: polynomials fitted to the potential and to the heights of the points above
/// the panel's plane, in units of its scale.
RANKINE_HD inline PanelSigns signs_of(const Vec3d& velocity, const Vec3d& missed,
                                      double missed_potential, const PlanePolynomial& phi,
                                      const PlanePolynomial& height) {
  // With fewer than two slopes, a part of the velocity is not known.
  return {.difference = norm(phi.terms >= 2 ? missed : velocity),
          .deviation = std::abs(missed_potential),
          .tilt = std::hypot(height.slope_x(), height.slope_y())};
}

/// Results of panels that are not in `rows` are zero.
PanelFits fit_panels(const PanelNeighbourhood& neighbourhood, const FittedFields& fields,
                     const RowRange& rows = {});

/// The same for one panel.
void fit_panel(const PanelNeighbourhood& neighbourhood, const FittedFields& fields,
               std::int32_t panel, PanelFits& fits);

}  // namespace rankine::bem
