// The body of a case of vortices, and what it sheds.
#pragma once

#include <memory>
#include <vector>

#include "cases/particles/simulation.hpp"
#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/vortex_body.hpp"

namespace rankine::cases {

class VortexWall {
 public:
  /// The case has a body. The backend must outlive it. Throws MeshError, InputError.
  VortexWall(const ParticleCase& given, bem::Backend& backend);

  bem::VortexBody& body() { return *body_; }
  bool sheds() const { return sheds_; }

  /// Keeps particles off the wall, and adds those that its slip among them makes. The total
  /// vorticity stays that of the first particles it was given.
  bem::VortexParticles shed_into(bem::VortexParticles particles);

  /// The wall as particles see it, which come no closer than half the distance of shedding: from
  /// there on distances count. Points farther off than `reach`, m, see none.
  bem::WallSearch search(double reach) const;

  const meshes::SurfaceMesh& mesh() const { return mesh_; }
  /// Of the last solve, on the panels: U, m/s, relative to the wall and along it, speed, phi, Area.
  meshes::Fields surface_fields();

  // Of a run that is resumed.
  std::vector<StateArray> state() const;
  void start_from(const State& state);

  /// What its solves took, and the largest of what should be zero.
  std::vector<Figure> figures() const;

 private:
  /// Along the wall, on the panels, m/s.
  std::vector<Vec3d> slip_among(const bem::VortexParticles& particles);
  /// Adds to the `sheet`, strengths among `particles`, what the slip still makes, by generalized
  /// conjugate residuals.
  void complete(std::span<Vec3d> sheet, bem::VortexParticles& particles);

  meshes::SurfaceMesh mesh_;
  std::unique_ptr<bem::VortexBody> body_;
  bool sheds_, viscous_;
  bem::SheddingOptions shedding_;
  double closest_;
  std::optional<Vec3d> total_;            ///< of the vorticity; none before it is known
  double first_slip_ = 0.0, slip_ = 0.0;  ///< before vortices were shed, mean square root, m/s
  double slip_left_ = 0.0;                ///< after that, m/s
  double correction_ = 0.0;               ///< the largest
  std::size_t lifted_ = 0;
};

}  // namespace rankine::cases
