#include "rankine/bem/electric/dielectrics.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
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

/// E.n outside and inside of a panel. `outer_flux`: dphi/dn outside, used if it does not follow
/// from sigma.
std::pair<double, double> normal_fields(const ElectricProblem& problem, std::size_t panel,
                                        double sigma, double outer_flux) {
  const ElectricBody& mine = problem.body_of(panel);
  if (problem.needs_both_sides(panel))
    return {-outer_flux, mine.inside > 0.0 ? -outer_flux - sigma : 0.0};
  if (problem.conductor[panel] >= 0) return {sigma, 0.0};
  const double step = mine.inside - mine.outside;
  return {sigma * mine.inside / step, sigma * mine.outside / step};
}

/// The free charge of conductors, C.
std::vector<double> free_charges(const ElectricProblem& problem, const ElectricState& state) {
  std::vector<double> charge(static_cast<std::size_t>(problem.conductors), 0.0);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    if (problem.conductor[i] < 0) continue;
    const ElectricBody& mine = problem.body_of(i);
    charge[static_cast<std::size_t>(problem.conductor[i])] +=
        vacuum_permittivity * problem.panels.area[i] *
        (mine.outside * state.outside[i] - mine.inside * state.inside[i]);
  }
  return charge;
}

/// Of the capacitances. Interfaces have none of their own.
ChargeErrors errors_of(const ElectricProblem& problem, const std::vector<ElectricState>& states,
                       Backend& backend) {
  std::vector<std::vector<double>> total, free;
  for (int k = 0; k < problem.conductors; ++k) {
    const ElectricState& state = states[static_cast<std::size_t>(k)];
    total.push_back(state.charge);
    std::vector<double>& charge = free.emplace_back();
    for (std::size_t i = 0; i < problem.panels.size(); ++i) {
      const ElectricBody& mine = problem.body_of(i);
      charge.push_back(mine.outside * state.outside[i] - mine.inside * state.inside[i]);
    }
  }
  return charge_errors({problem.panels, problem.domain}, problem.conductor, total, free,
                       vacuum_permittivity, backend);
}

/// State `column` of a solved system.
ElectricState state_of(const ElectricProblem& problem, const BoundarySolution& solved,
                       std::size_t column) {
  const std::size_t n = problem.panels.size(), first = column * n;
  ElectricState state;
  std::vector<double> potential(n, 0.0), flux(n, 0.0);
  if (column == static_cast<std::size_t>(problem.conductors)) {
    const Incident sources = incident(problem);
    flux = incident_flux(problem);
    for (std::size_t i = 0; i < n; ++i)
      potential[i] = sources.potential(problem.panels.centroid[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double sigma = solved.unknown[first + i];
    const double outer_flux = flux[i] + (solved.flux.empty() ? 0.0 : solved.flux[first + i]);
    const auto [outside, inside] = normal_fields(problem, i, sigma, outer_flux);
    state.charge.push_back(sigma);
    state.potential.push_back(potential[i] + solved.potential[first + i]);
    state.outside.push_back(outside);
    state.inside.push_back(inside);
  }
  return state;
}

void add(double factor, const ElectricState& from, ElectricState& to) {
  for (const auto member : {&ElectricState::charge, &ElectricState::potential,
                            &ElectricState::outside, &ElectricState::inside}) {
    (to.*member).resize((from.*member).size(), 0.0);
    for (std::size_t i = 0; i < (from.*member).size(); ++i)
      (to.*member)[i] += factor * (from.*member)[i];
  }
}

/// Bodies in which the potential is computed again: those of a high permittivity and bodies that
/// they shield. The highest permittivity comes first, since others use the potential on its
/// surface.
std::vector<std::int32_t> found_anew(const ElectricProblem& problem) {
  std::vector<std::int32_t> found;
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (!(problem.bodies[b].inside > 0.0)) continue;
    bool anew = false;
    for (auto at = static_cast<std::int32_t>(b); at >= 0 && !anew;) {
      const ElectricBody& body = problem.bodies[static_cast<std::size_t>(at)];
      anew = body.inside > fitted::cancels_from * body.outside;
      at = body.parent;
    }
    if (anew) found.push_back(static_cast<std::int32_t>(b));
  }
  std::stable_sort(found.begin(), found.end(), [&](std::int32_t a, std::int32_t b) {
    return problem.medium(a) > problem.medium(b);
  });
  return found;
}

/// The potential at each point charge without the charge's own.
std::vector<double> potentials_at_charges(const ElectricProblem& problem,
                                          const ElectricState& state, const RegionOptions& options,
                                          Backend& backend) {
  std::vector<Vec3d> points;
  for (const PointCharge& each : problem.charges) points.push_back(each.position);
  if (points.empty()) return {};
  OffSurfaceOperator sums(backend, problem.panels, points, options.fmm, {});
  std::vector<double> potential = sums.evaluate({.charge = state.charge, .doublet = {}}).potential;
  const Incident sources = incident(problem);
  for (std::size_t k = 0; k < points.size(); ++k) potential[k] += sources.potential_at_point(k);
  return potential;
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

ElectricResponse respond(const ElectricProblem& problem, const RegionOptions& options,
                         Backend& backend) {
  check(problem);
  require_compatible(problem.panels.symmetry, problem.field, "the field", "V/m");
  std::vector<double> data = electric_data(problem);
  const auto columns = data.size() / problem.panels.size();
  SolveOptions of_all = options;
  of_all.initial_guess.clear();
  const CollocatedPanels discretization(problem.panels, options.quadrature, backend);
  BoundarySolution solved = solve(
      {discretization, electric_formulation(problem), std::move(data), static_cast<int>(columns)},
      of_all, backend);
  if (!solved.complete()) throw Stopped("interrupted while the charges were sought");

  ElectricResponse response;
  const auto conductors = static_cast<std::size_t>(problem.conductors);
  std::vector<double> matrix(conductors * conductors);
  response.induced.assign(conductors, 0.0);
  for (std::size_t column = 0; column < columns; ++column) {
    response.states.push_back(state_of(problem, solved, column));
    const std::vector<double> charge = free_charges(problem, response.states.back());
    for (std::size_t i = 0; i < conductors; ++i)
      (column < conductors ? matrix[i * conductors + column] : response.induced[i]) = charge[i];
  }
  response.capacitance = symmetric(matrix, problem.conductors, solved.gmres);
  response.capacitance.errors = errors_of(problem, response.states, backend);
  for (const auto member :
       {&BoundarySolution::unknown, &BoundarySolution::potential, &BoundarySolution::flux,
        &BoundarySolution::charge, &BoundarySolution::doublet})
    solved.*member = {};
  response.record = std::move(solved);
  return response;
}

ElectricSolution solve(const ElectricProblem& problem, const ElectricResponse& response,
                       std::vector<double> volts, const RegionOptions& options, Backend& backend) {
  ElectricSolution solution;
  solution.volts = std::move(volts);
  for (std::size_t column = 0; column < response.states.size(); ++column) {
    const bool conductor = column < solution.volts.size();
    add(conductor ? solution.volts[column] : 1.0, response.states[column], solution.state);
  }
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    if (problem.conductor[i] >= 0)
      solution.state.potential[i] = solution.volts[static_cast<std::size_t>(problem.conductor[i])];
  }
  for (const std::int32_t body : found_anew(problem))
    solution.converged &= find_potential_within(problem, body, solution.state, options, backend);
  const PanelNeighbourhood neighbourhood(problem.panels);
  const SurfaceGradient surface = backend.gradient(neighbourhood, solution.state.potential);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const Vec3d along = problem.conductor[i] < 0 ? -surface.gradient[i] : Vec3d{};
    solution.field_outside.push_back(along + solution.state.outside[i] * surface.normal[i]);
    solution.field_inside.push_back(problem.body_of(i).inside > 0.0
                                        ? along + solution.state.inside[i] * surface.normal[i]
                                        : Vec3d{});
  }
  return solution;
}

