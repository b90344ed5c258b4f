// The motion of the bodies of a vortex case: the tables [[motion]] and their files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cases/particles/particle_case.hpp"
#include "rankine/bem/particles/prescribed_motion.hpp"
#include "rankine/bem/particles/vortex_body.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

class WallMotion {
 public:
  /// `mesh`: at t = 0. Throws InputError for a patch that the mesh does not have, for a body whose
  /// patches move differently, and for files that cannot be read.
  WallMotion(const std::vector<MotionInput>& motions, meshes::SurfaceMesh mesh,
             const meshes::Symmetry& symmetry = {});

  bool moves() const { return !motions_.empty(); }
  /// The mesh at a time, s. Throws InputError if a body leaves a symmetry plane on which it ends,
  /// or crosses one.
  meshes::SurfaceMesh mesh_at(double time) const;
  bem::MovingPanels panels_at(double time, const bem::PanelFit& fit) const;

 private:
  bool moves_as_one() const;
  void keep_to_planes(double time, meshes::SurfaceMesh& moved) const;

  meshes::SurfaceMesh mesh_;
  meshes::Symmetry symmetry_;
  std::vector<bem::PrescribedMotion> motions_;  ///< the last one is rest; empty: all bodies rest
  std::vector<std::string> places_;             ///< in the case file, for messages
  std::vector<std::int32_t> of_element_, of_node_;
  bool rigid_ = false;  ///< MovingPanels::rigid
};

}  // namespace rankine::cases
