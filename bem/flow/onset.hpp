// The onset flow in addition to a uniform stream: point sources, point doublets and straight vortex
// segments,
//
//   source   phi = -Q/(4 pi r)         v = Q r/(4 pi r^3)                            [L32 sec. 56]
//   doublet  phi = -M.r/(4 pi r^3)     v = (3 (M.r) r/r^2 - M)/(4 pi r^3)            [L32 sec. 56]
//   vortex   v = Gamma/(4 pi) int_a^b dl x r/r^3
//              = Gamma/(4 pi) (r_a + r_b)/(r_a r_b (r_a r_b + r_a.r_b)) r_a x r_b [KP01 (10.115)]
//
// where r points from the singularity to x. M points from the sink to the source: a sphere of
// radius a in a stream U is the doublet -2 pi a^3 U. Circulation is right-handed about the
// direction from a to b. Segments have no potential, and only closed loops of segments have an
// irrotational velocity.
//
// All singularities have images in symmetry planes, so that phi(R_g x) = s_g phi(x)
// (meshes/symmetry.hpp). The strength of a singularity on a plane includes that of its image.
#pragma once

#include <array>
#include <vector>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

struct PointSource {
  Vec3d position{};       ///< m
  double strength = 0.0;  ///< Q, the volume that flows out, m^3/s
};

struct PointDoublet {
  Vec3d position{};  ///< m
  Vec3d moment{};    ///< M, m^4/s
};

struct VortexSegment {
  Vec3d from{}, to{};        ///< a and b, m
  double circulation = 0.0;  ///< Gamma, m^2/s
};

struct Onset {
  std::vector<PointSource> sources{};
  std::vector<PointDoublet> doublets{};
  std::vector<VortexSegment> vortices{};

  bool empty() const { return sources.empty() && doublets.empty() && vortices.empty(); }
};

/// Throws InputError for numbers that are not finite, segments without length, and singularities on
/// a plane that would be cancelled by their own images.
void check(const Onset& onset, const meshes::Symmetry& symmetry);

/// A point where segments and their images end with circulation; closed loops have none.
struct LooseEnd {
  Vec3d position{};          ///< m
  double circulation = 0.0;  ///< circulation of the segments that end here minus that of those that
                             ///< begin here, m^2/s
};
std::vector<LooseEnd> loose_ends(const Onset& onset, const meshes::Symmetry& symmetry);

/// Velocity at x, m/s; zero on the line of the segment.
Vec3d velocity_of(const VortexSegment& segment, const Vec3d& x);

/// Shortest distance of x from a segment, m.
double distance_from(const VortexSegment& segment, const Vec3d& x);

class OnsetField {
 public:
  /// Throws as check() does.
  OnsetField(const Onset& onset, const meshes::Symmetry& symmetry);

  bool empty() const { return onset_.empty(); }
  /// m/s. A point adds nothing at its position, a segment nothing on its line.
  Vec3d velocity(const Vec3d& x) const;
  /// The potential of sources and doublets, m^2/s.
  double potential(const Vec3d& x) const;
  /// Mean of v.n over every panel, m/s; empty without onset flows. Panels within three panel sizes
  /// of a singularity are subdivided.
  std::vector<double> mean_flux(const Panels& panels) const;

 private:
  Vec3d velocity_of_originals(const Vec3d& x) const;
  double potential_of_originals(const Vec3d& x) const;
  double nearest(const Vec3d& x) const;
  double flux_through(const TrianglePatch<double>& triangle, const std::array<Vec3d, 3>& corner,
                      int divisions) const;

  Onset onset_;  ///< singularities on planes have the strength of one image
  meshes::Symmetry symmetry_;
};

}  // namespace rankine::bem
