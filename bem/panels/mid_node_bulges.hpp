// Bulges of edges from the mid-nodes of second-order elements.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// The mid-nodes of an element are used if one of them lies off its chord. If none does, they carry
/// no information about the surface between the nodes.
class MidNodeBulges {
 public:
  /// `panels` are those of `mesh`, in its order; both must outlive this object.
  MidNodeBulges(const Panels& panels, const meshes::SurfaceMesh& mesh);

  bool has(std::int32_t panel) const {
    return !turns_.empty() && turns_[static_cast<std::size_t>(panel)] >= 0;
  }

  /// The bulge of the edge from corner `k` of a panel with mid-nodes.
  Vec3d edge(std::int32_t panel, int k) const;

  /// The bulge of the diagonal of such a quadrilateral, from the centre of the eight-node element.
  Vec3d diagonal(std::int32_t panel) const;

 private:
  const Panels& panels_;
  const meshes::SurfaceMesh& mesh_;
  std::vector<std::int8_t> turns_;  ///< corner of the element that is the panel's first; -1: none
};

}  // namespace rankine::bem