ElectricLoads loads(const ElectricProblem& problem, const ElectricSolution& solution,
                    const RegionOptions& options, Backend& backend) {
  ElectricLoads result{.charge = free_charges(problem, solution.state), .force = {}};
  const Panels& panels = problem.panels;
  double total = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d& e = solution.field_outside[i];
    const double outside = problem.body_of(i).outside;
    const Vec3d pull =
        panels.area[i] * solution.state.outside[i] * e - 0.5 * dot(e, e) * panels.vector_area[i];
    result.force.push_back(vacuum_permittivity * outside * pull);
    total -= panels.area[i] * solution.state.charge[i] * dot(problem.field, panels.centroid[i]);
  }
  result.energy = 0.5 * vacuum_permittivity * problem.permittivity * total;
  for (std::size_t i = 0; i < result.charge.size(); ++i)
    result.energy += 0.5 * result.charge[i] * solution.volts[i];
  const std::vector<double> potential =
      potentials_at_charges(problem, solution.state, options, backend);
  for (std::size_t k = 0; k < potential.size(); ++k) {
    const PointCharge& each = problem.charges[k];
    const double share = problem.permittivity / problem.medium(each.body);
    result.energy += 0.5 * each.charge * (potential[k] - share * dot(problem.field, each.position));
  }
  return result;
}

ElectricField evaluate_field(const ElectricProblem& problem, const ElectricSolution& solution,
                             std::span<const Vec3d> points, const RegionOptions& options,
                             Backend& backend) {
  const std::size_t count = points.size();
  ElectricField result{std::vector<double>(count), std::vector<Vec3d>(count),
                       std::vector<std::uint8_t>(count, 1)};
  const auto evaluate_in = [&](std::int32_t body) {
    const ElectricRegion region = region_within(problem, body);
    BoundingBox box;
    for (std::size_t k = 0; k < region.panel.size(); ++k) {
      const PanelShape<double>& shape = region.panels.shape[k];
      for (int c = 0; c < shape.corners; ++c) box.add(shape.corner[c]);
    }
    const Vec3d bulges = 0.1 * box.size();
    const BoundingBox around{box.lower - bulges, box.upper + bulges};
    const bool everywhere = body < 0 || !problem.panels.symmetry.empty();
    std::vector<std::size_t> number;
    std::vector<Vec3d> here;
    for (std::size_t i = 0; i < count; ++i) {
      const BoundingBox point{points[i], points[i]};
      if (result.inside[i] == 0 || !(everywhere || around.contains(point))) continue;
      number.push_back(i);
      here.push_back(points[i]);
    }
    if (here.empty() || region.panel.empty()) return;
    const BoundaryFields fields = perturbation(problem, region, solution);
    const PotentialField found =
        PotentialEvaluator(region.region(), fields, {.fmm = options.fmm, .quadrature = {}}, backend)
            .at(here);
    for (std::size_t k = 0; k < number.size(); ++k) {
      if (found.inside[k] != 0) continue;
      const std::size_t i = number[k];
      result.inside[i] = 0;
      result.potential[i] = found.phi[k] + region.incident.potential(here[k]);
      result.field[i] = -found.gradient[k] - region.incident.gradient(here[k]);
    }
  };
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (problem.bodies[b].inside > 0.0) evaluate_in(static_cast<std::int32_t>(b));
  }
  evaluate_in(-1);
  return result;
}

}  // namespace rankine::bem
