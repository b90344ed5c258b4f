// The undisturbed stream of [problem]: its velocity, or angles and speed.
#pragma once

#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

/// The stream with the speed `speed`, m/s, and the angles of attack and sideslip, degrees: x is aft,
/// y to starboard and z up; with a positive sideslip it comes from +y.
Vec3d stream_at(double speed, double alpha, double beta);

/// The rows of [problem] that give the stream.
void stream_keys(Keys& keys, ProblemInput& problem);

/// The stream, whose default is 1 m/s along x if nothing else moves the fluid. Throws InputError if
/// nothing does.
void complete_stream(const Section& section, const std::vector<BoundaryInput>& boundaries,
                     ProblemInput& problem);

}  // namespace rankine::cases
