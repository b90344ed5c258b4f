#include "cases/solve/solved_case.hpp"

#include "cases/solve/case_bodies.hpp"
#include "rankine/bem/flow/forces.hpp"

namespace rankine::cases {

SurfaceLoads find_loads(const Case& flow_case, const LoadedMesh& loaded,
                        const bem::FlowProblem& problem, const bem::SurfaceFits& fits) {
  SurfaceLoads loads;
  loads.added_mass = bem::added_mass_velocity(problem, fits);
  if (!problem.has_pressure) return loads;
  const meshes::SurfaceMesh& mesh = loaded.mesh;
  const std::vector<bem::Loads> by_patch = bem::pressure_loads_by_patch(
      problem, fits, mesh.patch_names.size(), flow_case.problem.moment_centre);
  for (std::size_t k = 0; k < by_patch.size(); ++k) {
    loads.patches.emplace_back(mesh.patch_names[k], by_patch[k]);
    loads.force += by_patch[k].force;
    loads.moment += by_patch[k].moment;
  }
  const CaseBodies bodies =
      find_case_bodies(flow_case, mesh, loaded.report.connections->bodies, problem.panels);
  const std::vector<bem::Loads> by_body =
      bem::pressure_loads_by_body(fits, bodies.rigid.body, bodies.rigid.centre);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    loads.bodies.push_back({bodies.name[b], bodies.volume[b], bodies.rigid.centre[b],
                            by_body[b].force, by_body[b].moment});
  }
  return loads;
}

}  // namespace rankine::cases
