// Point distributions on which the operator's accuracy is promised,
// for tests, benchmarks and verification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::fmm {

/// The names make_points knows: cube, sphere, plane, line, clusters,
/// two-bodies, graded, coincident.
const std::vector<std::string_view>& distribution_names();

/// `n` points, the same for the same seed on every machine.
///   cube        uniform in the unit cube
///   sphere      uniform on the unit sphere's surface
///   plane       uniform in a tilted square
///   line        uniform on a tilted segment
///   clusters    tight Gaussian clusters of widths 1e-1 ... 1e-4 in the unit cube
///   two-bodies  two spheres' surfaces, a hundred radii apart
///   graded      a sphere's surface with density growing by 1e4 towards one pole
///   coincident  a few points, each many times
/// Throws InputError for a name that is not known.
std::vector<Vec3d> make_points(std::string_view name, std::size_t n, std::uint64_t seed);

/// `n` strengths uniform in (-1, 1).
std::vector<double> make_strengths(std::size_t n, std::uint64_t seed);

}  // namespace rankine::fmm
