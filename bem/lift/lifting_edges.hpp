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
  /// Where its point is between these, from 0 to 1.
  double share(std::size_t segment) const;
};

/// The trailing edges that the stream leaves, with wakes along `course`. Straight ones end 30
/// times the extent of the body and its images downstream. A vortex that closes a wake of the span
/// b at the distance L changes velocities at the body by (b/L)^2/(4 pi) of m/b, here 1e-4. Helical
/// ones end ten radii R of the rotor downstream: what lies behind the distance L there adds R^2/(2
/// L^2), here 0.5 %, of the axial velocity that the wake induces at the rotor. Throws InputError if
/// the stream leaves no sharp edge, or none that is named. Cuts the body along the lines of edges
/// that end at a body.
LiftingEdges lifting_edges(Panels& body, const RelativeStream& stream, const RelativeStream& course,
                           const EdgeNames& names = {});
/// The same for segments that are known.
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
