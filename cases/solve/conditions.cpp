#include "cases/solve/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "cases/input/words.hpp"
#include "cases/lift/rotor_results.hpp"
#include "cases/output/show.hpp"
#include "cases/solve/case_bodies.hpp"
#include "cases/solve/case_onset.hpp"
#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/measures.hpp"

namespace rankine::cases {
namespace {

/// Values on the panels of the mesh, from a file or uniform.
class Values {
 public:
  Values(const BoundaryInput& boundary, const meshes::SurfaceMesh& mesh) : value_(boundary.value) {
    if (!boundary.file.empty())
      values_ = per_panel(mesh, pick_column(boundary.file, boundary.array), boundary.file);
  }
  double at(std::size_t panel) const { return values_.empty() ? value_ : values_[panel]; }

 private:
  double value_;
  std::vector<double> values_;
};

/// Throws InputError if patches of one body move differently, in a fluid outside bodies.
void check_bodies_move_whole(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                             const std::vector<std::size_t>& boundary) {
  const meshes::Bodies bodies = meshes::find_bodies(mesh, meshes::EdgeTable(mesh));
  std::vector<std::optional<std::size_t>> motion_of(static_cast<std::size_t>(bodies.count));
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::size_t here = boundary[static_cast<std::size_t>(mesh.patch[e])];
    const BoundaryInput& mine = flow_case.boundaries[here];
    if (has_potential(mine.type)) continue;
    auto& found = motion_of[static_cast<std::size_t>(bodies.of_element[e])];
    if (!found) found = here;
    const BoundaryInput& theirs = flow_case.boundaries[*found];
    const bem::RigidMotion &a = mine.motion, &b = theirs.motion;
    if (a.angular_velocity == b.angular_velocity && a.at({}) == b.at({})) continue;
    throw InputError(fmt::format(
        "{}: patch \"{}\" is part of a body whose other patches have another motion (\"{}\"); give "
        "all patches of a body the same motion, with value or file for flow through some of them",
        mine.where, mesh.patch_names[static_cast<std::size_t>(mesh.patch[e])],
        fmt::join(theirs.patches, "\", \"")));
  }
}

void set_motions(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                 const std::vector<std::size_t>& boundary, bem::FlowProblem& problem) {
  if (problem.domain == bem::Domain::exterior) check_bodies_move_whole(flow_case, mesh, boundary);
  for (const BoundaryInput& each : flow_case.boundaries)
    problem.motions.push_back(flow_case.rotor.given ? motion_of(flow_case.rotor, problem.stream)
                                                    : each.motion);
  const std::vector<Vec3d> moment = bem::moments_of_area(problem.panels);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::size_t here = boundary[static_cast<std::size_t>(mesh.patch[e])];
    problem.motion.push_back(static_cast<std::int32_t>(here));
    problem.normal_velocity[e] +=
        bem::swept_volume(problem.motions[here], problem.panels.vector_area[e], moment[e]) /
        problem.panels.area[e];
  }
}

/// Throws MeshError unless the fluid is connected: one outer surface, with or without islands.
void check_inside(const meshes::SurfaceMesh& mesh) {
  const meshes::Bodies bodies = meshes::find_bodies(mesh, meshes::EdgeTable(mesh));
  std::vector<double> volume(static_cast<std::size_t>(bodies.count), 0.0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    volume[static_cast<std::size_t>(bodies.of_element[e])] +=
        meshes::volume_under(mesh, mesh.elements[e], mesh.nodes[mesh.elements[0][0]]);
  const auto outer = std::count_if(volume.begin(), volume.end(), [](double v) { return v > 0.0; });
  if (outer == 1) return;
  throw MeshError(fmt::format(
      "{}: an interior domain has one outer surface, found {}; solve for each closed surface alone",
      mesh.source, outer));
}

}  // namespace

