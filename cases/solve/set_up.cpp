#include "cases/solve/set_up.hpp"

#include <utility>

#include "cases/resources/processes.hpp"
#include "cases/solve/case_media.hpp"
#include "cases/solve/case_onset.hpp"
#include "cases/solve/conditions.hpp"
#include "rankine/meshes/checks/orient.hpp"

namespace rankine::cases {
bem::FlowProblem make_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                              const bem::PanelFit& fit) {
  bem::FlowProblem problem;
  problem.domain = flow_case.problem.domain;
  if (has_media(flow_case)) {
    problem.panels = make_electric_problem(flow_case, mesh).panels;
  } else if (problem.domain == bem::Domain::interior) {
    meshes::SurfaceMesh inner = mesh;
    meshes::turn_inside_out(inner);
    problem.panels =
        bem::make_panels(inner, flow_case.solver.panels, flow_case.problem.symmetry, fit);
  } else {
    problem.panels =
        bem::make_panels(mesh, flow_case.solver.panels, flow_case.problem.symmetry, fit);
  }
  problem.stream = flow_case.problem.velocity;
  problem.density = flow_case.problem.density;
  problem.reference_speed = flow_case.problem.reference_speed;
  problem.has_pressure = flow_case.problem.kind == ProblemKind::flow;
  set_conditions(flow_case, mesh, problem);
  set_onset(flow_case, mesh, problem);
  return problem;
}

std::optional<bem::EquivalentFlow> make_equivalent(const Case& flow_case,
                                                   const meshes::SurfaceMesh& mesh,
                                                   const bem::FlowProblem& problem,
                                                   const bem::PanelFit& fit) {
  if (flow_case.problem.mach == 0.0) return std::nullopt;
  const bem::GoethertRule rule(problem.stream, flow_case.problem.mach);
  meshes::SurfaceMesh stretched = mesh;
  for (Vec3d& node : stretched.nodes) node = rule.stretched(node);
  for (meshes::MidNodes& nodes : stretched.mid_nodes) {
    for (Vec3d& node : nodes) node = rule.stretched(node);
  }
  Case of_stretched = flow_case;
  std::vector<meshes::SymmetryPlane> planes;
  for (meshes::SymmetryPlane plane : problem.panels.symmetry.planes()) {
    Vec3d place{};
    place[plane.axis] = plane.place;
    plane.place = rule.stretched(place)[plane.axis];
    planes.push_back(plane);
  }
  of_stretched.problem.symmetry = meshes::Symmetry(planes);
  bem::EquivalentFlow equivalent{rule, make_problem(of_stretched, stretched, fit)};
  if (!problem.lift) return equivalent;
  bem::Panels& panels = equivalent.problem.panels;
  std::vector<bem::EdgeSegment> edges;
  for (const bem::EdgeSegment& edge : problem.lift->segments)
    edges.push_back(bem::moved_edge(panels, edge, rule.stretched(edge.base)));
  bem::LiftingEdges lift = bem::lifting_edges(
      panels, std::move(edges), bem::RelativeStream(rule.stretched(problem.lift->direction)));
  if (flow_case.lift.wake == WakeForm::file) {
    bem::WakeLines lines = rule.stretched(problem.lift->wakes, lift.wakes);
    lift = bem::with_wakes(panels, std::move(lift), std::move(lines));
  }
  equivalent.problem.lift = std::make_shared<bem::LiftingEdges>(std::move(lift));
  return equivalent;
}

bem::FlowOptions make_options(const Case& flow_case, OnIteration on_iteration) {
  bem::FlowOptions options;
  options.formulation = flow_case.solver.formulation;
  options.gmres.tolerance = flow_case.solver.tolerance;
  options.gmres.max_iterations = flow_case.solver.max_iterations;
  options.gmres.restart = flow_case.solver.restart;
  options.preconditioner = flow_case.solver.preconditioner;
  if (const auto relaxed = flow_case.solver.relaxation)
    options.relaxation = *relaxed ? bem::Relaxation::on : bem::Relaxation::off;
  options.mixed_precision = flow_case.solver.precision == SolverPrecision::mixed;
  options.gmres.callback = std::move(on_iteration);
  if (flow_case.solver.krylov == Krylov::petsc) options.gmres.method = petsc_method();
  options.fmm.method = flow_case.fmm.method.value_or(fmm::Method::fmm);
  options.fmm.precision = flow_case.fmm.precision;
  options.fmm.tolerance = flow_case.fmm.tolerance;
  options.fmm.order = flow_case.fmm.order;
  options.fmm.leaf_capacity = flow_case.fmm.leaf_capacity;
  return options;
}

bem::FlowOptions options_to_judge(const bem::FlowProblem& problem, bem::FlowOptions options) {
  const bool first_kind = problem.conditions.everywhere(bem::Known::potential);
  if (first_kind && options.preconditioner == bem::Preconditioner::automatic)
    options.preconditioner = bem::Preconditioner::two_level;
  return options;
}

}  // namespace rankine::cases
