#include "cases/input/write_case.hpp"

#include <fmt/format.h>

#include "cases/input/case_writer.hpp"

namespace rankine::cases {
namespace fs = std::filesystem;

void write_mesh(CaseWriter& out, const MeshInput& mesh, const fs::path& folder) {
  out.header("[mesh]");
  if (mesh.shape == Shape::none) {
    out.line("file", value(mesh.file, folder));
    out.line("scale", value(mesh.scale));
    out.line("scripts", value(mesh.scripts));
    out.line("panel_size", value(mesh.panel_size));
    out.line("panel_budget", value<std::int64_t>(mesh.panel_budget));
    out.line("time_limit", value(mesh.time_limit));
    out.line("patches", list(mesh.patches));
    out.line("exclude", list(mesh.exclude));
    std::vector<std::string> repairs;
    for (const auto& [word, member] : repair_words) {
      if (mesh.repairs.*member) repairs.push_back(word);
    }
    out.line("repair", list(repairs));
    out.line("merge_tolerance", value(mesh.repairs.merge_tolerance));
  } else {
    out.line("shape", shape_words, mesh.shape);
    out.line("panels", value<std::int64_t>(mesh.panels));
    out.line("centre", value(mesh.centre));
  }
  if (mesh.shape == Shape::sphere || mesh.shape == Shape::disc || mesh.shape == Shape::tube)
    out.line("radius", value(mesh.radius));
  if (mesh.shape == Shape::plate || mesh.shape == Shape::tube)
    out.line("length", value(mesh.length));
  if (mesh.shape == Shape::plate) out.line("width", value(mesh.width));
  if (is_sheet(mesh.shape)) out.line("grading", value(mesh.grading));
  if (mesh.shape == Shape::ellipsoid) out.line("semi_axes", value(mesh.semi_axes));
  if (mesh.shape == Shape::torus) {
    out.line("major_radius", value(mesh.major_radius));
    out.line("minor_radius", value(mesh.minor_radius));
  }
  if (mesh.shape == Shape::box) {
    out.line("size", value(mesh.size));
    out.line("grading", value(mesh.grading));
  }
  out.line("orient", orient_words, mesh.orient);
}

namespace {

void write_probe(CaseWriter& out, const ProbeInput& probe, const fs::path& folder) {
  out.line("name", value(probe.name));
  out.line("kind", probe_words, probe.kind);
  if (probe.kind == ProbeKind::line) {
    out.line("from", value(probe.from));
    out.line("to", value(probe.to));
    out.line("count", value<std::int64_t>(probe.count));
  } else if (!probe.file.empty()) {
    out.line("file", value(probe.file, folder));
  } else if (probe.kind == ProbeKind::points) {
    std::string points;
    for (const Vec3d& point : probe.points) points += (points.empty() ? "" : ", ") + value(point);
    out.line("points", "[" + points + "]");
  } else {
    out.line("origin", value(probe.origin));
    out.line("size", value(probe.size));
    out.line("cells", fmt::format("[{}, {}, {}]", probe.cells.x, probe.cells.y, probe.cells.z));
  }
}

}  // namespace

void write_probes(CaseWriter& out, const std::vector<ProbeInput>& probes, const fs::path& folder) {
  for (const ProbeInput& probe : probes) {
    out.header("[[output.probe]]");
    write_probe(out, probe, folder);
  }
}

namespace {

void write_boundary(CaseWriter& out, const BoundaryInput& boundary, const fs::path& folder) {
  out.header("[[boundary]]");
  std::string patches;
  for (const std::string& patch : boundary.patches)
    patches += (patches.empty() ? "" : ", ") + value(patch);
  out.line("patch", boundary.patches.size() == 1 ? patches : "[" + patches + "]");
  out.line("type", boundary_words, boundary.type);
  if (boundary.type == BoundaryType::wall) return;
  if (boundary.type == BoundaryType::interface) {
    const auto& [outside, inside] = boundary.permittivity;
    out.line("permittivity", fmt::format("[{}, {}]", value(outside), value(inside)));
    return;
  }
  if (boundary.thin) out.line("thin", value(boundary.thin));
  if (boundary.file.empty()) out.line("value", value(boundary.value));
  if (!boundary.file.empty()) out.line("file", value(boundary.file, folder));
  if (!boundary.array.empty()) out.line("array", value(boundary.array));
  if (boundary.type != BoundaryType::motion) return;
  out.line("velocity", value(boundary.motion.velocity));
  out.line("angular_velocity", value(boundary.motion.angular_velocity));
  if (boundary.has_centre) out.line("centre", value(boundary.motion.centre));
}

void write_onset(CaseWriter& out, const bem::Onset& onset) {
  for (const bem::PointSource& each : onset.sources) {
    out.header("[[problem.source]]");
    out.line("position", value(each.position));
    out.line("value", value(each.strength));
  }
  for (const bem::PointDoublet& each : onset.doublets) {
    out.header("[[problem.doublet]]");
    out.line("position", value(each.position));
    out.line("moment", value(each.moment));
  }
  for (const bem::VortexSegment& each : onset.vortices) {
    out.header("[[problem.vortex]]");
    out.line("from", value(each.from));
    out.line("to", value(each.to));
    out.line("circulation", value(each.circulation));
  }
}

void write_problem(CaseWriter& out, const Case& flow_case, const fs::path& folder) {
  const ProblemInput& problem = flow_case.problem;
  out.header("[problem]");
  out.line("kind", kind_words, problem.kind);
  out.line("domain", domain_words, problem.domain);
  if (!problem.symmetry.empty()) {
    std::string planes;
    for (const meshes::SymmetryPlane& plane : problem.symmetry.planes())
      planes += (planes.empty() ? "" : ", ") + value(word(plane_words, {plane.axis, plane.sign}));
    out.line("symmetry", "[" + planes + "]");
    const int all = problem.symmetry.images() - 1;
    out.line("symmetry_origin", value(problem.symmetry.onto(all, {})));
  }
  if (problem.kind == ProblemKind::flow) {
    if (problem.domain == bem::Domain::exterior) out.line("velocity", value(problem.velocity));
    out.line("density", value(problem.density));
    out.line("moment_centre", value(problem.moment_centre));
    if (problem.reference_speed > 0.0) out.line("reference_speed", value(problem.reference_speed));
    out.line("added_mass", value(problem.added_mass));
    if (!problem.modes.empty()) out.line("modes", value(problem.modes, folder));
    write_onset(out, problem.onset.flow);
  }
  if (problem.kind == ProblemKind::electrostatics) {
    out.line("permittivity", value(problem.permittivity));
    if (problem.domain == bem::Domain::exterior) out.line("field", value(problem.field));
    for (const SourceInput& each : problem.sources) {
      out.header("[[problem.source]]");
      out.line("position", value(each.position));
      out.line("value", value(each.value));
    }
  }
  for (const BoundaryInput& boundary : flow_case.boundaries) write_boundary(out, boundary, folder);
}

void write_solver(CaseWriter& out, const SolverInput& solver, const FmmInput& fmm) {
  out.header("[solver]");
  out.line("formulation", formulation_words, solver.formulation);
  out.line("panels", panel_words, solver.panels);
  out.line("tolerance", value(solver.tolerance));
  out.line("max_iterations", value<std::int64_t>(solver.max_iterations));
  out.line("restart", value<std::int64_t>(solver.restart));
  out.line("backend", backend_words, solver.backend);
  out.line("preconditioner", preconditioner_words, solver.preconditioner);
  if (solver.relaxation) out.line("relaxation", value(*solver.relaxation));
  out.line("precision", solver_precision_words, solver.precision);
  write_fmm(out, fmm);
}

void write_outputs(CaseWriter& out, const OutputInput& output, const fs::path& folder) {
  out.header("[output]");
  out.line("directory", value(output.directory, folder));
  write_probes(out, output.probes, folder);
  for (const SectionInput& section : output.sections) {
    out.header("[[output.section]]");
    out.line("name", value(section.name));
    out.line("origin", value(section.origin));
    out.line("normal", value(section.normal));
  }
  for (const StreamlineInput& lines : output.streamlines) {
    out.header("[[output.streamlines]]");
    write_probe(out, lines.seeds, folder);
    out.line("course", course_words, lines.course);
    out.line("length", value(lines.length));
    out.line("tolerance", value(lines.tolerance));
    if (lines.box) {
      out.line("box", fmt::format("[{}, {}]", value(lines.box->lower), value(lines.box->upper)));
    }
  }
}

void write_verify(CaseWriter& out, const VerifyInput& verify) {
  out.header("[verify]");
  out.line("exact", exact_words, verify.exact);
  if (verify.exact == ExactFlow::sphere) out.line("radius", value(verify.semi_axes.x));
  if (verify.exact == ExactFlow::ellipsoid) out.line("semi_axes", value(verify.semi_axes));
  out.line("centre", value(verify.centre));
  std::string limits;
  for (const auto& [key, limit] : {std::pair{"potential_l2", verify.potential_l2},
                                   std::pair{"velocity_l2", verify.velocity_l2},
                                   std::pair{"velocity_max", verify.velocity_max},
                                   std::pair{"added_mass", verify.added_mass}}) {
    if (limit) limits += fmt::format("{}{} = {}", limits.empty() ? "" : ", ", key, value(*limit));
  }
  if (!limits.empty()) out.line("max_error", "{ " + limits + " }");
}

}  // namespace

std::string write_case(const Case& flow_case, const fs::path& folder) {
  CaseWriter out;
  out.line("version", "1");
  out.line("title", value(flow_case.title));
  write_mesh(out, flow_case.mesh, folder);
  write_problem(out, flow_case, folder);
  write_solver(out, flow_case.solver, flow_case.fmm);
  write_outputs(out, flow_case.output, folder);
  if (flow_case.verify.exact != ExactFlow::none) write_verify(out, flow_case.verify);
  return out.take();
}

}  // namespace rankine::cases
