// Point distributions for which the accuracy of the operator is promised; for tests, benchmarks and
// verification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::fmm {

/// The names that make_points accepts.
const std::vector<std::string_view>& distribution_names();

/// `n` points; a seed gives the same points on every machine.
///   cube        uniform in the unit cube
///   sphere      uniform on the unit sphere's surface
///   plane       uniform in a tilted square
///   line        uniform on a tilted segment
///   clusters    tight Gaussian clusters of widths 1e-1 ... 1e-4 in the unit cube
///   two-bodies  two spheres' surfaces, a hundred radii apart
///   graded      a sphere's surface with density growing by 1e4 towards one pole
///   coincident  a few points, each many times
///   lattice     a cubic lattice in the unit cube, its step a power of two: points on box faces
///   helix       uniform in the angle on six turns of a helix
///   plummer     Plummer's sphere: half of the points within 1.3 of its centre, some 30 away
///   cantor      Cantor dust in the unit cube
///   slab        uniform in 1 x 1 x 1e-6
///   needle      uniform in 1 x 1e-3 x 1e-3
///   corners     within 1e-4 of the corners of the 8 x 8 x 8 boxes of the unit cube
///   offset      uniform in a unit cube whose distance from the origin is 1e6 along each axis
///   ray         on a ray from the origin, distances log-uniform from 1e-8 to 1e8
///   ring        in balls of radius 0.1 around points of a circle of radius 1: a vortex ring
/// Throws InputError for an unknown name.
std::vector<Vec3d> make_points(std::string_view name, std::size_t n, std::uint64_t seed);

/// `n` strengths uniform in (-1, 1).
std::vector<double> make_strengths(std::size_t n, std::uint64_t seed);

}  // namespace rankine::fmm
