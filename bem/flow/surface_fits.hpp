// Fits of a solution around every panel (bem/panels/panel_fits.hpp): integrals over the panel, and
// differences between its values and those predicted from neighbouring panels. One pass over the
// surface gives the data for loads, added mass, energy and error estimates.
#pragma once

#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

struct SurfaceFits {
  AlignedVector<SurfaceIntegral> pressure;  ///< of p, N and N m; empty if the solution has none
  AlignedVector<SurfaceIntegral> phi;       ///< empty if the solution has none
  AlignedVector<PanelSigns> signs;          ///< of the velocity and phi; empty unless the solution
                                            ///< has both
  /// For a problem without a flow: |mean over the panel - value at the point| of the flux, m/s;
  /// empty without signs.
  std::vector<double> flux;
};

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution);
/// The same on `backend`.
SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution, Backend& backend);

}  // namespace rankine::bem
