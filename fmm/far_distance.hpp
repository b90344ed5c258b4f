// How far apart points must be for expansions, which are those of 1/r, to stand for a kernel that is
// softened or regularised near by. Boxes as long as that keep nearer pairs in the near field: what
// expansions serve is at least one edge of the smaller box apart (fmm/interaction_lists.hpp).
//
//   plummer   1/r - 1/sqrt(r^2 + eps^2) is about eps^2/(2 r^3), relative to derivative D of 1/r
//             (D + 1)(D + 2)/4 eps^2/r^2. Summed over all that is farther, that is less than what a single
//             pair errs by: found from a sample of targets and sources, for random strengths and for
//             some structured ones, in the sense of the promise in fmm/operator.hpp.
//   vortices  1 - q falls faster than any power: as many of the largest core radii as make it, and what it
//             does to the gradient of the velocity, less than the share of the tolerance for a single pair.
#pragma once

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Of the tolerance, what pairs at this distance and beyond err by together; the rest is the expansions'.
inline constexpr double far_share = 0.25;

/// The least distance in metres that expansions may serve; 0 where they may serve any. The same for
/// the same points and options, on any number of threads.
double far_distance(const Points& points, const Options& options);

/// What one pair at this distance keeps by itself, whatever others do: at least far_distance. In metres, of
/// vortices in core radii.
double far_distance_of_pair(const Options& options);

}  // namespace rankine::fmm
