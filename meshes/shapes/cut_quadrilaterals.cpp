#include "rankine/meshes/shapes/shapes.hpp"

#include <utility>
#include <vector>

namespace rankine::meshes {

std::size_t cut_quadrilaterals(SurfaceMesh& mesh) {
  std::vector<Element> elements;
  std::vector<std::int32_t> patch, face;
  const auto add = [&](std::size_t e, const Element& triangle) {
    elements.push_back(triangle);
    patch.push_back(mesh.patch[e]);
    if (!mesh.face.empty()) face.push_back(mesh.face[e]);
  };
  std::size_t cut = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto [a, b, c, d] = mesh.elements[e];
    if (d < 0) {
      add(e, mesh.elements[e]);
      continue;
    }
    const auto length = [&](std::int32_t from, std::int32_t to) {
      return norm(mesh.nodes[static_cast<std::size_t>(to)] -
                  mesh.nodes[static_cast<std::size_t>(from)]);
    };
    if (length(a, c) <= length(b, d)) {
      add(e, {a, b, c, -1});
      add(e, {a, c, d, -1});
    } else {
      add(e, {a, b, d, -1});
      add(e, {b, c, d, -1});
    }
    ++cut;
  }
  mesh.elements = std::move(elements);
  mesh.patch = std::move(patch);
  mesh.face = std::move(face);
  mesh.mid_nodes.clear();
  return cut;
}

}  // namespace rankine::meshes
