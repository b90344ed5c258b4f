#include "cases/input/read_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cases/input/words.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// Symmetry planes through one point. Returns an error message, empty if the planes are valid.
std::string make_symmetry(const std::vector<std::string>& names, const Vec3d& origin,
                          meshes::Symmetry& symmetry) {
  std::vector<meshes::SymmetryPlane> planes;
  for (const std::string& name : names) {
    for (const auto& [text, plane] : plane_words) {
      if (text == name) planes.push_back({plane.first, origin[plane.first], plane.second});
    }
  }
  try {
    symmetry = meshes::Symmetry(std::move(planes));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

void symmetry_keys(Keys& keys, const PlaneWords& words, const std::string& text,
                   meshes::Symmetry& symmetry, std::string& where) {
  std::vector<std::string> planes;
  for (const meshes::SymmetryPlane& plane : symmetry.planes())
    planes.push_back(word(plane_words, {plane.axis, plane.sign}));
  Vec3d origin = symmetry.origin();
  const bool written = !planes.empty();
  keys.words("symmetry", planes, words_of(words), {.text = text, .written = written});
  keys.key("symmetry_origin", origin,
           {.text = "A point on all of them.", .unit = "m", .written = written});
  const std::string wrong = make_symmetry(planes, origin, symmetry);
  keys.check(wrong.empty(), "symmetry", wrong);
  keys.check(!planes.empty(), "symmetry_origin", "needs symmetry = [\"y\"], or other planes");
  where = keys.position("symmetry");
}

namespace {

/// Keys for planes that halve bodies and for the water surface.
void ship_keys(Keys& keys, ProblemInput& problem) {
  std::vector<std::string> whole;
  for (const int axis : problem.whole) whole.emplace_back(1, "xyz"[axis]);
  keys.words("whole", whole, {"x", "y", "z"},
             {.text = "Axes of symmetry planes that halve the bodies: added mass is that of the "
                      "whole bodies, in all six modes.",
              .written = !whole.empty()});
  keys.key("free_surface", problem.free_surface, axis_words,
           {.text = "Axis of the symmetry plane that is the water's surface: added mass in the "
                    "limits of slow and of fast motions.",
            .written = problem.free_surface >= 0});
  problem.whole.clear();
  for (const std::string& name : whole) problem.whole.push_back(name.front() - 'x');
  const auto plane_of = [&](int axis) {
    const auto planes = problem.symmetry.planes();
    const auto at = std::find_if(planes.begin(), planes.end(),
                                 [&](const auto& plane) { return plane.axis == axis; });
    return at == planes.end() ? nullptr : &*at;
  };
  for (const int axis : problem.whole) {
    const meshes::SymmetryPlane* const plane = plane_of(axis);
    keys.check(plane != nullptr, "whole", "names a plane that is not in symmetry; add it there");
    keys.check(!plane || plane->holds(problem.moment_centre), "whole",
               "needs a moment_centre on the plane, about which the whole body turns");
    keys.check(axis != problem.free_surface, "whole",
               "names the plane that is the free surface; a plane is one or the other");
  }
  keys.check(problem.whole.empty() || problem.modes.empty(), "whole",
             "allows rigid modes alone; leave out modes, or mesh the whole body");
  keys.check(problem.free_surface < 0 || plane_of(problem.free_surface), "free_surface",
             "names a plane that is not in symmetry; add it there");
}

/// Reads the applied field and the point charges.
void read_sources(const Section& section, ProblemInput& problem) {
  try {
    bem::require_compatible(problem.symmetry, problem.field);
  } catch (const InputError&) {
    section.fail("field",
                 "has a part through a symmetry plane, or along one of zero potential; set it to "
                 "zero, or change the sign of the plane");
  }
  for (const Section& each : section.tables("source"))
    read_keys(each, source_keys, problem.sources.emplace_back());
}

/// Throws InputError for a thin surface with a condition or in a problem that does not allow it.
void check_thin(const ProblemInput& problem, const std::vector<BoundaryInput>& boundaries,
                const BoundaryInput& boundary) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: boundary.thin {}", boundary.where, why));
  };
  const bool potential = has_potential(boundary.type);
  if (problem.kind != ProblemKind::flow) {
    if (!potential) refuse("of walls is for the kind \"flow\" alone; give a potential");
    return;
  }
  if (potential) {
    refuse(
        "with a potential is for the kinds \"laplace\" and \"electrostatics\" alone; in a flow "
        "give walls");
  }
  if (!walls_are_thin(problem.kind, boundaries))
    refuse(
        "in a flow holds for all walls or for none; give the others a case of their own, or all "
        "thickness");
  if (problem.domain == bem::Domain::interior)
    refuse("has fluid on both sides; leave out domain = \"interior\"");
  if (!problem.symmetry.empty())
    refuse("in a flow excludes symmetry planes; mesh the mirrored part, too, and leave them out");
}

/// Throws InputError for conditions that this kind of problem does not have.
void check_types(const ProblemInput& problem, const std::vector<BoundaryInput>& boundaries) {
  using enum BoundaryType;
  const auto types_of = [](ProblemKind kind) -> std::vector<BoundaryType> {
    if (kind == ProblemKind::flow) return {wall, normal_velocity, motion, potential};
    if (kind == ProblemKind::laplace) return {wall, potential, flux};
    return {conductor, floating, interface};
  };
  const std::vector<BoundaryType> types = types_of(problem.kind);
  std::vector<std::string> words;
  for (const BoundaryType each : types) words.push_back(word(boundary_words, each));
  for (const BoundaryInput& boundary : boundaries) {
    if (boundary.thin) check_thin(problem, boundaries, boundary);
    if (std::find(types.begin(), types.end(), boundary.type) != types.end()) continue;
    throw InputError(fmt::format(
        "{}: boundary.type \"{}\" does not belong to the kind \"{}\", whose types are {}",
        boundary.where, word(boundary_words, boundary.type), word(kind_words, problem.kind),
        fmt::join(words, ", ")));
  }
}

/// Throws InputError for interfaces without charges, fields or potentials, and for thin conductors
/// in a case with media.
void check_drives(const Case& flow_case) {
  if (!has_media(flow_case)) return;
  for (const BoundaryInput& each : flow_case.boundaries) {
    if (!each.thin) continue;
    throw InputError(
        fmt::format("{}: boundary.thin cannot be used with interfaces, a field or point charges; "
                    "give the conductor "
                    "thickness",
                    each.where));
  }
  const bool conductors = std::any_of(flow_case.boundaries.begin(), flow_case.boundaries.end(),
                                      [](const auto& each) { return has_potential(each.type); });
  const ProblemInput& problem = flow_case.problem;
  if (conductors || !(problem.field == Vec3d{}) || !problem.sources.empty()) return;
  throw InputError(fmt::format(
      "{}: all boundaries are of the type \"interface\": without a conductor, problem.field or "
      "[[problem.source]] the potential is zero; give one of them",
      flow_case.boundaries.front().where));
}

}  // namespace

