#include "rankine/bem/flow/surface_errors.hpp"

#include <vector>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SurfaceErrors surface_errors(const FlowProblem& problem, const Solution& solution,
                             const std::function<SurfaceState(const Vec3d&)>& exact) {
  const double dynamic_pressure = reference_pressure(problem.density, solution.stream);
  const std::size_t n = problem.panels.size();
  std::vector<double> phi(n), pressure(n);
  std::vector<Vec3d> velocity(n);
  parallel_for(n, [&](std::size_t i) {
    const SurfaceState state = exact(problem.panels.centroid[i]);
    phi[i] = state.phi;
    velocity[i] = state.velocity;
    pressure[i] = dynamic_pressure * state.cp;
  });
  const std::span<const double> area = problem.panels.area;
  return {relative_error(area, solution.phi, phi),
          relative_error(area, solution.velocity, velocity),
          relative_error(area, solution.pressure, pressure)};
}

}  // namespace rankine::bem
