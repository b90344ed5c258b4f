#include "cases/input/read_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "cases/input/read_onset.hpp"
#include "cases/input/suggest.hpp"
#include "cases/input/words.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

/// Value or file; walls have neither.
void read_values(const Section& section, const fs::path& case_file, BoundaryInput& boundary) {
  boundary.value = section.number("value", 0.0);
  if (section.has("file")) boundary.file = beside(case_file, section.text("file", {}));
  boundary.array = section.text("array", {});
  if (section.has("value") && section.has("file"))
    section.fail("value", "and file exclude each other; keep one of the two");
  if (!section.has("file")) refuse(section, {"array"}, "without a file");
}

BoundaryInput read_boundary(const Section& section, const fs::path& case_file) {
  section.require("patch", "patch = \"body\", or \"*\" for every patch");
  BoundaryInput boundary;
  boundary.patches = section.text_or_texts("patch");
  boundary.where = section.position("patch");
  if (boundary.patches.empty()) section.fail("patch", "is an empty list; name a patch, or \"*\"");
  boundary.type = section.choice("type", BoundaryType::wall, boundary_words);
  const std::string reason =
      fmt::format("for the type \"{}\"", word(boundary_words, boundary.type));
  if (boundary.type == BoundaryType::wall) refuse(section, {"value", "file", "array"}, reason);
  if (boundary.type != BoundaryType::motion)
    refuse(section, {"velocity", "angular_velocity", "centre"}, reason);
  const bool conducts =
      boundary.type == BoundaryType::conductor || boundary.type == BoundaryType::floating;
  if (conducts) refuse(section, {"file", "array"}, reason + ", which has one potential");
  const bool interface = boundary.type == BoundaryType::interface;
  if (interface) {
    refuse(section, {"value", "file", "array"}, reason);
    section.require("permittivity", "permittivity = [1.0, 4.1], outside and inside");
  } else {
    refuse(section, {"permittivity"}, reason);
  }
  boundary.permittivity = section.two("permittivity", boundary.permittivity, positive());
  read_values(section, case_file, boundary);
  const bool needs_values = boundary.type != BoundaryType::wall &&
                            boundary.type != BoundaryType::motion &&
                            boundary.type != BoundaryType::floating && !interface;
  if (needs_values && !section.has("file"))
    section.require("value", "value = 1.0, or file = \"values.csv\"");
  boundary.motion.velocity = section.vector("velocity", {});
  boundary.motion.angular_velocity = section.vector("angular_velocity", {});
  boundary.motion.centre = section.vector("centre", {});
  boundary.has_centre = section.has("centre");
  const bool may_be_thin = has_potential(boundary.type) || boundary.type == BoundaryType::wall ||
                           boundary.type == BoundaryType::normal_velocity;
  if (!may_be_thin)
    refuse(section, {"thin"},
           reason + ": a surface without thickness is a wall at rest or has a potential");
  boundary.thin = section.boolean("thin", false);
  return boundary;
}

bool walls_alone(const std::vector<BoundaryInput>& boundaries) {
  return std::all_of(boundaries.begin(), boundaries.end(),
                     [](const BoundaryInput& each) { return each.type == BoundaryType::wall; });
}

/// Planes through one point.
meshes::Symmetry read_symmetry(const Section& section) {
  std::vector<std::string> known;
  for (const auto& each : plane_words) known.push_back(each.first);
  const Vec3d origin = section.vector("symmetry_origin", {});
  std::vector<meshes::SymmetryPlane> planes;
  for (const std::string& found : section.texts("symmetry")) {
    const auto at = std::find(known.begin(), known.end(), found);
    if (at == known.end()) {
      section.fail("symmetry",
                   fmt::format("is a list of {}, found \"{}\"{}", fmt::join(known, ", "), found,
                               did_you_mean(found, known)));
    }
    const auto [axis, sign] = plane_words[static_cast<std::size_t>(at - known.begin())].second;
    planes.push_back({axis, origin[axis], sign});
  }
  if (planes.empty() && section.has("symmetry_origin"))
    section.fail("symmetry_origin", "needs symmetry = [\"y\"], or other planes");
  try {
    return meshes::Symmetry(std::move(planes));
  } catch (const InputError& error) {
    section.fail("symmetry", error.what());
  }
}