void set_conditions(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                    bem::FlowProblem& problem) {
  const std::vector<std::size_t> boundary = boundary_of_patch(flow_case, mesh.patch_names);
  if (problem.domain == bem::Domain::interior && !has_media(flow_case)) check_inside(mesh);
  const std::size_t n = mesh.elements.size();
  if (!mesh.thin.empty()) {
    for (std::size_t e = 0; e < n; ++e) problem.thin.push_back(meshes::is_thin(mesh, e) ? 1 : 0);
  }
  const bool turns = flow_case.rotor.given;
  if (all_of_type(flow_case.boundaries, BoundaryType::wall) && !turns) return;
  std::vector<Values> values;
  for (const BoundaryInput& each : flow_case.boundaries) values.emplace_back(each, mesh);
  const bool potentials =
      std::any_of(flow_case.boundaries.begin(), flow_case.boundaries.end(),
                  [](const BoundaryInput& each) { return has_potential(each.type); });
  problem.normal_velocity.assign(n, 0.0);
  if (potentials) problem.potential.assign(n, 0.0);
  for (std::size_t e = 0; e < n; ++e) {
    const std::size_t here = boundary[static_cast<std::size_t>(mesh.patch[e])];
    const bool potential = has_potential(flow_case.boundaries[here].type);
    if (potentials)
      problem.conditions.known.push_back(potential ? bem::Known::potential : bem::Known::flux);
    (potential ? problem.potential : problem.normal_velocity)[e] = values[here].at(e);
  }
  if (turns || any_of_type(flow_case.boundaries, BoundaryType::motion))
    set_motions(flow_case, mesh, boundary, problem);
}

void describe_conditions(const Case& flow_case, const bem::FlowProblem& problem, Log& log) {
  const auto text = [&](const BoundaryInput& each) {
    std::string what = word(boundary_words, each.type);
    if (each.type == BoundaryType::motion)
      what += fmt::format(" {:.6g} m/s, {:.6g} rad/s", each.motion.velocity,
                          each.motion.angular_velocity);
    else if (each.type == BoundaryType::interface)
      what += fmt::format(", permittivity {:.6g} outside, {:.6g} inside", each.permittivity.first,
                          each.permittivity.second);
    else if (each.type != BoundaryType::wall && each.file.empty())
      what += fmt::format(" {:.6g}", each.value);
    if (each.thin) what += ", thin";
    if (!each.file.empty()) what += " from " + each.file.filename().string();
    return fmt::format("{}: {}", fmt::join(each.patches, ", "), what);
  };
  describe_onset(flow_case, problem, log);
  const bool inside = problem.domain == bem::Domain::interior;
  if (flow_case.rotor.given) {
    log.fact("rotor", fmt::format("{:.6g} rad/s about an axis through {:.6g} m",
                                  motion_of(flow_case.rotor, problem.stream).angular_velocity,
                                  flow_case.rotor.centre));
    return;
  }
  const bool walls = problem.normal_velocity.empty();
  if (walls && !inside && problem.thin.empty()) return;
  bool first = true;
  for (const BoundaryInput& each : flow_case.boundaries) {
    log.fact(first ? "conditions" : "", text(each));
    first = false;
  }
  const Vec3d& applied = flow_case.problem.field;
  if (!(applied == Vec3d{})) log.fact("", fmt::format("field {:.6g} V/m", applied));
  for (const SourceInput& each : flow_case.problem.sources)
    log.fact("", fmt::format("charge {:.6g} C at {:.6g} m", each.value, each.position));
  for (const BoundaryInput& each : flow_case.boundaries) {
    if (each.type != BoundaryType::interface || each.permittivity.first != each.permittivity.second)
      continue;
    log.warning(
        fmt::format("{}: the permittivities of the interface are equal, {:.6g}: there is "
                    "none; give another value, or leave the surface out of the mesh",
                    each.where, each.permittivity.first));
  }
  const bool constant = inside && problem.conditions.everywhere(bem::Known::flux);
  log.fact("equation",
           fmt::format("{}, {}{}", word(formulation_words, flow_case.solver.formulation),
                       word(domain_words, problem.domain),
                       constant ? "; the potential's mean over the surface is set to zero" : ""));
}

}  // namespace rankine::cases
