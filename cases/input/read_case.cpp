#include "cases/input/read_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

#include "cases/input/probe_count.hpp"
#include "cases/input/read_fmm.hpp"
#include "cases/input/read_mesh_input.hpp"
#include "cases/input/read_problem.hpp"
#include "cases/input/section.hpp"
#include "cases/input/sha256.hpp"
#include "cases/input/suggest.hpp"
#include "cases/input/words.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto file_name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

/// Octrees number points in 32 bits.
constexpr double most_points = std::numeric_limits<std::int32_t>::max();

/// `media`: of conductors and dielectrics, whose unknown is a charge.
SolverInput read_solver(const Section& section, ProblemKind kind,
                        const std::vector<BoundaryInput>& boundaries, bool media) {
  SolverInput solver;
  solver.formulation = section.choice(
      "formulation", media ? bem::Formulation::source : default_formulation(kind, boundaries),
      formulation_words);
  if (media && solver.formulation != bem::Formulation::source) {
    section.fail("formulation",
                 "must be \"source\", the total charge, where there are interfaces, a field or "
                 "point charges; leave it out");
  }
  const bool thin = std::any_of(boundaries.begin(), boundaries.end(),
                                [](const BoundaryInput& each) { return each.thin; });
  const bool thin_walls = walls_are_thin(kind, boundaries);
  if (thin_walls != (solver.formulation == bem::Formulation::doublet)) {
    section.fail("formulation",
                 thin_walls ? "must be \"doublet\" where walls are thin; leave it out"
                            : "\"doublet\" is for walls without thickness; use \"green\" or "
                              "\"source\", or give the walls thin = true");
  }
  if (thin_walls) {
    refuse(section, {"panels", "preconditioner", "relaxation", "precision"},
           "for walls without thickness: panels are flat, and solved for in double, scaled by the "
           "diagonal");
    solver.panels = bem::PanelGeometry::flat;
  } else if (thin && solver.formulation != bem::Formulation::source) {
    section.fail("formulation",
                 "\"green\" needs closed surfaces, and a boundary is thin; use \"source\"");
  }
  solver.panels = section.choice("panels", solver.panels, panel_words);
  solver.tolerance = section.number("tolerance", solver.tolerance, between(1e-14, 0.5));
  solver.max_iterations = section.integer("max_iterations", solver.max_iterations, at_least(1));
  solver.restart = section.integer("restart", solver.restart, at_least(1));
  solver.backend = section.choice("backend", solver.backend, backend_words);
  solver.preconditioner =
      section.choice("preconditioner", solver.preconditioner, preconditioner_words);
  solver.relaxation = section.boolean("relaxation", solver.relaxation);
  solver.precision = section.choice("precision", solver.precision, solver_precision_words);
  return solver;
}

std::string read_name(const Section& section, const std::string& example) {
  section.require("name", "name = \"" + example + "\"");
  const std::string name = section.text("name", {});
  if (name.empty() || name.find_first_not_of(file_name_letters) != std::string::npos) {
    section.fail(
        "name", fmt::format("names a file: letters, digits, '-' and '_' only, found \"{}\"", name));
  }
  return name;
}

ProbeInput read_probe(const Section& section, const fs::path& case_file) {
  ProbeInput probe;
  probe.name = read_name(section, "midplane");
  section.require("kind", "kind = \"plane\" (plane, box, line or points)");
  probe.kind = section.choice("kind", probe.kind, probe_words);
  const std::string kind = word(probe_words, probe.kind),
                    reason = fmt::format("for a probe of kind \"{}\"", kind);
  const bool grid = probe.kind == ProbeKind::plane || probe.kind == ProbeKind::box;
  const auto keys = [&](bool wanted,
                        const std::vector<std::pair<std::string, std::string>>& examples) {
    for (const auto& [key, example] : examples) {
      if (wanted) section.require(key, example);
      if (!wanted) refuse(section, {key}, reason);
    }
  };
  keys(grid, {{"origin", "origin = [-3.0, -3.0, 0.0]"},
              {"size", "size = [6.0, 6.0, 0.0]"},
              {"cells", "cells = [60, 60, 1]"}});
  keys(probe.kind == ProbeKind::line,
       {{"from", "from = [-3.0, 0.0, 0.0]"}, {"to", "to = [3.0, 0.0, 0.0]"}});
  const bool from_file = probe.kind == ProbeKind::points && section.has("file");
  if (from_file) refuse(section, {"points"}, "beside file, which holds the points");
  keys(probe.kind == ProbeKind::points && !from_file,
       {{"points", "points = [[0.0, 0.0, 2.0]], or file = \"points.csv\""}});
  if (!from_file) refuse(section, {"file"}, reason);
  if (from_file) probe.file = path_beside(case_file, section.text("file", {}));
  if (probe.kind != ProbeKind::line) refuse(section, {"count"}, reason);
  probe.origin = section.vector("origin", {});
  probe.size = section.vector("size", {}, at_least(0.0));
  probe.cells = section.integers("cells", probe.cells, between(1, most_points - 1));
  probe.from = section.vector("from", {});
  probe.to = section.vector("to", {});
  probe.count = section.integer("count", 101, between(2, most_points));
  probe.points = section.vectors("points");
  const int flat = (probe.size.x == 0.0) + (probe.size.y == 0.0) + (probe.size.z == 0.0);
  if (grid && flat != (probe.kind == ProbeKind::plane ? 1 : 0)) {
    section.fail(
        "size",
        probe.kind == ProbeKind::plane
            ? fmt::format("of a plane has exactly one zero component, found {}", flat)
            : fmt::format("of a box has no zero component, found {}; use kind = \"plane\"", flat));
  }
  return probe;
}

