#include "cases/solve/set_up.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/input/read_case.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// Every patch needs a boundary condition: its own or that of "*".
void check_coverage(const Case& flow_case, const std::vector<std::string>& patch_names) {
  const auto covers = [&](const std::string& name) {
    return std::any_of(
        flow_case.boundaries.begin(), flow_case.boundaries.end(),
        [&](const BoundaryInput& each) { return each.patch == "*" || each.patch == name; });
  };
  for (const std::string& name : patch_names) {
    if (covers(name)) continue;
    throw InputError(fmt::format(
        "{}: the mesh's patch \"{}\" has no boundary condition; add [[boundary]] patch = "
        "\"{}\", or one with patch = \"*\"",
        flow_case.path.string(), name, name));
  }
}

}  // namespace

bem::FlowProblem make_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh) {
  check_patches(flow_case, mesh.patch_names);
  check_coverage(flow_case, mesh.patch_names);
  bem::FlowProblem problem;
  problem.panels = bem::make_panels(mesh, flow_case.solver.panels);
  problem.stream = flow_case.problem.velocity;
  problem.density = flow_case.problem.density;
  return problem;
}

bem::FlowOptions make_options(const Case& flow_case, int threads, OnIteration on_iteration) {
  bem::FlowOptions options;
  options.formulation = flow_case.solver.formulation;
  options.gmres.tolerance = flow_case.solver.tolerance;
  options.gmres.max_iterations = flow_case.solver.max_iterations;
  options.gmres.restart = flow_case.solver.restart;
  options.relaxation = flow_case.solver.relaxation;
  options.mixed_precision = flow_case.solver.precision == SolverPrecision::mixed;
  options.gmres.callback = std::move(on_iteration);
  options.fmm.method = flow_case.fmm.method;
  options.fmm.precision = flow_case.fmm.precision;
  options.fmm.tolerance = flow_case.fmm.tolerance;
  options.fmm.order = flow_case.fmm.order;
  options.fmm.leaf_capacity = flow_case.fmm.leaf_capacity;
  options.fmm.threads = threads;
  return options;
}

}  // namespace rankine::cases