void problem_keys(Keys& keys, ProblemInput& problem) {
  keys.table("problem", "What is solved.");
  keys.key("kind", problem.kind, kind_words,
           {"A flow, a potential alone, conductors and dielectrics, or particles that move."});
  keys.key("domain", problem.domain, domain_words,
           {"Outside bodies, or inside one closed surface, islands left out."});
  keys.check(!has_particles(problem.kind), "kind",
             "moves particles, and this file has none; add [particles]");
  const bool flow = problem.kind == ProblemKind::flow,
             electric = problem.kind == ProblemKind::electrostatics,
             outside = problem.domain == bem::Domain::exterior;
  const std::string not_flow = fmt::format("for the kind \"{}\", which has a potential alone",
                                           word(kind_words, problem.kind)),
                    not_electric = "for a kind other than \"electrostatics\"";
  symmetry_keys(keys, plane_words,
                "Planes normal to axes that end the model: \"y\" symmetric, \"-z\" zero potential.",
                problem.symmetry, problem.symmetry_at);
  keys.only(flow && outside, flow ? "inside a closed domain, where there is no stream" : not_flow);
  stream_keys(keys, problem);
  keys.only(flow, not_flow);
  keys.key("density", problem.density, {"Of the fluid.", "kg/m^3", positive()});
  keys.key("moment_centre", problem.moment_centre,
           {"Moments, and rotations of added mass, are about this point.", "m"});
  keys.key("reference_speed", problem.reference_speed,
           {.text = "To which Cp refers.",
            .unit = "m/s",
            .range = positive(),
            .otherwise = "the stream's; without one, or if walls are 1000 times faster, no Cp",
            .written = problem.reference_speed > 0.0});
  keys.key("added_mass", problem.added_mass,
           {"Six modes of every body, rotations about moment_centre or the body's own centre."});
  keys.only(flow && problem.added_mass, flow ? "without added_mass = true" : not_flow);
  keys.key("modes", problem.modes,
           {"A file with one more mode per column: normal velocities per panel or node."});
  ship_keys(keys, problem);
  keys.only(electric, not_electric);
  keys.key("permittivity", problem.permittivity,
           {"Of the outermost medium, relative to vacuum.", "", positive()});
  keys.only(electric && outside,
            electric ? "inside a closed conductor, which keeps fields out" : not_electric);
  keys.key("field", problem.field, {"Applied.", "V/m"});
  keys.only();
  keys.holds({"source", "doublet", "vortex"});
}

