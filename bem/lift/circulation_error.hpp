// The error of the Kutta condition (bem/lift/kutta.hpp). It is an equation between potentials at
// the panels on the trailing edge, and errors of these that differ on the two sides leave a flow
// around the edge. At the distance d from it, with the exterior angle beta and a = pi/beta, the
// velocity normal to the edge is
//
//   u = +-(k d^(a-1) + c d^(3a-1)) + e d^(2a-1) + f d^(4a-1) ,     + on the upper side,
//
// fitted to the velocities on the panels in front of each segment, to a tenth of the chord. The
// singular part of the potential is -+k d^a/a there. With D the depth of the panels at the edge,
// the row of the segment errs by
//
//   r = 2 k D^a/a .
//
// The solution of the equations without onset flow, with r in these rows, has the same flow around
// the edges. Its circulations are the errors of the circulations, those that segments and wings
// cause on each other included. With exact velocities past sections with edges of 16 and 4 degrees,
// and too little or too much circulation, they are 22 and 30 % too small.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

/// r of every segment, m^2/s; `velocity` at the points of the panels of the body.
std::vector<double> kutta_errors(const Panels& body, const LiftingEdges& edges,
                                 std::span<const Vec3d> velocity);

}  // namespace rankine::bem
