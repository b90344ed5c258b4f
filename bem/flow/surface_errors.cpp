#include "rankine/bem/flow/surface_errors.hpp"

#include <vector>

namespace rankine::bem {

SurfaceErrors surface_errors(const FlowProblem& problem, const Solution& solution,
                             const std::function<SurfaceState(const Vec3d&)>& exact) {
  const double dynamic_pressure = reference_pressure(problem.density, solution.stream);
  std::vector<double> phi, pressure;
  std::vector<Vec3d> velocity;
  for (const Vec3d& x : problem.panels.centroid) {
    const SurfaceState state = exact(x);
    phi.push_back(state.phi);
    velocity.push_back(state.velocity);
    pressure.push_back(dynamic_pressure * state.cp);
  }
  const std::span<const double> area = problem.panels.area;
  return {relative_error(area, solution.phi, phi),
          relative_error(area, solution.velocity, velocity),
          relative_error(area, solution.pressure, pressure)};
}

}  // namespace rankine::bem
