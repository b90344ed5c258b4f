// From the conditions of a case, patch by patch, to those of its panels.
#pragma once

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Sets what is known on the panels of `problem`, and how its walls move. Throws InputError for a
/// patch that the mesh lacks or that no boundary names, for files of values that do not fit, and
/// outside for a body whose parts move differently; MeshError for an inside that is not one domain.
void set_conditions(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                    bem::FlowProblem& problem);

/// What is in the fluid and what holds where, in the log; nothing for walls at rest in a stream
/// alone.
void describe_conditions(const Case& flow_case, const bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
