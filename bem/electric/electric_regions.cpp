#include "rankine/bem/electric/electric_regions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::bem {
namespace {

struct ElectricRegion {
  std::int32_t body = -1;  ///< the body around the region; -1: none
  Incident incident;       ///< of the sources in the region
  Panels panels;
  Domain domain = Domain::exterior;
  std::vector<std::size_t> panel;    ///< index in the electric problem of every panel
  std::vector<std::uint8_t> thin{};  ///< of panels with the region on both sides; empty: none

  bool is_outer_side(const ElectricProblem& of, std::size_t k) const {
    return of.body[panel[k]] != body;
  }
  Region region() const { return {panels, domain, thin}; }
};

double mean_over(const Panels& panels, const std::vector<double>& values) {
  double sum = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) sum += panels.area[k] * values[k];
  return sum / total_area(panels);
}

/// Removes the net flux, which is a discretization error; no potential exists for it.
void balance(const Panels& panels, std::vector<double>& flux) {
  const double net = mean_over(panels, flux);
  for (double& each : flux) each -= net;
}

/// The permittivity on the other side of a panel of the region.
double beyond(const ElectricProblem& problem, const ElectricRegion& region, std::size_t k) {
  const auto body = static_cast<std::size_t>(problem.body[region.panel[k]]);
  return region.is_outer_side(problem, k) ? problem.bodies[body].inside
                                          : problem.bodies[body].outside;
}

/// The region within `body`; -1: around all bodies.
ElectricRegion region_within(const ElectricProblem& problem, std::int32_t body) {
  ElectricRegion region;
  region.body = body;
  region.incident = incident_in(problem, body);
  region.domain = body < 0 ? problem.domain : Domain::interior;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    if (problem.body[i] == body || problem.body_of(i).parent == body) region.panel.push_back(i);
  }
  const bool all = body < 0 && region.panel.size() == problem.panels.size();
  if (all) {
    region.panels = problem.panels;
    region.thin = problem.thin();
    return region;
  }
  meshes::SurfaceMesh mesh;
  mesh.nodes = problem.mesh.nodes;
  mesh.patch_names = problem.mesh.patch_names;
  mesh.source = problem.mesh.source;
  mesh.sharp_angle = problem.mesh.sharp_angle;
  for (const std::size_t i : region.panel) {
    mesh.elements.push_back(problem.mesh.elements[i]);
    mesh.patch.push_back(problem.mesh.patch[i]);
    if (!problem.mesh.mid_nodes.empty()) mesh.mid_nodes.push_back(problem.mesh.mid_nodes[i]);
    if (problem.body[i] == body) meshes::reverse_element(mesh, mesh.elements.size() - 1);
  }
  meshes::drop_unused_nodes(mesh);
  region.panels = make_panels(mesh, problem.geometry, problem.panels.symmetry);
  return region;
}

/// dphi/dn of the perturbation, n into the region, from that of `state`.
std::vector<double> perturbation_flux(const ElectricProblem& problem, const ElectricRegion& region,
                                      const ElectricState& state) {
  std::vector<double> flux;
  const Panels& panels = region.panels;
  for (std::size_t k = 0; k < region.panel.size(); ++k) {
    const std::size_t i = region.panel[k];
    const double into = region.is_outer_side(problem, k) ? state.outside[i] : -state.inside[i];
    flux.push_back(into - dot(region.incident.gradient(panels.centroid[k]), panels.normal[k]));
  }
  return flux;
}

