#include "rankine/bem/flow/surface_fits.hpp"

#include <cmath>
#include <utility>

#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The fitted field: the pressure, or for a problem without a flow the flux (and so the charges).
FittedFields fields_of(const FlowProblem& problem, const Solution& solution) {
  return {problem.has_pressure ? solution.pressure : solution.flux, solution.phi,
          solution.vectors()};
}

SurfaceFits surface_fits(const FlowProblem& problem, const Solution& solution, PanelFits fits) {
  SurfaceFits result{.pressure = {},
                     .phi = std::move(fits.of_potential),
                     .signs = std::move(fits.signs),
                     .flux = {}};
  if (!has_thin_walls(problem) && solution.doublet.size() >= solution.phi.size())
    set_means(problem.panels, std::span(solution.doublet).first(solution.phi.size()), solution.phi,
              result.phi);
  if (problem.has_pressure) {
    result.pressure = std::move(fits.of_values);
  } else if (!result.signs.empty()) {
    result.flux.resize(problem.panels.size());
    parallel_for(result.flux.size(), [&](std::size_t i) {
      const double mean = fits.of_values[i].plain / problem.panels.area[i];
      result.flux[i] = std::abs(mean - solution.flux[i]);
    });
  }
  return result;
}

}  // namespace

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  return surface_fits(problem, solution, fit_panels(neighbourhood, fields_of(problem, solution)));
}

SurfaceFits fit_surface(const FlowProblem& problem, const Solution& solution, Backend& backend) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  return surface_fits(problem, solution, backend.fit(neighbourhood, fields_of(problem, solution)));
}

}  // namespace rankine::bem