/// The field applied, and charges.
void read_sources(const Section& section, ProblemInput& problem) {
  if (problem.domain == bem::Domain::interior)
    refuse(section, {"field"}, "inside a closed conductor, which keeps fields out");
  problem.field = section.vector("field", {});
  try {
    bem::require_compatible(problem.symmetry, problem.field);
  } catch (const InputError&) {
    section.fail("field",
                 "has a part through a symmetry plane, or along one of zero potential; set it to "
                 "zero, or change the sign of the plane");
  }
  for (const Section& each : section.tables("source", {"position", "value"})) {
    each.require("position", "position = [0.0, 0.0, 2.0]");
    each.require("value", "value = 1e-9");
    problem.sources.push_back(
        {each.vector("position", {}), each.number("value", 0.0), each.position("position")});
  }
}

/// The stream, whose default is 1 m/s along x where nothing else moves the fluid.
void read_stream(const Section& section, const std::vector<BoundaryInput>& boundaries,
                 ProblemInput& problem) {
  const bool outside = problem.domain == bem::Domain::exterior;
  if (!outside) refuse(section, {"velocity"}, "inside a closed domain, where there is no stream");
  const bool driven = !walls_alone(boundaries) || !problem.onset.flow.empty();
  problem.velocity = section.vector("velocity", outside && !driven ? problem.velocity : Vec3d{});
  if (problem.velocity == Vec3d{} && !driven && !problem.added_mass) {
    section.fail("velocity",
                 outside ? "must not be zero: without a stream there is no flow to solve for"
                         : "is zero inside walls: give a [[boundary]] that moves the fluid");
  }
  try {
    bem::require_compatible(problem.symmetry, problem.velocity);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", section.position("velocity"), error.what()));
  }
}

}  // namespace

fs::path beside(const fs::path& case_file, const std::string& path) {
  return (case_file.parent_path() / path).lexically_normal();
}

std::vector<BoundaryInput> read_boundaries(const Section& root, const fs::path& case_file) {
  std::vector<BoundaryInput> boundaries;
  std::set<std::string> seen;
  for (const Section& section :
       root.tables("boundary", {"patch", "type", "value", "file", "array", "velocity",
                                "angular_velocity", "centre", "permittivity", "thin"})) {
    BoundaryInput boundary = read_boundary(section, case_file);
    for (const std::string& patch : boundary.patches) {
      if (patch == "*" && boundary.patches.size() > 1)
        section.fail("patch", "names \"*\", every patch, beside others; keep one of the two");
      if (!seen.insert(patch).second)
        section.fail("patch", fmt::format("\"{}\" is given twice; keep one of the two", patch));
    }
    boundaries.push_back(std::move(boundary));
  }
  return boundaries.empty() ? std::vector<BoundaryInput>{BoundaryInput{}} : boundaries;
}

ProblemInput read_problem(const Section& root, const fs::path& case_file,
                          const std::vector<BoundaryInput>& boundaries) {
  const Section section =
      root.table("problem", {"kind", "domain", "velocity", "density", "moment_centre",
                             "reference_speed", "added_mass", "modes", "permittivity", "symmetry",
                             "symmetry_origin", "field", "source", "doublet", "vortex"});
  ProblemInput problem;
  problem.kind = section.choice("kind", problem.kind, kind_words);
  problem.domain = section.choice("domain", problem.domain, domain_words);
  problem.symmetry = read_symmetry(section);
  problem.symmetry_at = section.position("symmetry");
  if (has_particles(problem.kind))
    section.fail("kind", "moves particles, and this file has none; add [particles]");
  const bool charges = problem.kind == ProblemKind::electrostatics;
  if (!charges)
    refuse(section, {"permittivity", "field"}, "for a kind other than \"electrostatics\"");
  if (problem.kind != ProblemKind::flow)
    refuse(section, {"doublet", "vortex"}, "for a kind other than \"flow\"");
  if (problem.kind == ProblemKind::laplace)
    refuse(section, {"source"}, "for the kind \"laplace\", which its boundaries alone drive");
  problem.permittivity = section.number("permittivity", problem.permittivity, positive());
  if (charges) read_sources(section, problem);
  if (problem.kind != ProblemKind::flow) {
    const std::string kind = word(kind_words, problem.kind);
    refuse(section,
           {"velocity", "density", "moment_centre", "reference_speed", "added_mass", "modes"},
           fmt::format("for the kind \"{}\", which has a potential alone", kind));
    if (!root.has("boundary")) {
      section.fail("kind",
                   fmt::format("\"{}\" needs a [[boundary]] with a {}", kind,
                               problem.kind == ProblemKind::laplace ? "potential or a flux"
                                                                    : "conductor or an interface"));
    }
    problem.velocity = {};
    return problem;
  }
  problem.added_mass = section.boolean("added_mass", problem.added_mass);
  if (section.has("modes")) problem.modes = beside(case_file, section.text("modes", {}));
  if (!problem.added_mass) refuse(section, {"modes"}, "without added_mass = true");
  problem.onset = read_onset(section, problem.symmetry, boundaries);
  read_stream(section, boundaries, problem);
  problem.density = section.number("density", problem.density, positive());
  problem.reference_speed = section.number("reference_speed", problem.reference_speed, positive());
  const double pressure = 0.5 * problem.density * dot(problem.velocity, problem.velocity);
  const bool in_range = pressure > 0.0 && std::isfinite(pressure);
  if (!(problem.velocity == Vec3d{}) && !in_range) {
    section.fail("velocity", fmt::format("and density make a dynamic pressure of {} Pa, out of the "
                                         "range of numbers; choose other units",
                                         pressure));
  }
  problem.moment_centre = section.vector("moment_centre", problem.moment_centre);
  return problem;
}

