// Reads particles from a .csv file with a heading or from a .vtp file, the format of results.
// Bodies can also come from .tipsy, a binary format of N-body programs.
#pragma once

#include <filesystem>

#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::cases {

/// From .csv: columns x, y, z, mass and optionally vx, vy, vz (default: at rest). From .vtp: points
/// and the arrays mass and velocity. From .tipsy: gas, dark and star particles. Throws InputError
/// for missing or unknown columns and for masses that are not positive.
bem::Bodies read_bodies(const std::filesystem::path& path);

/// From .csv: columns x, y, z, gx, gy, gz and, if `sigma` is 0, sigma; otherwise `sigma` applies to
/// all. From .vtp: points and the arrays strength and sigma. Throws InputError as above.
bem::VortexParticles read_vortices(const std::filesystem::path& path, double sigma);

}  // namespace rankine::cases
