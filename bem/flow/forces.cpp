#include "rankine/bem/flow/forces.hpp"

#include "rankine/bem/panels/surface_integrals.hpp"

namespace rankine::bem {
namespace {

Loads load(const SurfaceIntegral& pressure) { return {-pressure.normal, -pressure.moment}; }

}  // namespace

Loads pressure_loads(const FlowProblem& problem, const Solution& solution, const Vec3d& reference) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  return load(surface_integral(neighbourhood, solution.pressure, reference));
}

std::vector<Loads> pressure_loads_by_patch(const FlowProblem& problem, const Solution& solution,
                                           std::size_t patches, const Vec3d& reference) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  std::vector<Loads> loads;
  const IntegralOptions options{reference, problem.panels.patch, patches};
  for (const SurfaceIntegral& of_patch :
       surface_integrals(neighbourhood, solution.pressure, options))
    loads.push_back(load(of_patch));
  return loads;
}

std::vector<Loads> pressure_loads_by_body(const FlowProblem& problem, const Solution& solution,
                                          std::span<const std::int32_t> body,
                                          std::span<const Vec3d> reference) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  const IntegralOptions options{{}, body, reference.size()};
  std::vector<Loads> loads;
  for (const SurfaceIntegral& of_body :
       surface_integrals(neighbourhood, solution.pressure, options)) {
    Loads each = load(of_body);
    each.moment -= cross(reference[loads.size()], each.force);
    loads.push_back(each);
  }
  return loads;
}

std::vector<double> flux_by_patch(const FlowProblem& problem, const Solution& solution,
                                  std::size_t patches) {
  std::vector<double> sums(patches, 0.0);
  for (std::size_t i = 0; i < solution.flux.size(); ++i)
    sums.at(static_cast<std::size_t>(problem.panels.patch[i])) +=
        problem.panels.area[i] * solution.flux[i];
  return sums;
}

double disturbance_energy(const FlowProblem& problem, const Solution& solution) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  // int phi (w - U.n) dA, w constant on every panel.
  double sum = -dot(solution.stream, surface_integral(neighbourhood, solution.phi).normal);
  if (!problem.normal_velocity.empty()) {
    const IntegralOptions of_walls{.factor = problem.normal_velocity};
    sum += surface_integrals(neighbourhood, solution.phi, of_walls).front().plain;
  }
  return -0.5 * problem.density * sum;
}

double added_mass_coefficient(const FlowProblem& problem, const Solution& solution) {
  const double scale =
      reference_pressure(problem.density, solution.stream) * enclosed_volume(problem.panels);
  return disturbance_energy(problem, solution) / scale;
}

Vec3d added_mass_velocity(const FlowProblem& problem, const Solution& solution) {
  const PanelNeighbourhood neighbourhood(problem.panels);
  return surface_integral(neighbourhood, solution.phi).normal / enclosed_volume(problem.panels);
}

}  // namespace rankine::bem
