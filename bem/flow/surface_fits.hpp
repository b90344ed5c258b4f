// What fits around every panel say of a solution: integrals over the panel, and how far values are from those
// that the panels around predict. One pass over the surface serves loads, added mass, energy and error
// estimates.
#pragma once

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

/// What one panel's surroundings say about it (bem/flow/error_estimate.hpp).
struct PanelSigns {
  double difference = 0.0;  ///< |u - u*|, m/s
  double deviation = 0.0;   ///< |phi - phi*|, m^2/s
  double tilt = 0.0;        ///< tangent of the angle between the panel and the fitted surface
  double flux = 0.0;  ///< |mean over the panel less value at the point|, m/s; of a potential alone
};

struct SurfaceFits {
  AlignedVector<SurfaceIntegral> pressure;  ///< of p, N and N m; empty where the solution has none
  AlignedVector<SurfaceIntegral> phi;       ///< empty where the solution has none
  AlignedVector<PanelSigns> signs;  ///< of the velocity and phi; empty where it has not both
};

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution);

}  // namespace rankine::bem
