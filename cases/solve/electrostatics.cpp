#include "cases/solve/electrostatics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cases/solve/case_bodies.hpp"
#include "cases/solve/case_media.hpp"
#include "rankine/bem/flow/error_estimate.hpp"

namespace rankine::cases {
namespace {

/// The names of the patches: "left+right".
std::string name_of(const BoundaryInput& boundary) {
  return fmt::format("{}", fmt::join(boundary.patches, "+"));
}

/// Stores the matrix, its error, and the error of the energy at the potentials in `results`.
void put_matrix(const bem::Capacitance& capacitance, ElectricResults& results) {
  for (int i = 0; i < capacitance.conductors; ++i) {
    std::vector<double>& row = results.capacitance.emplace_back();
    for (int j = 0; j < capacitance.conductors; ++j) row.push_back(capacitance(i, j));
  }
  results.asymmetry = capacitance.asymmetry;
  std::vector<double> volts;
  for (const ConductorResult& each : results.conductors) volts.push_back(each.potential);
  const auto unit_of = [&](int i) {
    std::vector<double> unit(volts.size(), 0.0);
    unit[static_cast<std::size_t>(i)] = 1.0 / std::sqrt(capacitance(i, i));
    return unit;
  };
  double largest = 0.0;
  for (int i = 0; i < capacitance.conductors; ++i) {
    for (int j = 0; j < capacitance.conductors; ++j)
      largest = std::max(largest, capacitance.errors.of(unit_of(i), unit_of(j)));
  }
  if (volts.empty()) return;
  results.errors.push_back({"capacitance", "capacitance", largest, ", relative"});
  results.errors.push_back({"energy", "energy", 0.5 * capacitance.errors.of(volts, volts), " J"});
}

}  // namespace

SolvedMedia solve_media(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                        const bem::FlowProblem& problem, const bem::FlowOptions& options,
                        bem::Backend& backend) {
  const std::vector<const BoundaryInput*> conductors = conductors_of(flow_case);
  SolvedMedia solved;
  solved.problem = has_media(flow_case)
                       ? make_electric_problem(flow_case, mesh)
                       : bem::one_medium(problem.region(), conductor_of_panel(flow_case, mesh),
                                         static_cast<int>(conductors.size()),
                                         flow_case.problem.permittivity, options.formulation);
  solved.response = bem::respond(solved.problem, options, backend);
  std::vector<std::optional<double>> given;
  std::vector<double> charge = solved.response.induced;
  std::size_t k = 0;
  for (const BoundaryInput* each : conductors) {
    const bool floating = each->type == BoundaryType::floating;
    given.push_back(floating ? std::nullopt : std::optional(each->value));
    charge[k] = (floating ? each->value : 0.0) - charge[k];
    ++k;
  }
  solved.solution =
      bem::solve(solved.problem, solved.response,
                 bem::potentials(solved.response.capacitance, given, charge, solved.problem.domain),
                 options, backend);
  solved.loads = bem::loads(solved.problem, solved.solution, options, backend);
  return solved;
}

bem::Solution as_solution(const SolvedMedia& solved) {
  bem::Solution solution;
  const auto& results = solved.response.record.gmres;
  const auto slowest = std::max_element(
      results.begin(), results.end(), [](const bem::GmresResult& a, const bem::GmresResult& b) {
        const auto rank = [](const bem::GmresResult& each) {
          return std::pair(each.status != bem::GmresStatus::converged, each.iterations);
        };
        return rank(a) < rank(b);
      });
  static_cast<bem::SolveRecord&>(solution) =
      bem::record_of(solved.response.record, static_cast<std::size_t>(slowest - results.begin()));
  solution.stream = {};
  solution.phi = solved.solution.state.potential;
  solution.charge = solution.unknown = solved.solution.state.charge;
  solution.flux = solved.solution.state.outside;
  solution.gradient.assign(solved.solution.gradient_outside.begin(),
                           solved.solution.gradient_outside.end());
  return solution;
}

ElectricResults describe(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                         const SolvedMedia& solved, std::span<const double> errors) {
  ElectricResults results;
  std::vector<double> pressure;
  const bem::ElectricProblem& problem = solved.problem;
  const bem::ElectricSolution& solution = solved.solution;
  const std::vector<const BoundaryInput*> conductors = conductors_of(flow_case);
  for (std::size_t k = 0; k < conductors.size(); ++k) {
    results.conductors.push_back({.name = name_of(*conductors[k]),
                                  .potential = solution.volts[k],
                                  .charge = solved.loads.charge[k]});
  }
  const CaseBodies bodies = find_case_bodies(flow_case, mesh, problem.panels);
  for (const std::string& name : bodies.name) results.bodies.push_back({name, {}});
  for (std::size_t i = 0; i < solved.loads.force.size(); ++i) {
    const bem::ElectricBody& body = problem.body_of(i);
    const Vec3d &force = solved.loads.force[i], &front = solution.gradient_outside[i];
    results.bodies[static_cast<std::size_t>(bodies.rigid.body[i])].force += force;
    if (problem.conductor[i] >= 0)
      results.conductors[static_cast<std::size_t>(problem.conductor[i])].force += force;
    // The force on a conductor comes from the mean field of both sides.
    const Vec3d pulls =
        problem.conductor[i] >= 0 ? 0.5 * (front + solution.gradient_inside[i]) : front;
    pressure.push_back(bem::vacuum_permittivity * body.outside * norm(pulls) * errors[i]);
  }
  results.errors.push_back(
      {"force", "force", bem::force_error(problem.panels, bodies.rigid.body, pressure), " N"});
  put_matrix(solved.response.capacitance, results);
  results.energy = solved.loads.energy;
  return results;
}

void add_fields(const SolvedMedia& solved, meshes::Fields& fields) {
  const bem::ElectricProblem& problem = solved.problem;
  const bem::ElectricState& state = solved.solution.state;
  std::vector<double> charge, outside, inside;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    charge.push_back(bem::vacuum_permittivity * (problem.conductor[i] >= 0
                                                     ? bem::free_charge(problem, state, i)
                                                     : state.charge[i]));
    const Vec3d out = -solved.solution.gradient_outside[i],
                in = -solved.solution.gradient_inside[i];
    outside.insert(outside.end(), {out.x, out.y, out.z});
    inside.insert(inside.end(), {in.x, in.y, in.z});
  }
  fields.cell.push_back({"charge", 1, std::move(charge)});
  fields.cell.push_back({"E", 3, std::move(outside)});
  const bool within = std::any_of(problem.bodies.begin(), problem.bodies.end(),
                                  [](const auto& each) { return each.inside > 0.0 && !each.thin; });
  if (within) fields.cell.push_back({"E_inside", 3, std::move(inside)});
}

}  // namespace rankine::cases
