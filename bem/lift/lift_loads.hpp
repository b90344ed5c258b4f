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

#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

struct TrefftzLoads {
  Vec3d force{};              ///< across the stream, N
  double induced_drag = 0.0;  ///< N
};

/// The trace of the wakes in the Trefftz plane.
class TrefftzPlane {
 public:
  /// A segment of the trace. The trailing vortex at `to` has the strength m, that at `from` -m.
  struct Trace {
    Vec3d from, to, point, normal;
    std::size_t segment;  ///< its index
  };

  TrefftzPlane(const Panels& body, const LiftingEdges& edges);

  /// One per segment, in their order; then those between a body and wakes that continue along it.
  const std::vector<Trace>& traces() const { return traces_; }
  /// w.n at the point of `at`, induced by `of` with m = 1 and its images, 1/m.
  double normal_velocity(const Trace& at, const Trace& of) const;

 private:
  meshes::Symmetry symmetry_;
  Vec3d direction_;
  std::vector<Trace> traces_;
};

/// `circulation`: m of the segments, m^2/s. The loads are those of the modelled part, including the
/// effect of images in symmetry planes.
TrefftzLoads trefftz_loads(const Panels& body, const LiftingEdges& edges,
                           std::span<const double> circulation, const Vec3d& stream,
                           double density);

}  // namespace rankine::bem
