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
  /// The surface of the body at the last call of surface_fields().
  const meshes::SurfaceMesh& mesh() const { return mesh_; }
  /// Fields on the panels from the last solve, which was that with these particles: U, m/s,
  /// relative to the wall and tangential, speed, phi, Area.
  meshes::Fields surface_fields(const bem::VortexParticles& particles);

  // Of a run that is resumed.
  std::vector<StateArray> state() const;
  void start_from(const State& state);

  /// Counts and times of its solves, and the largest values of quantities that should be zero.
  std::vector<Figure> figures() const;

 private:
  WallMotion motion_;
  meshes::SurfaceMesh mesh_;
  bem::VortexBody body_;
  std::optional<bem::SheddingWall> shedding_;
  double slip_left_ = 0.0;  ///< at the last output, m/s
};

}  // namespace rankine::cases
