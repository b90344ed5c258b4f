// Sources, doublets and vortex segments of a case, checked against its bodies.
#pragma once

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Sets the singularities of the case in `problem`, whose panels are those of `mesh`. Throws
/// InputError, with the position in the case file, for singularities outside the fluid: on the
/// surface (within a thousandth of a panel), in a body or outside an interior domain; and for
/// segments that cross the surface.
void set_onset(const Case& flow_case, const meshes::SurfaceMesh& mesh, bem::FlowProblem& problem);

/// Logs the singularities. Warns of those too close to the surface for the panel size, and of
/// segments that end in the fluid.
void describe_onset(const Case& flow_case, const bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
