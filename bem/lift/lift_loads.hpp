// Loads of a lifting body from the circulation m on its trailing edges. Far downstream the trailing
// vortices lie on the trace of the wake in a plane across the stream (Trefftz plane). With dl along
// the trace, n its normal, dl x n along the stream, and w the velocity of the vortices in the
// plane, [KP01 sec. 8.2.5]
//
//   F = rho U x int m dl ,   D_i = -rho/2 int m w.n dl .
//
// The trace is segments with constant m, whose ends are point vortices: an error of second order.
// Wakes that roll up keep the energy of their vortices, so that D_i is that of the trace at the
// edge; F is that of the trace far downstream.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

struct TrefftzLoads {
  Vec3d force{};              ///< across the stream, N
  double induced_drag = 0.0;  ///< N
};

/// The trace of the wakes.
class TrefftzPlane {
 public:
  /// A piece of it. The vortex along the wake at `to` has the strength m, that at `from` -m.
  struct Trace {
    Vec3d from, to, point, normal;
    std::size_t segment;  ///< of the trailing edges
  };

  TrefftzPlane(const Panels& body, const LiftingEdges& edges);

  /// One per segment, in their order; then those between a body and wakes that continued along it.
  const std::vector<Trace>& traces() const { return traces_; }
  /// w.n at the point of one piece, of another one with m = 1 and its images, 1/m.
  double normal_velocity(const Trace& at, const Trace& of) const;

 private:
  meshes::Symmetry symmetry_;
  Vec3d direction_;
  std::vector<Trace> traces_;
};

/// `circulation`: m of the segments, m^2/s. Images in symmetry planes act on the modelled part,
/// whose loads these are.
TrefftzLoads trefftz_loads(const Panels& body, const LiftingEdges& edges,
                           std::span<const double> circulation, const Vec3d& stream,
                           double density);

}  // namespace rankine::bem
