#include "rankine/bem/panels/corner_normals.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/node_normals.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// What NodeNormals asks for.
struct Surroundings {
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

using HostNodeNormals = NodeNormals<Surroundings, std::vector<std::int32_t>>;

HostNodeNormals host_node_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes,
                                  double sharp_angle) {
  return {{around, nodes}, std::cos(sharp_angle)};
}

void find(std::size_t node, HostNodeNormals& of_thread, CornerNormals& normals) {
  of_thread.find(static_cast<std::int32_t>(node),
                 [&](std::int32_t panel, int corner, const Vec3d& n) {
                   normals[static_cast<std::size_t>(panel)][static_cast<std::size_t>(corner)] = {
                       static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
                 });
}

}  // namespace

CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes,
                             double sharp_angle) {
  CornerNormals normals(around.panels().size());
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      around.panels().node_count, chunk,
      [&] { return host_node_normals(around, nodes, sharp_angle); },
      [&](std::size_t node, HostNodeNormals& of_thread) { find(node, of_thread, normals); });
  return normals;
}

void find_normals_at(std::span<const std::int32_t> some, const PanelNeighbourhood& around,
                     std::span<const Vec3d> nodes, double sharp_angle, CornerNormals& normals) {
  HostNodeNormals finder = host_node_normals(around, nodes, sharp_angle);
  for (const std::int32_t node : some) find(static_cast<std::size_t>(node), finder, normals);
}

}  // namespace rankine::bem
