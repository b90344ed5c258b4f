#include "cases/solve/case_media.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cases/solve/case_bodies.hpp"
#include "cases/solve/electrostatics.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/nesting.hpp"
#include "rankine/meshes/edges.hpp"

namespace rankine::cases {
namespace {

/// What the conditions say about every body, and where.
struct BodyConditions {
  const BoundaryInput* interface = nullptr;  ///< the first of its patches
  const BoundaryInput* conductor = nullptr;
  std::string interface_patch{}, conductor_patch{};

  const std::string& patch() const { return interface ? interface_patch : conductor_patch; }
  const std::string& where() const { return interface ? interface->where : conductor->where; }
};

std::vector<BodyConditions> conditions_of(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                                          const meshes::Bodies& bodies) {
  const std::vector<std::size_t> boundary = boundary_of_patch(flow_case, mesh.patch_names);
  std::vector<BodyConditions> found(static_cast<std::size_t>(bodies.count));
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto patch = static_cast<std::size_t>(mesh.patch[e]);
    const BoundaryInput& input = flow_case.boundaries[boundary[patch]];
    BodyConditions& mine = found[static_cast<std::size_t>(bodies.of_element[e])];
    const bool interface = input.type == BoundaryType::interface;
    if (interface && mine.interface && mine.interface->permittivity != input.permittivity) {
      throw InputError(fmt::format(
          "{}: patch \"{}\" has the permittivities [{:.6g}, {:.6g}] and \"{}\", of the same closed "
          "surface, [{:.6g}, {:.6g}]; a surface has one medium on each side",
          input.where, mesh.patch_names[patch], input.permittivity.first, input.permittivity.second,
          mine.interface_patch, mine.interface->permittivity.first,
          mine.interface->permittivity.second));
    }
    const BoundaryInput*& slot = interface ? mine.interface : mine.conductor;
    if (slot) continue;
    slot = &input;
    (interface ? mine.interface_patch : mine.conductor_patch) = mesh.patch_names[patch];
  }
  return found;
}

/// The body that is around all others where the domain is inside one.
std::int32_t enclosing_body(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const meshes::Nesting& nesting,
                            const std::vector<BodyConditions>& conditions) {
  if (flow_case.problem.domain == bem::Domain::exterior) return -1;
  std::vector<std::int32_t> outer;
  for (std::size_t b = 0; b < conditions.size(); ++b) {
    if (nesting.parent(b) < 0) outer.push_back(static_cast<std::int32_t>(b));
  }
  if (outer.size() != 1) {
    throw MeshError(
        fmt::format("{}: an interior domain has one outer surface, found {}; solve for "
                    "each closed surface alone",
                    mesh.source, outer.size()));
  }
  const BodyConditions& mine = conditions[static_cast<std::size_t>(outer.front())];
  if (mine.interface) {
    throw InputError(fmt::format(
        "{}: patch \"{}\" is the outer surface of an interior domain, and an interface; make it a "
        "conductor, or the domain exterior",
        mine.where(), mine.patch()));
  }
  return outer.front();
}

/// The media on both sides of every body.
std::vector<bem::ElectricBody> media_of(const Case& flow_case, const meshes::Nesting& nesting,
                                        const std::vector<BodyConditions>& conditions,
                                        std::int32_t enclosing) {
  std::vector<bem::ElectricBody> media(conditions.size());
  for (std::size_t b = 0; b < media.size(); ++b) {
    const BodyConditions& mine = conditions[b];
    bem::ElectricBody& body = media[b];
    const std::int32_t parent = nesting.parent(b);
    body.parent = parent == enclosing ? -1 : parent;
    if (mine.interface) body.inside = mine.interface->permittivity.second;
    body.outside = flow_case.problem.permittivity;
    std::string around = "the outermost medium (problem.permittivity)";
    if (body.parent >= 0) {
      const BodyConditions& theirs = conditions[static_cast<std::size_t>(body.parent)];
      if (!theirs.interface) {
        throw InputError(fmt::format(
            "{}: patch \"{}\" lies within the conductor \"{}\", where there is no field; leave it "
            "out, or solve for the inside alone (domain = \"interior\")",
            mine.where(), mine.patch(), theirs.patch()));
      }
      body.outside = theirs.interface->permittivity.second;
      around = fmt::format("the inside of \"{}\" around it", theirs.patch());
    }
    if (mine.interface && mine.interface->permittivity.first != body.outside) {
      throw InputError(fmt::format(
          "{}: patch \"{}\" has the permittivity {:.6g} outside, and {} has {:.6g}; give both the "
          "same value",
          mine.where(), mine.patch(), mine.interface->permittivity.first, around, body.outside));
    }
  }
  return media;
}

/// Of conductors alone in the order of the boundaries, which is that of the matrix.
std::vector<const BoundaryInput*> conductors_of(const Case& flow_case) {
  std::vector<const BoundaryInput*> found;
  for (const BoundaryInput& each : flow_case.boundaries) {
    if (has_potential(each.type)) found.push_back(&each);
  }
  return found;
}

}  // namespace

