// The body of a case of vortices, and what it sheds.
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
  /// The case has a body. The backend must outlive it. Throws MeshError, InputError.
  VortexWall(const ParticleCase& given, bem::Backend& backend);

  bem::VortexBody& body() { return body_; }
  /// Null if the wall sheds nothing.
  bem::SheddingWall* shedding() { return shedding_ ? &*shedding_ : nullptr; }

  bool moves() const { return motion_.moves(); }
  /// Where it was when the surface's fields were asked for last.
  const meshes::SurfaceMesh& mesh() const { return mesh_; }
  /// Of the last solve, which was that with these particles, on the panels: U, m/s, relative to the
  /// wall and along it, speed, phi, Area.
  meshes::Fields surface_fields(const bem::VortexParticles& particles);

  // Of a run that is resumed.
  std::vector<StateArray> state() const;
  void start_from(const State& state);

  /// What its solves took, and the largest of what should be zero.
  std::vector<Figure> figures() const;

 private:
  WallMotion motion_;
  meshes::SurfaceMesh mesh_;
  bem::VortexBody body_;
  std::optional<bem::SheddingWall> shedding_;
  double slip_left_ = 0.0;  ///< at the last output, m/s
};

}  // namespace rankine::cases
