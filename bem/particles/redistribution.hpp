// Diffusion of vortex particles by redistribution of their strengths [SD96]. In a step each
// particle gives fractions of its strength to particles nearby, itself among them, so that the
// moments of its vorticity grow as those of a diffusing vortex do:
//
//   sum f = 1 ,   sum f r = 0 ,   sum f r r^T = 2 nu h I ,   f >= 0     (moment_fractions.hpp)
//
// Strengths keep their sum, their linear impulse and, if they add up to zero, their angular
// impulse; no strength of a new sign appears. Errors are of second order in the spacing of the
// particles, for any arrangement of them. Where there are too few to have such fractions, particles
// without strength are added on the points of a lattice. So a cloud grows as it diffuses, and gaps
// that convection opens are filled.
//
// Particles that are crowded give all they have to others and are removed, with the same moments,
// if such fractions exist. Weak particles at the border stay as they are.
//
// At a wall the diffusing vortex is reflected: a particle at the distance d has the moments of
// |d + s X| for a normal X with s^2 = 2 nu h, the mean shift m along the normal and s^2 - 2 d m.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

/// The part of the wall that is closest to a point.
struct NearWall {
  double distance = std::numeric_limits<double>::infinity();  ///< m, not above 0 behind it
  Vec3d normal{};                                             ///< into the fluid
};
/// For many points at once.
using WallSearch = std::function<std::vector<NearWall>(std::span<const Vec3d> points)>;

struct RedistributionOptions {
  double viscosity = 0.0;    ///< kinematic, m^2/s
  double spacing = 0.0;      ///< of particles, m
  double core_radius = 0.0;  ///< of particles that are added, m
  /// C of an eddy viscosity (C spacing)^2 |omega|, of the mean vorticity in the neighbourhood, for
  /// flows with scales below the spacing [MKM98]. It counts up to 2 nu h = spacing^2 / 4.
  double smagorinsky = 0.0;
  /// Particles weaker than this part of the strongest do not diffuse: they are the border.
  double weak = 1e-4;
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< particles
  WallSearch wall{};  ///< empty: none. Distances at which particles may be count from 0.
};

/// What a step did.
struct RedistributionRecord {
  std::size_t added = 0, removed = 0;
  std::size_t left_out = 0;  ///< that should have diffused, but have no fractions
  int substeps = 0;
};

/// Diffuses `particles` for `step` seconds, in as many parts as keep 2 nu h below spacing^2 / 4.
/// Particles from index `sheet` on are those of a vortex sheet: they are given to the others where
/// these are near enough. Results have the same bits for any number of threads. Throws InputError
/// for particles that are not finite. On the host; Backend::redistribute is the same where the
/// particles are.
RedistributionRecord redistribute(VortexParticles& particles, std::size_t sheet, double step,
                                  const RedistributionOptions& options);

/// Diffusion by growing cores instead: sigma^2 by 2 nu h over core_variance.
void spread_cores(VortexParticles& particles, fmm::Kernel kernel, double viscosity, double step);

}  // namespace rankine::bem
