// Finds which body lies inside which, and in which body a point lies: the solid angle of a closed
// surface, images in symmetry planes included, is 4 pi from inside and zero from outside.
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
  /// Bodies must be closed, or closed by the planes, and not cross. All three must outlive this
  /// object.
  Nesting(const SurfaceMesh& mesh, const Bodies& bodies, const Symmetry& symmetry);

  /// The bodies around each body; empty for an outermost one.
  const std::vector<std::vector<std::int32_t>>& around() const { return around_; }
  /// The innermost of these, -1: none.
  std::int32_t parent(std::size_t body) const { return innermost(around_[body]); }
  /// The innermost body around a point, -1: none.
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
  std::vector<std::size_t> first_, elements_;  ///< body by body
  AlignedVector<NearBoxes::Piece> boxes_;
  std::vector<std::vector<std::int32_t>> around_;
};

}  // namespace rankine::meshes
