// Vorticity that a wall sheds: what makes a flow slip along it is the vortex sheet gamma = n x u on the wall [S92],
// u the slip, with the flow outside and rest within. Released as particles at a small distance from the panels, it
// leaves a flow that does not slip; all of what diffusion would do within a step is that distance [PW00].
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

struct SheddingOptions {
  double distance = 0.0;     ///< of new particles from the wall, m
  double core_radius = 0.0;  ///< theirs, m
};

struct ShedVortices {
  VortexParticles particles;  ///< one of every panel
  /// What their sum was off by and was taken from all, over the sum of their sizes.
  double correction = 0.0;
};

/// A particle over the collocation point of every panel, with the strength gamma dA, from the `slip` at these
/// points, m/s. Over a closed wall they add up to nothing, but for errors of panels and of cores that reach into it:
/// what is missing to `total`, m^3/s, is shared among all by their areas. Throws InputError for a distance or a core
/// that is not positive.
ShedVortices shed(const Panels& panels, std::span<const Vec3d> slip, const SheddingOptions& options,
                  const Vec3d& total = {});

/// Puts particles that are closer to the panels than `distance`, m, or inside by less than four times that, to that
/// distance over the closest point. Returns how many.
std::size_t lift(const Panels& panels, double distance, std::vector<Vec3d>& positions);

}  // namespace rankine::bem
