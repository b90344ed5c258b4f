// Trailing edges of a body with their wakes and Kutta conditions, for a FlowProblem.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rankine/bem/layers/source_set.hpp"
#include "rankine/bem/lift/body_line.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/bem/lift/wake.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

struct LiftingEdges {
  std::vector<EdgeSegment> segments;
  SourceSet sources;  ///< the body and its wakes; sheet unknown s belongs to segment s
  SparseRows kutta;   ///< bem/lift/kutta.hpp
  BodyLines lines;    ///< of edges that end at a body
  WakeLines wakes;    ///< the lines of the wakes, from all nodes of the edges
  Vec3d direction;    ///< of the wakes far downstream, unit vector
  double extent;      ///< of the body and its images, m

  /// The nodes of a segment in the order of WakeSides.
  std::array<std::int32_t, 2> sides(std::size_t segment) const;
  /// Position of the point of a segment between these nodes, from 0 to 1.
  double share(std::size_t segment) const;
};

/// The trailing edges at which the stream leaves the body, with wakes along `course`. Straight
/// wakes end 30 times the extent of the body and its images downstream: a vortex that closes a wake
/// of span b at the distance L changes velocities at the body by (b/L)^2/(4 pi) of m/b, here 1e-4.
/// Helical wakes end ten rotor radii R downstream: the missing part beyond the distance L would add
/// R^2/(2 L^2), here 0.5 %, to the axial velocity induced at the rotor. Cuts bodies along the lines
/// of edges that end at them. Throws InputError if there is no such sharp edge, or no named one.
LiftingEdges lifting_edges(Panels& body, const RelativeStream& stream, const RelativeStream& course,
                           const EdgeNames& names = {});
/// The same for given segments.
LiftingEdges lifting_edges(Panels& body, std::vector<EdgeSegment> segments,
                           const RelativeStream& course);
/// The same edges with wakes along other lines.
LiftingEdges with_wakes(const Panels& body, LiftingEdges edges, WakeLines lines);
/// In a uniform stream.
inline LiftingEdges lifting_edges(Panels& body, const Vec3d& stream, const Vec3d& direction,
                                  const EdgeNames& names = {}) {
  return lifting_edges(body, RelativeStream(stream), RelativeStream(direction), names);
}
inline LiftingEdges lifting_edges(Panels& body, const Vec3d& stream) {
  return lifting_edges(body, stream, stream);
}

}  // namespace rankine::bem
