// The case of particles that a verb was asked for: as its file says, and its arguments in the place of keys.
#pragma once

#include "cases/particles/read_particle_case.hpp"
#include "cases/solve/probes.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

/// `arguments`: of `solve` or `check`. Throws InputError as read_particle_case() does, and for repairs of a mesh.
template <class Arguments>
ParticleCase given_particles(const CaseFile& file, const Arguments& arguments) {
  if (arguments.repair.repairs || arguments.repair.merge_tolerance)
    throw InputError("--repair and --merge-tolerance are of meshes, and particles have none");
  ParticleCase given = read_particle_case(file, arguments.overrides);
  if (arguments.output) given.output.directory = *arguments.output;
  if (arguments.backend) given.backend = *arguments.backend;
  read_point_files(given.output.probes);
  return given;
}

}  // namespace rankine::cases
