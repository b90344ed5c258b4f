#include "cases/solve/electrostatics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/solve/case_bodies.hpp"
#include "rankine/bem/flow/error_estimate.hpp"

namespace rankine::cases {

double permittivity(const Case& flow_case) {
  return flow_case.problem.permittivity * bem::vacuum_permittivity;
}

std::vector<std::int32_t> conductor_of_panel(const Case& flow_case,
                                             const meshes::SurfaceMesh& mesh) {
  const std::vector<std::size_t> boundary = boundary_of_patch(flow_case, mesh.patch_names);
  std::vector<std::int32_t> conductor;
  for (const std::int32_t patch : mesh.patch)
    conductor.push_back(static_cast<std::int32_t>(boundary[static_cast<std::size_t>(patch)]));
  return conductor;
}

bem::Capacitance solve_network(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                               bem::FlowProblem& problem, const bem::FlowOptions& options,
                               bem::Backend& backend) {
  const std::vector<std::int32_t> conductor = conductor_of_panel(flow_case, mesh);
  std::vector<std::optional<double>> given;
  std::vector<double> charge;
  for (const BoundaryInput& each : flow_case.boundaries) {
    const bool floating = each.type == BoundaryType::floating;
    given.push_back(floating ? std::nullopt : std::optional(each.value));
    charge.push_back(floating ? each.value : 0.0);
  }
  bem::Capacitance capacitance =
      bem::capacitance(problem.region(), conductor, static_cast<int>(given.size()),
                       permittivity(flow_case), options, backend);
  const std::vector<double> volts = bem::potentials(capacitance, given, charge, problem.domain);
  for (std::size_t e = 0; e < conductor.size(); ++e)
    problem.potential[e] = volts[static_cast<std::size_t>(conductor[e])];
  return capacitance;
}

std::string name_of(const BoundaryInput& boundary) {
  return fmt::format("{}", fmt::join(boundary.patches, "+"));
}

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

ElectricResults describe(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                         const bem::FlowProblem& problem, const bem::Solution& solution,
                         const bem::Capacitance& capacitance, std::span<const double> errors) {
  ElectricResults results;
  std::vector<double> pressure;
  for (const BoundaryInput& each : flow_case.boundaries)
    results.conductors.push_back({.name = name_of(each)});
  const CaseBodies bodies = find_case_bodies(flow_case, mesh, problem.panels);
  for (const std::string& name : bodies.name) results.bodies.push_back({name, {}});
  const std::vector<std::int32_t> conductor = conductor_of_panel(flow_case, mesh);
  const double epsilon = permittivity(flow_case);
  for (std::size_t e = 0; e < conductor.size(); ++e) {
    ConductorResult& mine = results.conductors[static_cast<std::size_t>(conductor[e])];
    const double q = solution.flux[e], charge = bem::charge_density(problem.region(), e, solution);
    mine.potential = problem.potential[e];
    mine.charge += epsilon * problem.panels.area[e] * charge;
    // The field that pulls is the mean of both sides'; in a conductor there is none.
    const Vec3d force = -epsilon * charge * (q + 0.5 * charge) * problem.panels.vector_area[e];
    mine.force += force;
    pressure.push_back(epsilon * std::abs(q + 0.5 * charge) * errors[e]);
    results.bodies[static_cast<std::size_t>(bodies.rigid.body[e])].force += force;
  }
  results.errors.push_back(
      {"force", "force", bem::force_error(problem.panels, bodies.rigid.body, pressure), " N"});
  put_matrix(capacitance, results);
  for (const ConductorResult& each : results.conductors)
    results.energy += 0.5 * each.charge * each.potential;
  return results;
}

void add_electric_fields(const Case& flow_case, const bem::FlowProblem& problem,
                         const bem::Solution& solution, meshes::Fields& fields) {
  std::vector<double> charge, field;
  for (std::size_t e = 0; e < solution.flux.size(); ++e)
    charge.push_back(permittivity(flow_case) * bem::charge_density(problem.region(), e, solution));
  for (const Vec3d& gradient : solution.gradient)
    field.insert(field.end(), {-gradient.x, -gradient.y, -gradient.z});
  fields.cell.push_back({"charge", 1, std::move(charge)});
  fields.cell.push_back({"E", 3, std::move(field)});
}

}  // namespace rankine::cases
