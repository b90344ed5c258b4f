#include "rankine/bem/electric/electric_region.hpp"

#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::bem {
namespace {

double mean(const Panels& panels, const std::vector<double>& values) {
  double sum = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) sum += panels.area[k] * values[k];
  return sum / total_area(panels);
}

/// Removes the net flux, which is an error of the panels and has no potential.
void balance(const Panels& panels, std::vector<double>& flux) {
  const double net = mean(panels, flux);
  for (double& each : flux) each -= net;
}

/// The permittivity on the other side of a panel of the region.
double beyond(const ElectricProblem& problem, const ElectricRegion& region, std::size_t k) {
  const auto body = static_cast<std::size_t>(problem.body[region.panel[k]]);
  return region.is_outer_side(problem, k) ? problem.bodies[body].inside
                                          : problem.bodies[body].outside;
}

}  // namespace

ElectricRegion region_within(const ElectricProblem& problem, std::int32_t body) {
  ElectricRegion region;
  region.body = body;
  region.incident = incident_in(problem, body);
  meshes::SurfaceMesh mesh;
  mesh.nodes = problem.mesh.nodes;
  mesh.patch_names = problem.mesh.patch_names;
  mesh.source = problem.mesh.source;
  mesh.sharp_angle = problem.mesh.sharp_angle;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const std::int32_t mine = problem.body[i];
    const bool around = mine == body;
    if (!around && problem.bodies[static_cast<std::size_t>(mine)].parent != body) continue;
    region.panel.push_back(i);
    mesh.elements.push_back(problem.mesh.elements[i]);
    mesh.patch.push_back(problem.mesh.patch[i]);
    if (!problem.mesh.mid_nodes.empty()) mesh.mid_nodes.push_back(problem.mesh.mid_nodes[i]);
    if (around) meshes::reverse_element(mesh, mesh.elements.size() - 1);
  }
  meshes::drop_unused_nodes(mesh);
  region.panels = make_panels(mesh, problem.geometry, problem.panels.symmetry);
  region.domain = body < 0 ? problem.domain : Domain::interior;
  return region;
}

std::vector<double> perturbation_flux(const ElectricProblem& problem, const ElectricRegion& region,
                                      const ElectricState& state) {
  std::vector<double> flux;
  const Panels& panels = region.panels;
  for (std::size_t k = 0; k < region.panel.size(); ++k) {
    const std::size_t i = region.panel[k];
    const double into = region.is_outer_side(problem, k) ? state.outside[i] : -state.inside[i];
    flux.push_back(-into - dot(region.incident.gradient(panels.centroid[k]), panels.normal[k]));
  }
  return flux;
}

bool find_potential_within(const ElectricProblem& problem, std::int32_t body, ElectricState& state,
                           const RegionOptions& options, Backend& backend) {
  const ElectricRegion region = region_within(problem, body);
  const Panels& panels = region.panels;
  const double medium = problem.medium(body);
  BoundaryConditions conditions;
  std::vector<double> flux = perturbation_flux(problem, region, state), potential;
  for (std::size_t k = 0; k < region.panel.size(); ++k) {
    const std::size_t i = region.panel[k];
    const bool by_flux = problem.conductor[i] < 0 && medium >= beyond(problem, region, k);
    conditions.known.push_back(by_flux ? Known::flux : Known::potential);
    potential.push_back(state.potential[i] - region.incident.potential(panels.centroid[k]));
  }
  // Without the mean, which may be a thousand times the variation.
  const double level = problem.panels.symmetry.even() ? mean(panels, potential) : 0.0;
  for (double& each : potential) each -= level;
  const bool open = leaves_constant(region.region(), conditions);
  if (open) balance(panels, flux);
  std::vector<double> known = std::move(flux);
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (conditions.known[k] == Known::potential) known[k] = potential[k];
  }
  RegionOptions own = options;
  own.formulation = Formulation::green;
  own.initial_guess.clear();
  const RegionSolution found =
      std::move(solve({region.region(), conditions, std::move(known)}, own, backend).front());
  if (!found.complete()) throw Stopped("interrupted while the potential in a medium was sought");
  double shift = 0.0, area = 0.0;
  for (std::size_t k = 0; open && k < region.panel.size(); ++k) {
    if (region.is_outer_side(problem, k)) continue;
    shift += panels.area[k] * (potential[k] - found.phi[k]);
    area += panels.area[k];
  }
  if (open) shift /= area;
  for (std::size_t k = 0; k < region.panel.size(); ++k) {
    const std::size_t i = region.panel[k];
    const Vec3d& x = panels.centroid[k];
    state.potential[i] = found.phi[k] + shift + level + region.incident.potential(x);
    if (conditions.known[k] == Known::flux) continue;
    const bool outer = region.is_outer_side(problem, k);
    const double into = -found.flux[k] - dot(region.incident.gradient(x), panels.normal[k]);
    const double normal = outer ? into : -into;
    (outer ? state.outside[i] : state.inside[i]) = normal;
    if (problem.conductor[i] < 0)
      (outer ? state.inside[i] : state.outside[i]) = normal * medium / beyond(problem, region, k);
  }
  return found.converged();
}

BoundaryFields perturbation(const ElectricProblem& problem, const ElectricRegion& region,
                            const ElectricSolution& solution) {
  BoundaryFields result;
  result.flux = perturbation_flux(problem, region, solution.state);
  for (std::size_t k = 0; k < region.panel.size(); ++k) {
    const std::size_t i = region.panel[k];
    const Vec3d& x = region.panels.centroid[k];
    const std::vector<Vec3d>& field =
        region.is_outer_side(problem, k) ? solution.field_outside : solution.field_inside;
    result.phi.push_back(solution.state.potential[i] - region.incident.potential(x));
    result.gradient.push_back(-field[i] - region.incident.gradient(x));
    result.charge.push_back(-result.flux[k]);
  }
  if (region.domain == Domain::interior && region.panels.symmetry.even())
    result.constant = mean(region.panels, result.phi);
  for (const double phi : result.phi) result.doublet.push_back(phi - result.constant);
  return result;
}

}  // namespace rankine::bem
