#include "rankine/bem/electric/dielectrics.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/electric/electric_regions.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

/// dphi/dn outside and inside of a panel. `outer_flux`: dphi/dn outside, used if it does not follow
/// from sigma.
std::pair<double, double> fluxes(const ElectricProblem& problem, std::size_t panel, double sigma,
                                 double outer_flux) {
  const ElectricBody& mine = problem.body_of(panel);
  if (problem.needs_both_sides(panel))
    return {outer_flux, mine.inside > 0.0 ? outer_flux + sigma : 0.0};
  if (problem.conductor[panel] >= 0) return {-sigma, 0.0};
  const double step = mine.outside - mine.inside;
  return {sigma * mine.inside / step, sigma * mine.outside / step};
}

/// The free charge of conductors, C.
std::vector<double> free_charges(const ElectricProblem& problem, const ElectricState& state) {
  std::vector<double> charge(static_cast<std::size_t>(problem.conductors), 0.0);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    if (problem.conductor[i] < 0) continue;
    charge[static_cast<std::size_t>(problem.conductor[i])] +=
        vacuum_permittivity * problem.panels.area[i] * free_charge(problem, state, i);
  }
  return charge;
}

/// Errors of the capacitances. Interfaces do not contribute.
ChargeErrors errors_of(const ElectricProblem& problem, const Region& region,
                       const std::vector<ElectricState>& states, Backend& backend) {
  std::vector<std::vector<double>> total, free;
  for (int k = 0; k < problem.conductors; ++k) {
    const ElectricState& state = states[static_cast<std::size_t>(k)];
    total.push_back(state.charge);
    std::vector<double>& charge = free.emplace_back();
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      charge.push_back(free_charge(problem, state, i));
  }
  return charge_errors(region, problem.conductor, total, free, vacuum_permittivity, backend);
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
    const double sigma = solved.charge[first + i];
    const double outer_flux = flux[i] + (solved.flux.empty() ? 0.0 : solved.flux[first + i]);
    const auto [outside, inside] = fluxes(problem, i, sigma, outer_flux);
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

/// Bodies in which the potential is computed again: those of high permittivity and bodies that they
/// shield, the highest permittivity first, since the others use the potential on its surface.
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

/// The potential at each point charge, without the contribution of that charge.
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

ElectricResponse respond(const ElectricProblem& problem, const RegionOptions& options,
                         Backend& backend) {
  check(problem);
  require_compatible(problem.panels.symmetry, problem.field, "the field", "V/m");
  std::vector<double> data = electric_data(problem);
  const auto columns = data.size() / problem.panels.size();
  SolveOptions of_all = options;
  of_all.initial_guess.clear();
  const std::vector<std::uint8_t> thin = problem.thin();
  const Region region{problem.panels, problem.domain, thin};
  const MirrorHold held(backend.memory_space(), mirrors(problem.panels));
  const CollocatedPanels discretization(problem.panels, quadrature_of(region, options), backend);
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
  response.capacitance.errors = errors_of(problem, region, response.states, backend);
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
    const Vec3d along = problem.conductor[i] < 0 ? surface.gradient[i] : Vec3d{};
    solution.gradient_outside.push_back(along + solution.state.outside[i] * surface.normal[i]);
    solution.gradient_inside.push_back(problem.body_of(i).inside > 0.0
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
    const auto pull = [&](double flux, const Vec3d& gradient) {
      return panels.area[i] * flux * gradient -
             0.5 * dot(gradient, gradient) * panels.vector_area[i];
    };
    Vec3d force = pull(solution.state.outside[i], solution.gradient_outside[i]);
    if (problem.body_of(i).thin)
      force -= pull(solution.state.inside[i], solution.gradient_inside[i]);
    result.force.push_back(vacuum_permittivity * problem.body_of(i).outside * force);
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

}  // namespace rankine::bem
