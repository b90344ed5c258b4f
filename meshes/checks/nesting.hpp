// Finds the nesting of bodies, and the body that contains a point: the solid angle of a closed
// surface, with its images in symmetry planes, is 4 pi from inside and zero from outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/near_boxes.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

class Nesting {
 public:
  /// Bodies must be closed, possibly by the planes, and must not cross. All three arguments must
  /// outlive this object.
  Nesting(const SurfaceMesh& mesh, const Bodies& bodies, const Symmetry& symmetry);

  /// The bodies that contain each body; empty for an outermost body.
  const std::vector<std::vector<std::int32_t>>& around() const { return around_; }
  /// The innermost body that contains `body`; -1: none.
  std::int32_t parent(std::size_t body) const { return innermost(around_[body]); }
  /// The innermost body that contains a point; -1: none.
  std::int32_t innermost_around(const Vec3d& point) const;

 private:
  std::span<const std::size_t> elements_of(std::size_t body) const {
    return {elements_.data() + first_[body], first_[body + 1] - first_[body]};
  }
  bool encloses(std::size_t body, const Vec3d& point) const;
  std::int32_t innermost(std::span<const std::int32_t> bodies) const;

  const SurfaceMesh& mesh_;
  const Bodies& bodies_;
  const Symmetry& symmetry_;
  std::vector<std::size_t> first_, elements_;  ///< grouped by body
  AlignedVector<NearBoxes::Piece> boxes_;
  std::vector<std::vector<std::int32_t>> around_;
};

}  // namespace rankine::meshes
