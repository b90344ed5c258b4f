// The Kutta condition at sharp trailing edges: velocities are finite there. Around an edge with the
// exterior angle beta = 2 pi - (angle of the body), at the distance d, the total potential is
//
//   Phi = mean +- jump/2 +- k d^(pi/beta) + e d^(2 pi/beta) ,
//
// + on the upper side; mean and jump are quadratic along the edge. Where the edge bends, d is the
// distance from the bent edge for the singular term k, and from the line of the segment for the
// mean, whose gradient does not bend. The condition is k = 0. These coefficients are fitted, by
// least squares, to the values on the panels around a segment on both sides. With D the depth of
// the panels at the edge, the row of the segment is
//
//   m  =  jump + 2 k D^(pi/beta) ,
//
// the difference of the potentials at the same depth D on both sides. In the continuum m = jump for
// every circulation, so that the row is k = 0. With one panel a side it is the condition of [MK74],
// written for the total potential.
//
// Limits: triangles that are long along the edge. Wings of 20 or 40 panels around, cosine spacing,
// cut into triangles that are 4 to 40 times longer than deep, err by up to 8 % in lift.
#pragma once

#include <span>

#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Rows of the total potential, segments x (panels + segments), of the circulation at `points`, one
/// per segment. Each row sums to zero. Columns of images have the signs of the symmetry planes.
/// Throws InputError if the depths of the panels at an edge differ by more than a factor of 4, or
/// if a row amplifies errors of the potential more than fourfold.
SparseRows kutta_rows(const Panels& body, std::span<const EdgeSegment> edges,
                      std::span<const Vec3d> points);

}  // namespace rankine::bem