/// The perturbation on the surface, which determines it in the region.
BoundaryFields perturbation(const ElectricProblem& problem, const ElectricRegion& region,
                            const ElectricSolution& solution) {
  BoundaryFields result;
  result.flux = perturbation_flux(problem, region, solution.state);
  for (std::size_t k = 0; k < region.panel.size(); ++k) {
    const std::size_t i = region.panel[k];
    const Vec3d& x = region.panels.centroid[k];
    const Vec3d onset = region.incident.gradient(x);
    const auto &outer = solution.gradient_outside, &inner = solution.gradient_inside;
    result.phi.push_back(solution.state.potential[i] - region.incident.potential(x));
    result.gradient.push_back((region.is_outer_side(problem, k) ? outer : inner)[i] - onset);
    if (!region.thin.empty()) result.gradient_behind.push_back(inner[i] - onset);
    result.charge.push_back(region.region().is_thin(k) ? solution.state.charge[i]
                                                       : -result.flux[k]);
  }
  if (region.domain == Domain::interior && region.panels.symmetry.even())
    result.constant = mean_over(region.panels, result.phi);
  for (std::size_t k = 0; k < result.phi.size(); ++k)
    result.doublet.push_back(region.region().is_thin(k) ? 0.0 : result.phi[k] - result.constant);
  return result;
}

}  // namespace

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
  // Without the mean, which may be a thousand times as large as the variation.
  const double level = problem.panels.symmetry.even() ? mean_over(panels, potential) : 0.0;
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
    const double into = found.flux[k] + dot(region.incident.gradient(x), panels.normal[k]);
    const double normal = outer ? into : -into;
    (outer ? state.outside[i] : state.inside[i]) = normal;
    if (problem.conductor[i] < 0)
      (outer ? state.inside[i] : state.outside[i]) = normal * medium / beyond(problem, region, k);
  }
  return found.converged();
}

struct ElectricEvaluator::Medium {
  ElectricRegion region{};
  BoundingBox around{};  ///< of interior regions
  BoundaryFields fields{};
  std::optional<PotentialEvaluator> evaluator{};  ///< made at its first use
};

ElectricEvaluator::ElectricEvaluator(const ElectricProblem& problem,
                                     const ElectricSolution& solution, const FieldOptions& options,
                                     Backend& backend)
    : problem_(problem), solution_(solution), options_(options), backend_(backend) {
  const auto add = [&](std::int32_t body) {
    auto medium = std::make_unique<Medium>();
    medium->region = region_within(problem, body);
    if (medium->region.panel.empty()) return;
    BoundingBox box;
    for (const PanelShape<double>& shape : medium->region.panels.shape.on_host()) {
      for (int c = 0; c < shape.corners; ++c) box.add(shape.corner[c]);
    }
    const Vec3d bulges = 0.1 * box.size();
    medium->around = {box.lower - bulges, box.upper + bulges};
    media_.push_back(std::move(medium));
  };
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (problem.has_field_within(static_cast<std::int32_t>(b))) add(static_cast<std::int32_t>(b));
  }
  add(-1);
}

ElectricEvaluator::~ElectricEvaluator() = default;

PotentialField ElectricEvaluator::at(std::span<const Vec3d> points) {
  const std::size_t count = points.size();
  PotentialField result{std::vector<double>(count), std::vector<Vec3d>(count),
                        std::vector<std::uint8_t>(count, 1)};
  for (const std::unique_ptr<Medium>& medium : media_) {
    const ElectricRegion& region = medium->region;
    const bool everywhere = region.body < 0 || !problem_.panels.symmetry.empty();
    std::vector<std::size_t> number;
    std::vector<Vec3d> here;
    for (std::size_t i = 0; i < count; ++i) {
      const BoundingBox point{points[i], points[i]};
      if (result.inside[i] == 0 || !(everywhere || medium->around.contains(point))) continue;
      number.push_back(i);
      here.push_back(points[i]);
    }
    if (here.empty()) continue;
    if (!medium->evaluator) {
      medium->fields = perturbation(problem_, region, solution_);
      medium->evaluator.emplace(region.region(), medium->fields, options_, backend_);
    }
    const PotentialField found = medium->evaluator->at(here);
    result.sum_error = std::max(result.sum_error, found.sum_error);
    for (std::size_t k = 0; k < number.size(); ++k) {
      if (found.inside[k] != 0) continue;
      const std::size_t i = number[k];
      result.inside[i] = 0;
      result.phi[i] = found.phi[k] + region.incident.potential(here[k]);
      result.gradient[i] = found.gradient[k] + region.incident.gradient(here[k]);
    }
  }
  return result;
}

}  // namespace rankine::bem
