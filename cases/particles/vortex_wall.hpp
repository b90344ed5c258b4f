// The body of a vortex case, and the vorticity that it sheds.
#pragma once

#include <optional>
#include <vector>

#include "cases/particles/simulation.hpp"
#include "cases/particles/wall_motion.hpp"
#include "rankine/bem/particles/shedding_wall.hpp"
#include "rankine/bem/particles/vortex_body.hpp"

namespace rankine::cases {

class VortexWall {
 public:
  /// The case must have a body. The backend must outlive the wall. Throws MeshError, InputError.
  VortexWall(const ParticleCase& given, bem::Backend& backend);

  bem::VortexBody& body() { return body_; }
  /// Null if the wall does not shed.
  bem::SheddingWall* shedding() { return shedding_ ? &*shedding_ : nullptr; }

  bool moves() const { return motion_.moves(); }
  /// The surface of the body at the last call of surface_fields().
  const meshes::SurfaceMesh& mesh() const { return mesh_; }
  /// Fields on the panels from the last solve, which must have been with these particles:
  /// tangential velocity U relative to the wall, m/s, speed, phi, Area.
  meshes::Fields surface_fields(const bem::VortexParticles& particles);

  /// The smallest change of an impulse, m^4/s, that the solves resolve, if 1/2 sum |x| |Gamma| is
  /// `scale`.
  double resolved(double scale) const { return tolerance_ * scale; }

  // For checkpoints of runs.
  std::vector<StateArray> state() const;
  void start_from(const State& state);

  /// Counts and times of the solves, and the largest values of quantities that are zero in theory.
  std::vector<Figure> figures() const;

 private:
  WallMotion motion_;
  meshes::SurfaceMesh mesh_;
  bem::VortexBody body_;
  std::optional<bem::SheddingWall> shedding_;
  double tolerance_;  ///< of the solves
  double sheet_spread_ = 0.0;
  bem::SlipSize slip_left_;  ///< residual slip at the last output, m/s
};

/// The difference between two forces on a wall, that from the impulse of the particles and that
/// from the impulse of its sheets, relative to the second. Sizes are means over all intervals
/// between rows. `particles`, `wall`: the first monitors of these impulses. `least`: the smallest
/// change of an impulse between two rows that the run resolves, m^4/s; smaller ones count as this.
double force_difference(const std::vector<MonitorRow>& rows, std::size_t particles,
                        std::size_t wall, double least, const meshes::Symmetry& symmetry);

/// Throws InputError for particles on both sides of a symmetry plane, or on the other side than the
/// panels. Warns of particles inside a body.
void check_places(const meshes::Symmetry& symmetry, std::vector<Vec3d> points, VortexWall* wall,
                  Log& log);

}  // namespace rankine::cases
