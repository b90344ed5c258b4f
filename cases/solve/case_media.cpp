#include "cases/solve/case_media.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/solve/case_bodies.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/nesting.hpp"
#include "rankine/meshes/edges.hpp"

namespace rankine::cases {
namespace {

/// The boundary conditions on a body, and their positions in the case file.
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

/// The body that encloses an interior domain; -1 for an exterior domain.
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

}  // namespace

std::vector<const BoundaryInput*> conductors_of(const Case& flow_case) {
  std::vector<const BoundaryInput*> found;
  for (const BoundaryInput& each : flow_case.boundaries) {
    if (has_potential(each.type)) found.push_back(&each);
  }
  return found;
}

std::vector<std::int32_t> conductor_of_panel(const Case& flow_case,
                                             const meshes::SurfaceMesh& mesh) {
  const std::vector<const BoundaryInput*> conductors = conductors_of(flow_case);
  const std::vector<std::size_t> boundary = boundary_of_patch(flow_case, mesh.patch_names);
  std::vector<std::int32_t> conductor;
  for (const std::int32_t patch : mesh.patch) {
    const auto at = std::find(conductors.begin(), conductors.end(),
                              &flow_case.boundaries[boundary[static_cast<std::size_t>(patch)]]);
    conductor.push_back(
        at == conductors.end() ? -1 : static_cast<std::int32_t>(at - conductors.begin()));
  }
  return conductor;
}

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
  problem.conductors = static_cast<int>(conductors_of(flow_case).size());
  problem.conductor = conductor_of_panel(flow_case, mesh);
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

}  // namespace rankine::cases
