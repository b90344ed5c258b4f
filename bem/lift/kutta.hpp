// The Kutta condition at sharp trailing edges: velocities are finite there. Around an edge with the
// exterior angle beta = 2 pi - (angle of the body), at the distance d, the total potential is
//
//   Phi = mean +- jump/2 +- k d^(pi/beta) + e d^(2 pi/beta) ,
//
// + on the upper side; mean and jump are quadratic along the edge. At a bend of the edge, d is the
// distance from the bent edge for the singular term k, and from the straight line of the segment
// for the mean, whose gradient is continuous there. The condition is k = 0. The coefficients are
// fitted, by least squares, to the values on the panels around a segment on both sides. With D the
// depth of the panels at the edge (their length normal to it), the row of the segment is
//
//   m  =  jump + 2 k D^(pi/beta) ,
//
// the difference of the potentials at the same depth D on both sides. In the limit of small panels
// m = jump for every circulation, so the row means k = 0. With one panel on each side it is the
// condition of [MK74] for the total potential.
//
// Limitation: triangles that are long along the edge. For wings with 20 or 40 panels around the
// section in cosine spacing, divided into triangles 4 to 40 times longer than deep, the lift has
// errors of up to 8 %.
#pragma once

#include <span>

#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// Rows that give the circulation at `points`, one per segment, from the total potential: segments
/// x (panels + segments). Each row sums to zero. Columns of images have the signs of the symmetry
/// planes. Throws InputError if the depths of the panels at an edge differ by more than a factor of
/// 4, or if a row amplifies errors of the potential more than fourfold.
SparseRows kutta_rows(const Panels& body, std::span<const EdgeSegment> edges,
                      std::span<const Vec3d> points);

}  // namespace rankine::bem