namespace {

/// In a flow walls without thickness are all there is; of other kinds they have a potential.
void check_thin(const ProblemInput& problem, const std::vector<BoundaryInput>& boundaries,
                const BoundaryInput& boundary) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: boundary.thin {}", boundary.where, why));
  };
  const bool potential = has_potential(boundary.type);
  if (problem.kind != ProblemKind::flow) {
    if (!potential) refuse("of walls belongs to the kind \"flow\"; give a potential");
    return;
  }
  if (potential) {
    refuse(
        "with a potential belongs to the kinds \"laplace\" and \"electrostatics\"; in a flow "
        "give walls");
  }
  if (!walls_are_thin(problem.kind, boundaries))
    refuse(
        "in a flow holds for all walls or for none; give the others a case of their own, or all "
        "thickness");
  if (problem.domain == bem::Domain::interior)
    refuse("has fluid on both sides; leave out domain = \"interior\"");
  if (!problem.symmetry.empty())
    refuse("in a flow does not know symmetry planes; mesh the other part, too, and leave them out");
}

}  // namespace

bool walls_are_thin(ProblemKind kind, const std::vector<BoundaryInput>& boundaries) {
  return kind == ProblemKind::flow &&
         std::all_of(boundaries.begin(), boundaries.end(),
                     [](const BoundaryInput& each) { return each.thin; });
}

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

bool has_media(const Case& flow_case) {
  const bool interfaces =
      std::any_of(flow_case.boundaries.begin(), flow_case.boundaries.end(),
                  [](const auto& each) { return each.type == BoundaryType::interface; });
  return interfaces || !(flow_case.problem.field == Vec3d{}) || !flow_case.problem.sources.empty();
}

void check_drives(const Case& flow_case) {
  if (!has_media(flow_case)) return;
  for (const BoundaryInput& each : flow_case.boundaries) {
    if (!each.thin) continue;
    throw InputError(
        fmt::format("{}: boundary.thin has no meaning beside interfaces, a field or point charges; "
                    "give the conductor "
                    "thickness",
                    each.where));
  }
  const bool conductors = std::any_of(flow_case.boundaries.begin(), flow_case.boundaries.end(),
                                      [](const auto& each) { return has_potential(each.type); });
  const ProblemInput& problem = flow_case.problem;
  if (conductors || !(problem.field == Vec3d{}) || !problem.sources.empty()) return;
  throw InputError(fmt::format(
      "{}: boundary.type \"interface\" is all there is: without a conductor, problem.field or "
      "[[problem.source]] nothing makes a potential; give one of them",
      flow_case.boundaries.front().where));
}

bem::Formulation default_formulation(ProblemKind kind,
                                     const std::vector<BoundaryInput>& boundaries) {
  if (walls_are_thin(kind, boundaries)) return bem::Formulation::doublet;
  const bool thin = std::any_of(boundaries.begin(), boundaries.end(),
                                [](const BoundaryInput& each) { return each.thin; });
  return thin ? bem::Formulation::source : bem::Formulation::green;
}

}  // namespace rankine::cases
