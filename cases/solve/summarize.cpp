#include "cases/solve/summarize.hpp"

#include <algorithm>

#include "cases/verification/compare.hpp"
#include "rankine/bem/flow/forces.hpp"

namespace rankine::cases {
namespace {

void describe_mesh(Summary& summary, const LoadedMesh& loaded) {
  summary.mesh_path = loaded.mesh.source;
  summary.panels = static_cast<std::int64_t>(loaded.mesh.elements.size());
  summary.nodes = static_cast<std::int64_t>(loaded.mesh.nodes.size());
  summary.volume = loaded.report.volume;
  summary.area = loaded.report.area;
  summary.watertight = loaded.report.watertight();
  summary.patches = panels_per_patch(loaded.mesh);
}

void describe_solver(Summary& summary, const Case& flow_case, const bem::Solution& solution) {
  summary.far_field = solution.fmm;
  summary.mixed_precision = solution.mixed_precision;
  summary.sampled_error = solution.fmm_sampled_error;
  summary.near_entries = static_cast<std::int64_t>(solution.near_entries);
  summary.formulation = bem::to_string(flow_case.solver.formulation);
  summary.iterations = solution.gmres.iterations;
  summary.restart = flow_case.solver.restart;
  summary.tolerance = flow_case.solver.tolerance;
  summary.residual = solution.gmres.residual;
  summary.true_residual = solution.gmres.true_residual;
}

/// -int p n dA over each patch, p = rho |U|^2 Cp / 2.
std::vector<std::pair<std::string, Vec3d>> forces_per_patch(const meshes::SurfaceMesh& mesh,
                                                            const bem::FlowProblem& problem,
                                                            const bem::Solution& solution) {
  const double dynamic_pressure = 0.5 * problem.density * dot(problem.velocity, problem.velocity);
  std::vector<std::pair<std::string, Vec3d>> forces;
  for (const std::string& name : mesh.patch_names) forces.emplace_back(name, Vec3d{});
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    forces[static_cast<std::size_t>(mesh.patch[i])].second -=
        problem.panels.normal[i] * (dynamic_pressure * solution.cp[i] * problem.panels.area[i]);
  }
  return forces;
}

void describe_flow(Summary& summary, const Case& flow_case, const meshes::SurfaceMesh& mesh,
                   const bem::FlowProblem& problem, const bem::Solution& solution) {
  const bem::Loads loads = bem::pressure_loads(problem, solution, flow_case.problem.moment_centre);
  summary.force = loads.force;
  summary.moment = loads.moment;
  summary.patch_forces = forces_per_patch(mesh, problem, solution);
  summary.added_mass = added_mass_velocity(problem, solution);
  const auto [low, high] = std::minmax_element(solution.cp.begin(), solution.cp.end());
  summary.Cp_min = *low;
  summary.Cp_max = *high;
  for (const Vec3d& velocity : solution.velocity)
    summary.U_max = std::max(summary.U_max, norm(velocity));
}

}  // namespace

Summary summarize(const Case& flow_case, const LoadedMesh& loaded, const bem::FlowProblem& problem,
                  const bem::Solution& solution, const bem::Backend& backend) {
  Summary summary;
  summary.case_path = flow_case.path;
  summary.case_sha256 = flow_case.sha256;
  summary.velocity = problem.velocity;
  summary.density = problem.density;
  summary.backend = backend.name();
  summary.device = backend.device();
  summary.peak_device_bytes = backend.peak_device_bytes();
  describe_mesh(summary, loaded);
  describe_solver(summary, flow_case, solution);
  describe_flow(summary, flow_case, loaded.mesh, problem, solution);
  summary.verify = compare_with_exact(flow_case.verify, problem, solution);
  summary.status = bem::to_string(solution.gmres.status);
  if (!solution.converged()) {
    summary.exit_code = 4;
  } else if (summary.verify && !summary.verify->pass()) {
    summary.exit_code = 5;
  }
  return summary;
}

}  // namespace rankine::cases
