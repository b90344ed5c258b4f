#include "rankine/meshes/shapes/cut_quadrilaterals.hpp"

#include <utility>
#include <vector>

namespace rankine::meshes {

std::size_t cut_quadrilaterals(SurfaceMesh& mesh) {
  std::vector<Element> elements;
  std::vector<std::int32_t> patch;
  std::size_t cut = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto [a, b, c, d] = mesh.elements[e];
    patch.push_back(mesh.patch[e]);
    if (d < 0) {
      elements.push_back(mesh.elements[e]);
      continue;
    }
    const auto length = [&](std::int32_t from, std::int32_t to) {
      return norm(mesh.nodes[static_cast<std::size_t>(to)] -
                  mesh.nodes[static_cast<std::size_t>(from)]);
    };
    if (length(a, c) <= length(b, d)) {
      elements.push_back({a, b, c, -1});
      elements.push_back({a, c, d, -1});
    } else {
      elements.push_back({a, b, d, -1});
      elements.push_back({b, c, d, -1});
    }
    patch.push_back(mesh.patch[e]);
    ++cut;
  }
  mesh.elements = std::move(elements);
  mesh.patch = std::move(patch);
  mesh.mid_nodes.clear();
  return cut;
}

}  // namespace rankine::meshes
