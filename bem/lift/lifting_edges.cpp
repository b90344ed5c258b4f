#include "rankine/bem/lift/lifting_edges.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/lift/kutta.hpp"
#include "rankine/bem/lift/wake.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {

LiftingEdges lifting_edges(Panels& body, const Vec3d& stream, const Vec3d& along,
                           const EdgeNames& names) {
  std::vector<EdgeSegment> segments = find_trailing_edges(body, stream, names).segments;
  if (segments.empty() && names) {
    throw InputError(
        "the stream leaves none of the edges that are named, or they are blunter than 120 degrees; "
        "rankine check lists them, and --output DIR shows them");
  }
  if (segments.empty()) {
    throw InputError(
        "the stream leaves no sharp edge (sharper than 60 degrees) and no thin blunt one, so that "
        "no wake can start; check the direction of the stream, or solve without wakes");
  }
  return lifting_edges(body, std::move(segments), along);
}

LiftingEdges lifting_edges(Panels& body, std::vector<EdgeSegment> segments, const Vec3d& along) {
  constexpr double wake_length = 30.0;                // extents of the body
  Vec3d least = body.centroid.front(), most = least;  // of the body and its images
  for (int image = 0; image < body.symmetry.images(); ++image) {
    for (const Vec3d& centroid : body.centroid) {
      const Vec3d x = body.symmetry.point(image, centroid);
      for (int axis = 0; axis < 3; ++axis) {
        least[axis] = std::min(least[axis], x[axis]);
        most[axis] = std::max(most[axis], x[axis]);
      }
    }
  }
  const Vec3d direction = along / norm(along);
  const double length = wake_length * norm(most - least);
  BodyLines lines = cut_along_wakes(body, segments, direction);
  SourceSet sources = with_straight_wakes(body, segments, lines, direction, length);
  SparseRows kutta = kutta_rows(body, segments);
  // With constant strengths, panels of equal depth on both sides of the edge have equal errors,
  // which cancel. Linear strengths have no such errors, but at the bend of a swept edge their slopes
  // are wrong: the fit crosses the bend.
  constexpr double equal = 1.05;
  sources.linear = std::any_of(segments.begin(), segments.end(), [&](const EdgeSegment& edge) {
    return depth_ratio(body, edge) > equal;
  });
  return {std::move(segments), std::move(sources), std::move(kutta),
          std::move(lines),    direction,          length};
}

}  // namespace rankine::bem
