// From the conditions of a case, patch by patch, to those of its panels.
#pragma once

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Sets what is known on the panels of `problem`, and how its walls move. Throws InputError for a
/// patch that the mesh lacks or that no boundary names, for files of values that do not fit, and,
/// in an exterior domain, for a body whose patches move differently. Throws MeshError for an
/// interior that is not one connected domain.
void set_conditions(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                    bem::FlowProblem& problem);

/// Logs the sources in the fluid and the condition of each patch. Logs nothing if there are only
/// walls at rest in a stream.
void describe_conditions(const Case& flow_case, const bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
