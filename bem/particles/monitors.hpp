// Conserved quantities of isolated systems of particles, and other measures of them. Sums have the
// same bits for any number of threads.
#pragma once

#include <span>

#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct GravityMonitors {
  double kinetic = 0.0;         ///< sum m |v|^2 / 2, J
  double potential = 0.0;       ///< -G/2 sum m phi, J
  double energy = 0.0;          ///< their sum, conserved
  Vec3d momentum{};             ///< sum m v, kg m/s, conserved
  Vec3d angular_momentum{};     ///< sum m x x v about the origin, kg m^2/s, conserved
  Vec3d centre{};               ///< of mass, m
  double virial_ratio = 0.0;    ///< 2 kinetic / |potential|: 1 in equilibrium without softening
  double momentum_scale = 0.0;  ///< sum m |v|, a reference for momenta
};

/// `phi`: BodySystem::potential().
GravityMonitors monitor(const Bodies& bodies, std::span<const double> phi,
                        double gravitational_constant);

/// Moments, for a fluid of density 1 [WL93].
struct VortexMonitors {
  Vec3d total_vorticity{};     ///< sum Gamma, conserved
  Vec3d impulse{};             ///< 1/2 sum x x Gamma, m^4/s, conserved
  Vec3d angular_impulse{};     ///< 1/3 sum x x (x x Gamma), m^5/s, conserved
  double helicity = 0.0;       ///< sum Gamma . u, m^4/s^2
  Vec3d centroid{};            ///< of |Gamma|, m
  double strength = 0.0;       ///< sum |Gamma|, m^3/s: grows as vortices stretch
  double impulse_scale = 0.0;  ///< 1/2 sum |x - centroid| |Gamma|, m^4/s: for a ring, its impulse
  double fastest = 0.0;        ///< largest |u|, m/s
};

/// 1/2 sum (x - origin) x Gamma, m^4/s.
Vec3d impulse_of(const VortexParticles& particles, const Vec3d& origin = {});

/// `velocities`: VortexSystem::velocities(). `origin`: the point about which moments are taken, m;
/// for particles on one side of symmetry planes it lies on the planes, as for the images.
VortexMonitors monitor(const VortexParticles& particles, std::span<const Vec3d> velocities,
                       const Vec3d& origin = {});

/// How well particles and steps resolve the vorticity, measured at up to 256 evenly spaced
/// particles.
struct VortexResolution {
  double spacing = 0.0;   ///< median distance of the nearest other particle, over the core radius
  double rotation = 0.0;  ///< largest |vorticity| / 2, the angular velocity of the fluid, rad/s
};
VortexResolution resolution(const VortexParticles& particles, fmm::Kernel kernel);

/// Position of a ring: the centroid of |Gamma| of its particles, and their mean distance from it.
struct RingPlace {
  Vec3d centre{};
  double radius = 0.0;
};

/// The ring of the particles [begin, end), weighted by their strengths; with equal weights if all
/// are zero.
RingPlace ring_place(const VortexParticles& particles, std::size_t begin, std::size_t end);

}  // namespace rankine::bem
