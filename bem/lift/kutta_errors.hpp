// The error of the Kutta condition (bem/lift/kutta.hpp). The condition is an equation between the
// potentials of the panels at the trailing edge. If the errors of these potentials differ on the
// two sides, some flow goes around the edge. At the distance d from the edge, with the exterior
// angle beta and a = pi/beta, the velocity normal to the edge is
//
//   u = +-(k d^(a-1) + c d^(3a-1)) + e d^(2a-1) + f d^(4a-1) ,     + on the upper side,
//
// fitted to the velocities on the panels in front of each segment, to a tenth of the chord. There
// the singular part of the potential is -+k d^a/a. With D the depth of the panels at the edge, the
// error of the segment's row is
//
//   r = 2 k D^a/a .
//
// The solution of the equations without onset flow, with r in these rows, has the same flow around
// the edges. Its circulations are the errors of the circulations. They include the errors that
// segments and wings cause on each other. A test uses exact velocities of flows with too little or
// too much circulation. The errors found are 22 % too small at an edge of 16 degrees, and 30 % at
// one of 4 degrees.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

/// r of every segment, m^2/s; `velocity` at the points of the panels of the body.
std::vector<double> kutta_errors(const Panels& body, const LiftingEdges& edges,
                                 std::span<const Vec3d> velocity);

}  // namespace rankine::bem
