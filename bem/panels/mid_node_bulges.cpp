#include "rankine/bem/panels/mid_node_bulges.hpp"

#include <cstddef>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

MidNodeBulges::MidNodeBulges(const Panels& panels, const meshes::SurfaceMesh& mesh)
    : panels_(panels), mesh_(mesh) {
  if (mesh.mid_nodes.empty()) return;
  turns_.assign(panels.size(), -1);
  parallel_for(panels.size(), [&](std::size_t j) {
    const int corners = panels.shape[j].corners;
    std::int8_t turn = 0;
    while (mesh.elements[j][static_cast<std::size_t>(turn)] != panels.nodes[j][0]) ++turn;
    const meshes::MidNodes straight = meshes::straight_mid_nodes(mesh, mesh.elements[j]);
    for (int k = 0; k < corners; ++k) {
      const Vec3d& from = mesh.nodes[mesh.elements[j][k]];
      const Vec3d& to = mesh.nodes[mesh.elements[j][(k + 1) % corners]];
      const Vec3d chord = to - from;
      if (norm(cross(mesh.mid_nodes[j][k] - straight[k], chord)) > least_rise * dot(chord, chord))
        turns_[j] = turn;
    }
  });
}

Vec3d MidNodeBulges::edge(std::int32_t panel, int k) const {
  const auto j = static_cast<std::size_t>(panel);
  const PanelShape<double>& shape = panels_.shape[j];
  const int next = (k + 1) % shape.corners;
  const Vec3d& middle =
      mesh_.mid_nodes[j][static_cast<std::size_t>((k + turns_[j]) % shape.corners)];
  return middle - 0.5 * (shape.corner[k] + shape.corner[next]);
}

Vec3d MidNodeBulges::diagonal(std::int32_t panel) const {
  // At the centre of the eight-node element mid-nodes have the weight 1/2 and corners -1/4.
  const Vec3d* c = panels_.shape[panel].corner;
  Vec3d bulges{};
  for (int k = 0; k < 4; ++k) bulges += edge(panel, k);
  return 0.25 * (c[1] + c[3] - c[0] - c[2]) + 0.5 * bulges;
}

}  // namespace rankine::bem
