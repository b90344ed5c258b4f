// How the bodies of a case of vortices move: the tables [[motion]] and their files.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cases/particles/particle_case.hpp"
#include "rankine/bem/particles/prescribed_motion.hpp"
#include "rankine/bem/particles/vortex_body.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

class WallMotion {
 public:
  /// Of the mesh at t = 0. Throws InputError for a patch that it lacks, for a body whose patches
  /// move differently, and for files that cannot be read.
  WallMotion(const std::vector<MotionInput>& motions, meshes::SurfaceMesh mesh);

  bool moves() const { return !motions_.empty(); }
  /// At a time, s.
  meshes::SurfaceMesh mesh_at(double time) const;
  bem::MovingPanels panels_at(double time, const bem::PanelFit& fit) const;

 private:
  meshes::SurfaceMesh mesh_;
  std::vector<bem::PrescribedMotion> motions_;  ///< the last one rests; empty: all do
  std::vector<std::int32_t> of_element_, of_node_;
};

}  // namespace rankine::cases
