// An estimate of the error of the circulation. The Kutta condition is an equation between
// potentials at the panels on the trailing edge, and errors of these that differ on the two sides
// leave a flow around the edge. At the distance d from it, with the exterior angle beta and a =
// pi/beta, the velocity normal to the edge is
//
//   u = +-(k d^(a-1) + c d^(3a-1)) + e d^(2a-1) + f d^(4a-1) ,     + on the upper side,
//
// fitted to the velocities on the panels in front of each segment, to a tenth of the chord C. A
// plate of this chord with the circulation delta and no other flow has u = +-delta/(2 pi sqrt(C d))
// there. The trailing vortices of delta turn the flow at the wing by half of what they induce in
// the Trefftz plane, w, and a plate has the circulation pi C w/2 because of it. So
//
//   delta - pi C (w.n)/2 = 2 pi sqrt(C d) k d^(a-1) ,   d = C/100 .
//
// For other bodies and sections that are not thin this is approximate: with exact velocities past
// sections of 12 % thickness the estimate is 15 % too small. At the edge of a wing above its flap,
// where delta causes more flow around the edge than on a plate alone, it is up to three times too
// large.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

/// delta of every segment, m^2/s, positive where there is too much; `velocity` at the points of the
/// panels of the body.
std::vector<double> circulation_error(const Panels& body, const LiftingEdges& edges,
                                      std::span<const Vec3d> velocity);

}  // namespace rankine::bem
