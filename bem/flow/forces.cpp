#include "rankine/bem/flow/forces.hpp"

namespace rankine::bem {
namespace {

Loads operator+(const Loads& a, const Loads& b) { return {a.force + b.force, a.moment + b.moment}; }

/// Of one panel.
Loads load(const FlowProblem& problem, const Solution& solution, std::size_t panel,
           const Vec3d& reference) {
  const Panels& panels = problem.panels;
  const Vec3d force = -solution.pressure[panel] * panels.vector_area[panel];
  return {force, cross(panels.centroid[panel] - reference, force)};
}

}  // namespace

Loads pressure_loads(const FlowProblem& problem, const Solution& solution, const Vec3d& reference) {
  Loads sum{};
  for (std::size_t i = 0; i < problem.panels.size(); ++i)
    sum = sum + load(problem, solution, i, reference);
  return sum;
}

std::vector<Loads> pressure_loads_by_patch(const FlowProblem& problem, const Solution& solution,
                                           std::size_t patches, const Vec3d& reference) {
  std::vector<Loads> sums(patches);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    Loads& sum = sums.at(static_cast<std::size_t>(problem.panels.patch[i]));
    sum = sum + load(problem, solution, i, reference);
  }
  return sums;
}

std::vector<Loads> pressure_loads_by_body(const FlowProblem& problem, const Solution& solution,
                                          std::span<const std::int32_t> body,
                                          std::span<const Vec3d> reference) {
  std::vector<Loads> sums(reference.size());
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const auto b = static_cast<std::size_t>(body[i]);
    sums[b] = sums[b] + load(problem, solution, i, reference[b]);
  }
  return sums;
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
  const std::vector<double> q = flux(problem, solution.stream);
  double sum = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += problem.panels.area[i] * solution.phi[i] * q[i];
  return -0.5 * problem.density * sum;
}

double added_mass_coefficient(const FlowProblem& problem, const Solution& solution) {
  const double scale =
      reference_pressure(problem.density, solution.stream) * enclosed_volume(problem.panels);
  return disturbance_energy(problem, solution) / scale;
}

Vec3d added_mass_velocity(const FlowProblem& problem, const Solution& solution) {
  const Panels& panels = problem.panels;
  Vec3d sum;
  for (std::size_t i = 0; i < panels.size(); ++i) sum += solution.phi[i] * panels.vector_area[i];
  return sum / enclosed_volume(panels);
}

}  // namespace rankine::bem
