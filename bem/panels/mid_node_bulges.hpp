// Bulges of edges where the file says them: the mid-nodes of elements of second order.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// Mid-nodes count for an element where one of them lies off its chord; a file with none such says
/// nothing about the surface between its nodes.
class MidNodeBulges {
 public:
  /// `panels` are those of `mesh`, in its order; both must outlive this object.
  MidNodeBulges(const Panels& panels, const meshes::SurfaceMesh& mesh);

  bool has(std::int32_t panel) const {
    return !turns_.empty() && turns_[static_cast<std::size_t>(panel)] >= 0;
  }

  /// Of the edge from corner `k` of a panel that has them.
  Vec3d edge(std::int32_t panel, int k) const;

  /// Of the diagonal of a quadrilateral that has them, from the centre of the eight-node element.
  Vec3d diagonal(std::int32_t panel) const;

 private:
  const Panels& panels_;
  const meshes::SurfaceMesh& mesh_;
  std::vector<std::int8_t> turns_;  ///< corner of the element that the panel begins with; -1: none
};

}  // namespace rankine::bem
