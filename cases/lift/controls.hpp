// Control surfaces by transpiration: the wall stays in place, and a normal velocity represents its
// deflection. A rotation by the small angle d about the unit vector h along the hinge turns the
// normal n into n + d h x n. In the stream U the condition becomes
//
//   u.n  =  -d U.(h x n)  =  d (h x U).n :
//
// the panels of the surface see the stream rotated by -d. The potential is linear in d.
#pragma once

#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// For each control surface, the normal velocity of every panel per radian of deflection in the
/// stream of the problem, m/s. Throws InputError for a control surface without panels.
std::vector<std::vector<double>> control_velocities(const Case& flow_case,
                                                    const meshes::SurfaceMesh& mesh,
                                                    const bem::FlowProblem& problem);

/// Applies the deflections of the case to `problem`. Warns of angles that are not small.
void deflect_controls(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                      bem::FlowProblem& problem, Log& log);

}  // namespace rankine::cases