SectionInput read_section(const Section& section) {
  section.require("origin", "origin = [0.0, 0.0, 0.0]");
  section.require("normal", "normal = [1.0, 0.0, 0.0]");
  SectionInput cut{read_name(section, "midship"), section.vector("origin", {}),
                   section.vector("normal", {}), section.position("origin")};
  const double length = norm(cut.normal);
  if (!(length > 0.0) || !std::isfinite(length))
    section.fail("normal", "has no direction; give one, of any length");
  return cut;
}

StreamlineInput read_streamlines(const Section& section, const fs::path& case_file) {
  StreamlineInput lines;
  lines.seeds = read_probe(section, case_file);
  lines.course = section.choice("course", lines.course, course_words);
  lines.length = section.number("length", lines.length, at_least(0.0));
  lines.tolerance = section.number("tolerance", lines.tolerance, between(1e-10, 1e-2));
  if (!section.has("box")) return lines;
  const std::vector<Vec3d> corners = section.vectors("box");
  lines.box.emplace();
  for (const Vec3d& corner : corners) lines.box->add(corner);
  const Vec3d size = lines.box->size();
  if (corners.size() != 2 || !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0))
    section.fail("box", "needs two opposite corners, [[-3, -3, -3], [3, 3, 3]]");
  return lines;
}

/// The outputs of one kind, of which each has a name of its own, and together with the probes not too many points.
template <class Read>
void read_each(const Section& section, const std::string& kind,
               const std::vector<std::string>& keys, std::set<std::string>& names, Read read) {
  for (const Section& each : section.tables(kind, keys)) {
    const auto [name, points] = read(each);
    if (!names.insert(name).second) {
      each.fail("name",
                fmt::format("\"{}\" is taken; every {} needs its own file name", name, kind));
    }
    if (points > most_points) {
      each.fail("kind",
                fmt::format("makes {:.3g} points with the probes before it; all together can "
                            "have at most {:.0f}",
                            points, most_points));
    }
  }
}

OutputInput read_output(const Section& root, const fs::path& case_file) {
  const Section section = root.table("output", {"directory", "probe", "section", "streamlines"});
  OutputInput output;
  output.directory = path_beside(case_file, section.text("directory", "results"));
  std::set<std::string> names{"surface"};
  const std::vector<std::string> of_probes{"name", "kind", "origin", "size",   "cells",
                                           "from", "to",   "count",  "points", "file"};
  read_each(section, "probe", of_probes, names, [&](const Section& each) {
    output.probes.push_back(read_probe(each, case_file));
    return std::pair(output.probes.back().name, probe_point_count(output.probes));
  });
  names.insert({"residuals", "added_mass"});  // .csv files, which sections are, too
  read_each(section, "section", {"name", "origin", "normal"}, names, [&](const Section& each) {
    output.sections.push_back(read_section(each));
    return std::pair(output.sections.back().name, 0.0);
  });
  std::vector<std::string> of_lines = of_probes;
  of_lines.insert(of_lines.end(), {"course", "length", "tolerance", "box"});
  read_each(section, "streamlines", of_lines, names, [&](const Section& each) {
    output.streamlines.push_back(read_streamlines(each, case_file));
    const ProbeInput& seeds = output.streamlines.back().seeds;
    return std::pair(seeds.name, probe_point_count(seeds));
  });
  return output;
}