void source_keys(Keys& keys, SourceInput& source) {
  keys.table("problem.source", "A point charge (electrostatics), or a point source (flow).", true);
  keys.key("position", source.position,
           {.text = "Of the point.", .unit = "m", .example = "position = [0.0, 0.0, 2.0]"});
  keys.key("value", source.value,
           {.text = "Charge, or volume that flows out.",
            .example = "value = 1.0, in m^3/s (flow) or C (electrostatics)"});
  source.where = keys.position("position");
}

void boundary_keys(Keys& keys, BoundaryInput& boundary) {
  using enum BoundaryType;
  keys.table("boundary", "What holds on some patches. Without any, a wall on every patch.", true);
  keys.names("patch", boundary.patches,
             {.text = "Patches of the mesh; \"*\": all that are not named.",
              .example = "patch = \"body\", or \"*\" for every patch"});
  keys.check(!boundary.patches.empty(), "patch", "is an empty list; name a patch, or \"*\"");
  keys.key(
      "type", boundary.type, boundary_words,
      {"No flow, flow through, a moving wall, phi, dphi/dn, a potential, a charge, two media."});
  const BoundaryType type = boundary.type;
  const std::string reason = fmt::format("for the type \"{}\"", word(boundary_words, type));
  const bool conducts = type == conductor || type == floating;
  const bool has_values = type != wall && type != interface;
  keys.only(type == interface, reason);
  keys.key("permittivity", boundary.permittivity,
           {.text = "Outside and inside, relative to vacuum.",
            .range = positive(),
            .example = type == interface ? "permittivity = [1.0, 4.1], outside and inside" : ""});
  keys.only(has_potential(type) || type == wall || type == normal_velocity,
            reason + ": a surface without thickness is a wall at rest or has a potential");
  keys.key("thin", boundary.thin,
           {.text = "Surfaces without thickness, with a field on both sides. They may be open.",
            .written = boundary.thin});
  keys.only(has_values, reason);
  const bool needs_value = type != motion && type != floating && !keys.gives("file");
  keys.key("value", boundary.value,
           {.text = "On all panels; flow and flux into the fluid; charge of a floating conductor.",
            .unit = "SI",
            .example = keys.reading() && needs_value ? "value = 1.0, or file = \"values.csv\"" : "",
            .written = boundary.file.empty()});
  keys.check(!keys.gives("file"), "value", "and file exclude each other; keep one of the two");
  const std::string no_file = reason + (conducts ? ", which has one potential" : "");
  const bool may_have_file = has_values && !conducts;
  keys.only(may_have_file, no_file);
  keys.key("file", boundary.file, {"A value per panel or node, instead of one."});
  keys.only(may_have_file && !boundary.file.empty(), may_have_file ? "without a file" : no_file);
  keys.key("array", boundary.array, {"Of a file that has several."});
  keys.only(type == motion, reason);
  keys.key("velocity", boundary.motion.velocity, {"Of a moving wall.", "m/s"});
  keys.key("angular_velocity", boundary.motion.angular_velocity, {"Of a moving wall.", "rad/s"});
  keys.key("centre", boundary.motion.centre,
           {.text = "Of the rotation. Moments are about it if it is given.",
            .unit = "m",
            .written = boundary.has_centre});
  keys.only();
  if (keys.reading()) boundary.has_centre = keys.gives("centre");
  boundary.where = keys.position("patch");
}

