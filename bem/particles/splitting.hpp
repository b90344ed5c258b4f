// Splitting of vortex particles that stretching has made long. A particle is a piece of a vortex
// tube, whose circulation kappa does not change in an inviscid fluid, so its length is l = |Gamma|
// / kappa. If it is longer than the cores of the particles of a tube overlap [KG90], two halves
// replace it:
//
//   x  ->  x +- l/4 Gamma / |Gamma| ,     Gamma  ->  Gamma / 2 .
//
// Displacements along Gamma change neither the sum of the strengths nor the linear and the angular
// impulse, 1/2 sum x x Gamma and 1/3 sum x x (x x Gamma).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

/// Largest length of a particle, and largest distance of particles that make a smooth vorticity, in
/// core radii: rings of particles this far apart are 1 % too slow.
inline constexpr double longest_piece = 1.5;

struct SplittingOptions {
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< maximum count of particles
  meshes::Symmetry symmetry{};  ///< particles that cross a plane are replaced by their images
  Vec3d inside{};               ///< a point on the side of the planes where particles are, m
};

/// The result of a step.
struct SplittingRecord {
  std::vector<std::int32_t> split;  ///< particles that were split, ascending, by their numbers
                                    ///< before
  std::size_t left_out = 0;         ///< long particles that were not, as there are too many
};

/// kappa of new particles, m^2/s, which are `lengths` long, m; at most half of the largest length,
/// so that a particle is split when its strength has doubled, or later.
std::vector<double> circulations(std::span<const Vec3d> strengths, std::span<const double> radii,
                                 std::span<const double> lengths);

/// Splits long particles once. The halves take the place of the whole. Backend::split() does the
/// same in the memory of the particles.
SplittingRecord split(VortexParticles& particles, std::vector<double>& circulations,
                      const SplittingOptions& options);

}  // namespace rankine::bem
