#include "cases/verbs/given_case.hpp"

#include "cases/input/read_case.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/probes.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

Case given_case(const CaseArguments& arguments) {
  Case flow_case = read_case(arguments.file, arguments.overrides);
  if (arguments.output) flow_case.output.directory = *arguments.output;
  if (arguments.backend) flow_case.solver.backend = *arguments.backend;
  apply(arguments.repair, flow_case.mesh);
  read_point_files(flow_case.output);
  return flow_case;
}

ParticleCase given_particles(const CaseArguments& arguments) {
  if (arguments.repair.repairs || arguments.repair.merge_tolerance)
    throw InputError("--repair and --merge-tolerance are of meshes, and particles have none");
  ParticleCase given = read_particle_case(arguments.file, arguments.overrides);
  if (arguments.output) given.output.directory = *arguments.output;
  if (arguments.backend) given.backend = *arguments.backend;
  read_point_files(given.output.probes);
  return given;
}

}  // namespace rankine::cases
