#include "rankine/bem/lift/strip_at_edges.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rankine::bem {

meshes::EdgeStrip cut_edge_strip(meshes::SurfaceMesh& mesh, const Panels& panels,
                                 const TrailingEdges& found) {
  std::vector<std::array<std::int32_t, 2>> line;
  for (const SharpEdge& edge : found.edges) {
    if (edge.verdict == EdgeVerdict::sheds || edge.verdict == EdgeVerdict::lower_corner)
      line.push_back({edge.first, edge.second});
  }
  std::vector<meshes::MidNodes> middles;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const PanelShape<double>& shape = panels.shape[e];
    const meshes::Element& nodes = mesh.elements[e];
    meshes::MidNodes& middle = middles.emplace_back(meshes::straight_mid_nodes(mesh, nodes));
    const auto first = std::find(nodes.begin(), nodes.end(), panels.nodes[e][0]) - nodes.begin();
    for (int k = 0; k < shape.corners; ++k) middle[(first + k) % shape.corners] += shape.bulge[k];
  }
  return meshes::cut_strip(mesh, line, found.base, panels.symmetry, middles);
}

}  // namespace rankine::bem