/// The radius or semi-axes of the exact body: given, or those of the built-in shape.
Vec3d exact_semi_axes(const Section& section, const MeshInput& mesh, ExactFlow exact) {
  if (exact == ExactFlow::ellipsoid) {
    refuse(section, {"radius"}, "for \"ellipsoid-flow\"");
    if (mesh.shape != Shape::ellipsoid) section.require("semi_axes", "semi_axes = [3.0, 2.0, 1.0]");
    return section.vector("semi_axes", mesh.semi_axes, positive());
  }
  refuse(section, {"semi_axes"}, "for \"sphere-flow\"");
  const double radius =
      section.number("radius", mesh.shape == Shape::sphere ? mesh.radius : 1.0, positive());
  return {radius, radius, radius};
}

VerifyInput read_verify(const Section& root, const MeshInput& mesh, const Case& flow_case) {
  const Section section =
      root.table("verify", {"exact", "radius", "semi_axes", "centre", "max_error"});
  VerifyInput verify;
  if (!root.has("verify")) return verify;
  section.require("exact", "exact = \"sphere-flow\"");
  verify.exact = section.choice("exact", verify.exact, exact_words);
  const bool walls =
      std::all_of(flow_case.boundaries.begin(), flow_case.boundaries.end(),
                  [](const BoundaryInput& each) { return each.type == BoundaryType::wall; });
  if (!walls || flow_case.problem.velocity == Vec3d{}) {
    section.fail("exact",
                 "is the flow past walls at rest in a stream; remove [verify], or give "
                 "problem.velocity and walls alone");
  }
  if (!flow_case.problem.onset.flow.empty()) {
    section.fail("exact", fmt::format("is the flow past walls at rest in a stream alone; remove "
                                      "[verify], or {}",
                                      flow_case.problem.onset.first_name()));
  }
  verify.semi_axes = exact_semi_axes(section, mesh, verify.exact);
  verify.centre = section.vector("centre", mesh.centre);
  const Section limits =
      section.table("max_error", {"potential_l2", "velocity_l2", "velocity_max", "added_mass"});
  for (const auto& [key, limit] : {std::pair{"potential_l2", &verify.potential_l2},
                                   std::pair{"velocity_l2", &verify.velocity_l2},
                                   std::pair{"velocity_max", &verify.velocity_max},
                                   std::pair{"added_mass", &verify.added_mass}}) {
    if (limits.has(key)) *limit = limits.number(key, 0.0, positive());
  }
  return verify;
}

}  // namespace

Case read_case(const fs::path& file, const std::vector<std::string>& overrides) {
  const Section root = Section::parse_file(
      file, overrides,
      {"version", "title", "mesh", "problem", "boundary", "solver", "fmm", "output", "verify"});
  root.require("version", "version = 1");
  const int version = root.integer("version", 1);
  if (version != 1) root.fail("version", fmt::format("must be 1, found {}", version));

  Case flow_case;
  flow_case.path = file;
  flow_case.sha256 = sha256_of_file(file);
  flow_case.title = root.text("title", file.stem().string());
  flow_case.mesh = read_mesh_input(root, file);
  flow_case.boundaries = read_boundaries(root, file);
  flow_case.problem = read_problem(root, file, flow_case.boundaries);
  check_types(flow_case.problem, flow_case.boundaries);
  const Section solver =
      root.table("solver", {"formulation", "panels", "tolerance", "max_iterations", "restart",
                            "backend", "preconditioner", "relaxation", "precision"});
  check_drives(flow_case);
  flow_case.solver =
      read_solver(solver, flow_case.problem.kind, flow_case.boundaries, has_media(flow_case));
  flow_case.fmm = read_fmm(fmm_table(root), solver, flow_case.solver);
  flow_case.output = read_output(root, file);
  flow_case.verify = read_verify(root, flow_case.mesh, flow_case);
  return flow_case;
}

void check_patches(const Case& flow_case, const std::vector<std::string>& patch_names) {
  for (const BoundaryInput& boundary : flow_case.boundaries) {
    if (boundary.is_for_all()) continue;
    for (const std::string& patch : boundary.patches) {
      if (std::find(patch_names.begin(), patch_names.end(), patch) != patch_names.end()) continue;
      throw InputError(fmt::format("{}: the mesh has no patch \"{}\"{}", boundary.where, patch,
                                   did_you_mean(patch, patch_names)));
    }
  }
}

}  // namespace rankine::cases
