// Diffusion of vortex particles by redistribution of their strengths [SD96]. In a step each
// particle distributes its strength over nearby particles, including itself, such that the moments
// of its vorticity grow like those of a diffusing vortex:
//
//   sum f = 1 ,   sum f r = 0 ,   sum f r r^T = 2 nu h I ,   f >= 0     (moment_fractions.hpp)
//
// The sum of the strengths and the linear impulse are conserved, and, if strengths sum to zero, the
// angular impulse; no strengths of a new sign arise. Errors are second order in the spacing of the
// particles, for any arrangement. If there are too few particles for such fractions, particles of
// zero strength are added at lattice points. So a cloud grows as it diffuses, and gaps caused by
// convection are filled.
//
// Crowded particles distribute all of their strength to others, with the same moments, if such
// fractions exist, and are removed. Weak particles at the border are not changed.
//
// Beside symmetry planes (meshes/symmetry.hpp) particles also distribute to images, and receive
// from them: exactly as in the whole flow. Particles that have crossed a plane are replaced by
// their images. The lattice has no points on the planes and is its own image. The component of the
// sum of the strengths normal to a plane and the components of the impulse along it are conserved.
//
// At a wall the diffusing vortex is reflected: a particle at the distance d has the moments of |d +
// s X| for a normally distributed X, with s^2 = 2 nu h, the mean shift m along the normal and s^2 -
// 2 d m.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::bem {

/// The part of the wall that is closest to a point.
struct NearWall {
  double distance = std::numeric_limits<double>::infinity();  ///< m; zero or negative behind the
                                                              ///< wall
  Vec3d normal{};                                             ///< into the fluid
};
/// Finds NearWall for many points.
using WallSearch = std::function<std::vector<NearWall>(std::span<const Vec3d> points)>;

struct RedistributionOptions {
  double viscosity = 0.0;    ///< kinematic, m^2/s
  double spacing = 0.0;      ///< of particles, m
  double core_radius = 0.0;  ///< of added particles, m
  /// C of an eddy viscosity (C spacing)^2 |omega|, of the mean vorticity in the neighbourhood, for
  /// flows with scales below the spacing [MKM98]. It is limited to 2 nu h = spacing^2 / 4.
  double smagorinsky = 0.0;
  /// Particles weaker than this fraction of the strongest do not diffuse: they form the border.
  double weak = 1e-4;
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< maximum count
  WallSearch wall{};  ///< empty: no wall. Its distances are 0 at the closest allowed position of a
                      ///< particle
  /// Outside of this box there is no wall, m.
  BoundingBox wall_within{{-BoundingBox::far, -BoundingBox::far, -BoundingBox::far},
                          {BoundingBox::far, BoundingBox::far, BoundingBox::far}};
  meshes::Symmetry symmetry{};  ///< the images of particles are their neighbours, too
  Vec3d inside{};               ///< a point on the side of the planes where particles are, m
  /// On a stop request a step of several substeps throws Stopped, with particles of an incomplete
  /// step. One without substeps is completed.
  std::stop_token stop{};
};

/// The number of substeps of a step, s.
int redistribution_substeps(const RedistributionOptions& options, double step);

/// Statistics of a step.
struct RedistributionRecord {
  std::size_t added = 0, removed = 0;
  std::size_t left_out = 0;  ///< particles that should have diffused, but have no fractions
  int substeps = 0;
};

/// Diffuses `particles` for `step` seconds, in substeps h with 2 nu h below spacing^2 / 4.
/// Particles with indices of at least `sheet` are those of a vortex sheet: they are distributed to
/// the others where these are close enough. Results have the same bits for any number of threads.
/// Throws InputError for particles that are not finite. On the host; Backend::redistribute() does
/// the same in the memory of the particles.
RedistributionRecord redistribute(VortexParticles& particles, std::size_t sheet, double step,
                                  const RedistributionOptions& options);

/// Diffusion by growing cores instead: sigma^2 grows by 2 nu h over core_variance.
void spread_cores(VortexParticles& particles, fmm::Kernel kernel, double viscosity, double step);

}  // namespace rankine::bem
