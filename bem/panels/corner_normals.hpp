// Normals of the smooth surface that a mesh stands for, at its nodes: one for every side of the surface
// there that is not cut off by sharp edges, from a polynomial of the height over the nodes around
// (bem/panels/plane_fit.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// What NodeNormals (bem/panels/node_normals.hpp) and EdgeCurves (edge_curves.hpp) ask for of flat panels, between
/// nodes in metres.
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

/// Unit normals at the corners of all panels, whose nodes are in metres; edges between panels whose normals differ by
/// more than `sharp_angle`, radians, are sharp.
CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes,
                             double sharp_angle);

}  // namespace rankine::bem
