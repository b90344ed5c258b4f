#include "cases/solve/summarize.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/solve/case_bodies.hpp"
#include "cases/solve/surface.hpp"
#include "cases/verification/compare.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/fmm/core/parallel.hpp"

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
  summary.accuracy = solution.accuracy;
  summary.near_entries = static_cast<std::int64_t>(solution.near_entries);
  summary.formulation = bem::to_string(flow_case.solver.formulation);
  summary.preconditioner = word(preconditioner_words, solution.preconditioner);
  summary.panel_kind = word(panel_words, flow_case.solver.panels);
  summary.iterations = solution.gmres.iterations;
  summary.restart = flow_case.solver.restart;
  summary.tolerance = flow_case.solver.tolerance;
  summary.residual = solution.gmres.residual;
  summary.true_residual = solution.gmres.true_residual;
}

void describe_loads(Summary& summary, const Case& flow_case, const LoadedMesh& loaded,
                    const bem::FlowProblem& problem, const bem::SurfaceFits& fits) {
  const meshes::SurfaceMesh& mesh = loaded.mesh;
  const std::vector<bem::Loads> by_patch = bem::pressure_loads_by_patch(
      problem, fits, mesh.patch_names.size(), flow_case.problem.moment_centre);
  for (std::size_t k = 0; k < by_patch.size(); ++k) {
    summary.patch_forces.emplace_back(mesh.patch_names[k], by_patch[k].force);
    summary.force += by_patch[k].force;
    summary.moment += by_patch[k].moment;
  }
  const CaseBodies bodies =
      find_case_bodies(flow_case, mesh, loaded.report.connections->bodies, problem.panels);
  const std::vector<bem::Loads> by_body =
      bem::pressure_loads_by_body(fits, bodies.rigid.body, bodies.rigid.centre);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    summary.bodies.push_back({bodies.name[b], bodies.volume[b], bodies.rigid.centre[b],
                              by_body[b].force, by_body[b].moment});
  }
}

/// The least and the largest of values, of which there are some.
std::pair<double, double> extremes(const std::vector<double>& values) {
  const auto widen = [](std::pair<double, double>& all, const std::pair<double, double>& part) {
    all = {std::min(all.first, part.first), std::max(all.second, part.second)};
  };
  return parallel_reduce(
      values.size(), std::pair(values.front(), values.front()),
      [&](std::size_t i, std::pair<double, double>& all) {
        widen(all, {values[i], values[i]});
      },
      widen);
}

void describe_flow(Summary& summary, const Case& flow_case, const LoadedMesh& loaded,
                   const bem::FlowProblem& problem, const bem::Solution& solution,
                   const bem::SurfaceFits& fits) {
  const meshes::SurfaceMesh& mesh = loaded.mesh;
  summary.has_pressure = problem.has_pressure;
  if (problem.has_pressure) describe_loads(summary, flow_case, loaded, problem, fits);
  summary.added_mass = bem::added_mass_velocity(problem, fits);
  const auto cp = pressure_coefficient(problem, solution.pressure, solution.stream);
  summary.has_Cp = cp.has_value();
  if (cp) std::tie(summary.Cp_min, summary.Cp_max) = extremes(*cp);
  std::tie(summary.phi_min, summary.phi_max) =
      extremes(bem::disturbance_potential(problem, solution));
  const std::vector<double> flux = bem::flux_by_patch(problem, solution, mesh.patch_names.size());
  for (std::size_t k = 0; k < flux.size(); ++k)
    summary.patch_fluxes.emplace_back(mesh.patch_names[k], flux[k]);
  summary.removed_flux = solution.removed_flux;
  const auto largest = [](double& all, double each) { all = std::max(all, each); };
  summary.U_max = parallel_reduce(
      solution.velocity.size(), summary.U_max,
      [&](std::size_t i, double& all) { largest(all, norm(solution.velocity[i])); }, largest);
}

}  // namespace

Summary summarize(const Case& flow_case, const LoadedMesh& loaded, const bem::FlowProblem& problem,
                  const bem::Solution& solution, const bem::SurfaceFits& fits,
                  const bem::Backend& backend) {
  Summary summary;
  summary.case_path = flow_case.path;
  summary.case_sha256 = flow_case.sha256;
  summary.velocity = solution.stream;
  summary.onset = {problem.onset.sources.size(), problem.onset.doublets.size(),
                   problem.onset.vortices.size()};
  summary.density = problem.density;
  summary.symmetry = problem.panels.symmetry;
  summary.kind = word(kind_words, flow_case.problem.kind);
  summary.domain = word(domain_words, problem.domain);
  summary.backend = backend.name();
  summary.device = backend.device();
  summary.peak_device_bytes = backend.peak_device_bytes();
  describe_mesh(summary, loaded);
  describe_solver(summary, flow_case, solution);
  summary.curves = problem.panels.curves;
  describe_flow(summary, flow_case, loaded, problem, solution, fits);
  summary.verify = compare_with_exact(flow_case.verify, problem, solution, fits);
  summary.status = bem::to_string(solution.gmres.status);
  if (!solution.converged()) {
    summary.exit_code = exit_not_converged;
  } else if (summary.verify && !summary.verify->pass()) {
    summary.exit_code = exit_limit_exceeded;
  }
  return summary;
}

}  // namespace rankine::cases
