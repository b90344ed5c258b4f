// Sources, doublets and vortex segments of a case among its bodies.
#pragma once

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Puts what the case has into `problem`, whose panels are those of `mesh`. Throws InputError, with
/// its place in the case file, for what is not in the fluid: on the surface (within a thousandth of
/// a panel), in a body, outside an interior domain, and for segments that pass through the surface.
void set_onset(const Case& flow_case, const meshes::SurfaceMesh& mesh, bem::FlowProblem& problem);

/// What there is, in the log; warnings of what is closer to the surface than panels resolve, and of
/// segments that end in the fluid.
void describe_onset(const Case& flow_case, const bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
