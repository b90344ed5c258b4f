#include "rankine/bem/flow/forces.hpp"

#include <cmath>

namespace rankine::bem {

Loads pressure_loads(const FlowProblem& problem, const Solution& solution, const Vec3d& reference) {
  const Panels& panels = problem.panels;
  const double dynamic_pressure = 0.5 * problem.density * dot(problem.velocity, problem.velocity);
  Loads loads{};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d push = (-dynamic_pressure * solution.cp[i] * panels.area[i]) * panels.normal[i];
    loads.force += push;
    loads.moment += cross(panels.centroid[i] - reference, push);
  }
  return loads;
}

double disturbance_energy(const FlowProblem& problem, const Solution& solution) {
  const std::vector<double> g = normal_derivative(problem);
  double sum = 0.0;
  for (std::size_t i = 0; i < g.size(); ++i) sum += problem.panels.area[i] * solution.phi[i] * g[i];
  return 0.5 * problem.density * std::abs(sum);
}

double added_mass_coefficient(const FlowProblem& problem, const Solution& solution) {
  const double scale = 0.5 * problem.density * dot(problem.velocity, problem.velocity) *
                       enclosed_volume(problem.panels);
  return disturbance_energy(problem, solution) / scale;
}

}  // namespace rankine::bem
