// Control surfaces by transpiration: the wall is not moved, but fluid flows through it as past a
// wall that is turned. About the unit vector h along the hinge, by the small angle d, the normal n
// becomes n + d h x n, and in the stream U
//
//   u.n  =  -d U.(h x n)  =  d (h x U).n :
//
// on its panels the surface sees the stream turned the other way. The potential is linear in d.
#pragma once

#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// The normal velocity of every panel per radian of each control surface, m/s, in the stream of the
/// problem. Throws InputError for a control surface without panels.
std::vector<std::vector<double>> control_velocities(const Case& flow_case,
                                                    const meshes::SurfaceMesh& mesh,
                                                    const bem::FlowProblem& problem);

/// Deflects the control surfaces as the case asks. Warns of angles that are not small.
void deflect_controls(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                      bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
