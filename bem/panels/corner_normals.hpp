// Normals at the nodes of the smooth surface that a mesh represents. Sharp edges divide the panels
// at a node into sides, and each side has a normal, from a polynomial fitted to the heights of the
// nodes around (bem/panels/plane_fit.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// The data of flat panels that NodeNormals (bem/panels/node_normals.hpp) and EdgeCurves
/// (edge_curves.hpp) need; nodes in metres.
struct FlatSurroundings {
  const PanelNeighbourhood& around;
  std::span<const Vec3d> positions;

  const meshes::Element& nodes(std::int32_t panel) const { return around.panels().nodes[panel]; }
  const Vec3d& normal(std::int32_t panel) const { return around.panels().normal[panel]; }
  double area(std::int32_t panel) const { return around.panels().area[panel]; }
  std::span<const std::int32_t> panels_at(std::int32_t node) const {
    return around.panels_at(node);
  }
  const Vec3d& position(std::int32_t node) const {
    return positions[static_cast<std::size_t>(node)];
  }
};

/// Unit normals at the corners of all panels; nodes in metres.
CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes);

}  // namespace rankine::bem
