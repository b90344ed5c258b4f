#include "cases/input/read_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/input/read_fmm.hpp"
#include "cases/input/read_mesh_input.hpp"
#include "cases/input/read_output.hpp"
#include "cases/input/read_problem.hpp"
#include "cases/input/section.hpp"
#include "cases/input/sha256.hpp"
#include "cases/input/suggest.hpp"
#include "cases/input/words.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

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
  if (section.has("relaxation")) solver.relaxation = section.boolean("relaxation", false);
  solver.precision = section.choice("precision", solver.precision, solver_precision_words);
  return solver;
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

Case read_case(const CaseFile& given, const std::vector<std::string>& overrides) {
  const fs::path file = given.place();
  const Section root = Section::parse_file(
      given, overrides,
      {"version", "title", "mesh", "problem", "boundary", "solver", "fmm", "output", "verify"});
  root.require("version", "version = 1");
  const int version = root.integer("version", 1);
  if (version != 1) root.fail("version", fmt::format("must be 1, found {}", version));

  Case flow_case;
  flow_case.path = given;
  flow_case.sha256 = sha256(given.text());
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
