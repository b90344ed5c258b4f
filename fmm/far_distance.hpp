// The distance beyond which expansions, those of 1/r, may be used for a kernel that is softened or
// regularised at short distances. If boxes are at least that long, closer pairs are in the near
// field, since far-field pairs are at least one edge of the smaller box apart
// (fmm/interaction_lists.hpp).
//
//   plummer   1/r - 1/sqrt(r^2 + eps^2) is about eps^2/(2 r^3). For derivative D of 1/r the
//             relative error is (D + 1)(D + 2)/4 eps^2/r^2. The error of the sum over all farther
//             points is smaller. It is estimated from a sample of targets and sources, for random
//             and for some structured strengths, relative to the sizes named in fmm/operator.hpp.
//   vortices  1 - q falls faster than any power. The distance is the multiple of the largest core
//             radius at which a single pair meets its share of the tolerance, for velocities and,
//             if requested, for their gradients.
#pragma once

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// The fraction of the tolerance for the error of all pairs beyond this distance. The rest is for
/// the error of expansions.
inline constexpr double far_share = 0.25;

/// The smallest distance of far-field pairs in metres; 0 if any distance is allowed. The result
/// does not depend on the number of threads.
double far_distance(const Points& points, const Options& options);

/// The distance at which the error of a single pair equals its share of the tolerance; not less
/// than far_distance. In metres; for vortices in core radii.
double far_distance_of_pair(const Options& options);

}  // namespace rankine::fmm