std::vector<BoundaryInput> read_boundaries(const Section& root) {
  std::vector<BoundaryInput> boundaries;
  std::set<std::string> seen;
  Errors errors;
  for (const Section& section : root.tables("boundary")) {
    errors.collect([&] {
      BoundaryInput boundary;
      read_keys(section, boundary_keys, boundary);
      for (const std::string& patch : boundary.patches) {
        if (patch == "*" && boundary.patches.size() > 1)
          section.fail("patch", "names \"*\", every patch, beside others; keep one of the two");
        if (!seen.insert(patch).second)
          section.fail("patch", fmt::format("\"{}\" is given twice; keep one of the two", patch));
      }
      boundaries.push_back(std::move(boundary));
    });
  }
  errors.raise();
  return boundaries.empty() ? std::vector<BoundaryInput>{BoundaryInput{}} : boundaries;
}

ProblemInput read_problem(const Section& root) {
  const Section section = root.table("problem");
  ProblemInput problem;
  read_keys(section, problem_keys, problem);
  if (problem.kind == ProblemKind::laplace)
    section.refuse({"source"}, "for the kind \"laplace\", which its boundaries alone drive");
  if (problem.kind == ProblemKind::flow) {
    problem.onset = read_onset(section, problem.symmetry);
    return problem;
  }
  section.refuse({"doublet", "vortex"}, "for a kind other than \"flow\"");
  if (problem.kind == ProblemKind::electrostatics) read_sources(section, problem);
  if (!root.has("boundary")) {
    section.fail(
        "kind", fmt::format("\"{}\" needs a [[boundary]] with a {}", word(kind_words, problem.kind),
                            problem.kind == ProblemKind::laplace ? "potential or a flux"
                                                                 : "conductor or an interface"));
  }
  problem.velocity = {};
  return problem;
}

void complete_problem(const Section& root, Case& flow_case) {
  if (flow_case.problem.kind == ProblemKind::flow) {
    if (!flow_case.problem.onset.flow.empty())
      check_onset(flow_case.problem.onset, flow_case.boundaries);
    complete_stream(root.table("problem"), flow_case.boundaries, flow_case.problem);
  }
  check_types(flow_case.problem, flow_case.boundaries);
  check_drives(flow_case);
}

std::string write_problem(const Case& flow_case, const std::filesystem::path& folder) {
  const ProblemInput& problem = flow_case.problem;
  std::string text = write_keys(folder, problem_keys, problem) + write_onset(problem.onset.flow);
  for (const SourceInput& each : problem.sources) text += write_keys(folder, source_keys, each);
  for (const BoundaryInput& each : flow_case.boundaries)
    text += write_keys(folder, boundary_keys, each);
  return text;
}

bool walls_are_thin(ProblemKind kind, const std::vector<BoundaryInput>& boundaries) {
  return kind == ProblemKind::flow &&
         std::all_of(boundaries.begin(), boundaries.end(),
                     [](const BoundaryInput& each) { return each.thin; });
}

bool has_media(const Case& flow_case) {
  return any_of_type(flow_case.boundaries, BoundaryType::interface) ||
         !(flow_case.problem.field == Vec3d{}) || !flow_case.problem.sources.empty();
}

}  // namespace rankine::cases
