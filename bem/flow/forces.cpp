#include "rankine/bem/flow/forces.hpp"

#include "rankine/bem/flow/thin_walls.hpp"

namespace rankine::bem {
namespace {

Loads load(const SurfaceIntegral& pressure, const Vec3d& reference) {
  return {-pressure.normal, -pressure.moment_about(reference)};
}

}  // namespace

Loads pressure_loads(const SurfaceFits& fits, const Vec3d& reference) {
  return load(sum_of(fits.pressure), reference);
}

std::vector<Loads> pressure_loads_by_patch(const FlowProblem& problem, const SurfaceFits& fits,
                                           std::size_t patches, const Vec3d& reference) {
  std::vector<Loads> loads;
  for (const SurfaceIntegral& each : sums_of_groups(fits.pressure, problem.panels.patch, patches))
    loads.push_back(load(each, reference));
  return loads;
}

std::vector<Loads> pressure_loads_by_body(const SurfaceFits& fits,
                                          std::span<const std::int32_t> body,
                                          std::span<const Vec3d> reference) {
  std::vector<Loads> loads;
  for (const SurfaceIntegral& each : sums_of_groups(fits.pressure, body, reference.size()))
    loads.push_back(load(each, reference[loads.size()]));
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

Vec3d added_mass_velocity(const FlowProblem& problem, const SurfaceFits& fits) {
  if (has_thin_walls(problem)) return {};  // they have no volume
  return sum_of(fits.phi).normal / enclosed_volume(problem.panels);
}

}  // namespace rankine::bem
