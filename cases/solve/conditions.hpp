// Converts the boundary conditions of patches to conditions of panels.
#pragma once

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Sets the known values on the panels of `problem` and the motion of its walls. Throws InputError
/// for a patch that the mesh does not have or that has no condition, for value files of the wrong
/// length, and, in an exterior domain, for a body whose patches move differently. Throws MeshError
/// for an interior that is not one connected domain.
void set_conditions(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                    bem::FlowProblem& problem);

/// Logs the singularities in the fluid and the condition of each patch, unless there are only walls
/// at rest in a stream.
void describe_conditions(const Case& flow_case, const bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
