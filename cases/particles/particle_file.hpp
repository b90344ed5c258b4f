// Particles from a file: .csv with a heading, or .vtp, as results are.
#pragma once

#include <filesystem>

#include "rankine/bem/particles/bodies.hpp"

namespace rankine::cases {

/// Columns x, y, z, mass and, if any, vx, vy, vz (at rest where there are none); of a .vtp the points and
/// the arrays mass and velocity. Throws InputError for a column that is missing or not known, and for
/// masses that are not above zero.
bem::Bodies read_bodies(const std::filesystem::path& path);

}  // namespace rankine::cases