bem::ElectricProblem make_electric_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh) {
  const meshes::Bodies bodies = meshes::find_bodies(mesh, meshes::EdgeTable(mesh));
  const meshes::Nesting nesting(mesh, bodies, flow_case.problem.symmetry);
  const std::vector<BodyConditions> conditions = conditions_of(flow_case, mesh, bodies);
  bem::ElectricProblem problem;
  problem.permittivity = flow_case.problem.permittivity;
  problem.field = flow_case.problem.field;
  problem.domain = flow_case.problem.domain;
  problem.enclosing = enclosing_body(flow_case, mesh, nesting, conditions);
  problem.bodies = media_of(flow_case, nesting, conditions, problem.enclosing);
  problem.body = bodies.of_element;
  problem.mesh = mesh;
  problem.geometry = flow_case.solver.panels;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (problem.body[e] == problem.enclosing) meshes::reverse_element(problem.mesh, e);
  }
  problem.panels = bem::make_panels(problem.mesh, problem.geometry, flow_case.problem.symmetry);
  const std::vector<double> volume =
      bem::enclosed_volumes(problem.panels, problem.body, problem.bodies.size());
  for (std::size_t b = 0; b < volume.size(); ++b) {
    if (volume[b] > 0.0 || static_cast<std::int32_t>(b) == problem.enclosing) continue;
    throw MeshError(
        fmt::format("{}: the normals of patch \"{}\" point into the body, whose inside "
                    "is then unknown; use orient = \"outward\"",
                    mesh.source, conditions[b].patch()));
  }
  const std::vector<const BoundaryInput*> conductors = conductors_of(flow_case);
  problem.conductors = static_cast<int>(conductors.size());
  const std::vector<std::size_t> boundary = boundary_of_patch(flow_case, mesh.patch_names);
  for (const std::int32_t patch : mesh.patch) {
    const BoundaryInput* const mine =
        &flow_case.boundaries[boundary[static_cast<std::size_t>(patch)]];
    const auto at = std::find(conductors.begin(), conductors.end(), mine);
    problem.conductor.push_back(
        at == conductors.end() ? -1 : static_cast<std::int32_t>(at - conductors.begin()));
  }
  for (const SourceInput& each : flow_case.problem.sources) {
    std::int32_t within = nesting.innermost_around(each.position);
    const bool left = problem.enclosing >= 0 && within < 0;
    if (within == problem.enclosing) within = -1;
    problem.charges.push_back({each.position, each.value, within});
    if (!left && problem.medium(within) > 0.0) continue;
    throw InputError(fmt::format("{}: the charge lies {}, where there is no field; move it, or {}",
                                 each.where, left ? "outside the domain" : "within a conductor",
                                 left ? "leave it out" : "give the conductor its charge"));
  }
  return problem;
}

SolvedMedia solve_media(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                        const bem::FlowOptions& options, bem::Backend& backend) {
  SolvedMedia solved;
  solved.problem = make_electric_problem(flow_case, mesh);
  solved.response = bem::respond(solved.problem, options, backend);
  std::vector<std::optional<double>> given;
  std::vector<double> charge = solved.response.induced;
  std::size_t k = 0;
  for (const BoundaryInput* each : conductors_of(flow_case)) {
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
  for (const double normal : solved.solution.state.outside) solution.flux.push_back(-normal);
  for (const Vec3d& field : solved.solution.field_outside) solution.gradient.push_back(-field);
  return solution;
}

ElectricResults describe(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                         const SolvedMedia& solved, std::span<const double> errors) {
  ElectricResults results;
  std::vector<double> pressure;
  const std::vector<const BoundaryInput*> conductors = conductors_of(flow_case);
  for (std::size_t k = 0; k < conductors.size(); ++k) {
    results.conductors.push_back({.name = name_of(*conductors[k]),
                                  .potential = solved.solution.volts[k],
                                  .charge = solved.loads.charge[k]});
  }
  const CaseBodies bodies = find_case_bodies(flow_case, mesh, solved.problem.panels);
  for (const std::string& name : bodies.name) results.bodies.push_back({name, {}});
  for (std::size_t i = 0; i < solved.loads.force.size(); ++i) {
    results.bodies[static_cast<std::size_t>(solved.problem.body[i])].force += solved.loads.force[i];
    if (solved.problem.conductor[i] >= 0)
      results.conductors[static_cast<std::size_t>(solved.problem.conductor[i])].force +=
          solved.loads.force[i];
    pressure.push_back(bem::vacuum_permittivity * solved.problem.body_of(i).outside *
                       norm(solved.solution.field_outside[i]) * errors[i]);
  }
  results.errors.push_back({"force", "force",
                            bem::force_error(solved.problem.panels, bodies.rigid.body, pressure),
                            " N"});
  put_matrix(solved.response.capacitance, results);
  results.energy = solved.loads.energy;
  return results;
}

bem::PotentialField field_at(const SolvedMedia& solved, std::span<const Vec3d> points,
                             const bem::FlowOptions& options, bem::Backend& backend) {
  bem::ElectricField found =
      bem::evaluate_field(solved.problem, solved.solution, points, options, backend);
  for (Vec3d& each : found.field) each = -each;
  return {std::move(found.potential), std::move(found.field), std::move(found.inside)};
}

void add_fields(const SolvedMedia& solved, meshes::Fields& fields) {
  const bem::ElectricProblem& problem = solved.problem;
  const bem::ElectricState& state = solved.solution.state;
  std::vector<double> charge, outside, inside;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const bem::ElectricBody& body = problem.body_of(i);
    const double free = body.outside * state.outside[i] - body.inside * state.inside[i];
    charge.push_back(bem::vacuum_permittivity *
                     (problem.conductor[i] >= 0 ? free : state.charge[i]));
    const Vec3d &out = solved.solution.field_outside[i], &in = solved.solution.field_inside[i];
    outside.insert(outside.end(), {out.x, out.y, out.z});
    inside.insert(inside.end(), {in.x, in.y, in.z});
  }
  fields.cell.push_back({"charge", 1, std::move(charge)});
  fields.cell.push_back({"E", 3, std::move(outside)});
  const bool within = std::any_of(problem.bodies.begin(), problem.bodies.end(),
                                  [](const auto& each) { return each.inside > 0.0; });
  if (within) fields.cell.push_back({"E_inside", 3, std::move(inside)});
}

}  // namespace rankine::cases
