// Particles from a file: .csv with a heading, or .vtp, as results are. Bodies also from .tipsy, the
// binary files of N-body programs.
#pragma once

#include <filesystem>

#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::cases {

/// Columns x, y, z, mass and, if any, vx, vy, vz (at rest where there are none); of a .vtp the
/// points and the arrays mass and velocity; of a .tipsy gas, dark and star particles. Throws
/// InputError for a column that is missing or not known, and for masses that are not above zero.
bem::Bodies read_bodies(const std::filesystem::path& path);

/// Columns x, y, z, gx, gy, gz and, if `sigma` is 0, sigma (otherwise all have `sigma`); of a .vtp
/// the points and the arrays strength and sigma. Throws InputError likewise.
bem::VortexParticles read_vortices(const std::filesystem::path& path, double sigma);

}  // namespace rankine::cases
