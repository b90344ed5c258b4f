// Loads of a lifting body from the circulation m on its trailing edges. Far downstream the trailing
// vortices lie on the trace of the wake in a plane across the stream (Trefftz plane). With dl along
// the trace, n its normal, dl x n along the stream, and w the velocity of the vortices in the
// plane, [KP01 sec. 8.2.5]
//
//   F = rho U x int m dl ,   D_i = -rho/2 int m w.n dl .
//
// The trace consists of segments with constant m, with point vortices at their ends, which is a
// second-order approximation. Wakes that roll up conserve the energy of their vortices, so D_i is
// computed on the trace at the edge; F is computed on the trace far downstream.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

struct TrefftzLoads {
  Vec3d force{};              ///< across the stream, N
  double induced_drag = 0.0;  ///< N
};

/// `circulation`: m of the segments, m^2/s. The loads are those of the modelled part, including the
/// effect of images in symmetry planes. The number of operations of D_i is the square of that of
/// segments.
Vec3d trefftz_force(const LiftingEdges& edges, std::span<const double> circulation,
                    const Vec3d& stream, double density);
double induced_drag(const Panels& body, const LiftingEdges& edges,
                    std::span<const double> circulation, double density);
TrefftzLoads trefftz_loads(const Panels& body, const LiftingEdges& edges,
                           std::span<const double> circulation, const Vec3d& stream,
                           double density);

}  // namespace rankine::bem
