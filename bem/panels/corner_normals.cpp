#include "rankine/bem/panels/corner_normals.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/node_normals.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

using HostNodeNormals = NodeNormals<FlatSurroundings, std::vector<std::int32_t>>;

}  // namespace

CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes) {
  CornerNormals normals(around.panels().size());
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      around.panels().node_count, chunk,
      [&] {
        return HostNodeNormals({around, nodes}, around.least_cosine());
      },
      [&](std::size_t node, HostNodeNormals& of_thread) {
        of_thread.find(
            static_cast<std::int32_t>(node), [&](std::int32_t panel, int corner, const Vec3d& n) {
              normals[static_cast<std::size_t>(panel)][static_cast<std::size_t>(corner)] = {
                  static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
            });
      });
  return normals;
}

}  // namespace rankine::bem
