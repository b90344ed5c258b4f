// What fits around every panel (bem/panels/panel_fits.hpp) say of a solution: integrals over the panel, and how far
// values are from those that the panels around predict. One pass over the surface serves loads, added mass, energy
// and error estimates.
#pragma once

#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

struct SurfaceFits {
  AlignedVector<SurfaceIntegral> pressure;  ///< of p, N and N m; empty where the solution has none
  AlignedVector<SurfaceIntegral> phi;       ///< empty where the solution has none
  AlignedVector<PanelSigns> signs;  ///< of the velocity and phi; empty where it has not both
  /// Of a potential alone, |mean over the panel less value at the point|, m/s; empty without signs.
  std::vector<double> flux;
};

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution);
/// The same by `backend`.
SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution, Backend& backend);

}  // namespace rankine::bem
