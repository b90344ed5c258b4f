// Vorticity that a wall sheds. A slip u along the wall, with fluid at rest inside, is the vortex
// sheet gamma = n x u on the wall [S92]. If the sheet is released as particles at a small distance
// from the panels, the remaining flow has no slip. That distance stands for the diffusion within a
// step [PW00].
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

struct SheddingOptions {
  double distance = 0.0;     ///< of new particles from the wall, m
  double core_radius = 0.0;  ///< of new particles, m
};

struct ShedVortices {
  VortexParticles particles;  ///< one for every panel
  /// Error of the sum of strengths, which was subtracted from all, relative to the sum of their
  /// sizes.
  double correction = 0.0;
};

/// A particle over the collocation point of every panel, with the strength gamma dA, from the
/// `slip` at these points, m/s. On a closed wall the strengths add up to zero except for errors of
/// the panels and of cores that extend into the wall. The difference to `total`, m^3/s, is
/// distributed by area. Throws InputError for a distance or a core that is not positive.
ShedVortices shed(const Panels& panels, std::span<const Vec3d> slip, const SheddingOptions& options,
                  const Vec3d& total = {});

/// Moves particles that are closer to the panels than `distance`, m, or inside by less than four
/// times that, to that distance over the closest point. Returns their number.
std::size_t lift(const Panels& panels, double distance, std::vector<Vec3d>& positions);

}  // namespace rankine::bem
