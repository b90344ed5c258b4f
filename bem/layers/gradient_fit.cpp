#include "rankine/bem/layers/gradient_fit.hpp"

namespace rankine::bem {

Vec3d strip_gradient(const Panels& panels, std::size_t panel, int edge) {
  const Vec3d* const x = panels.shape[panel].corner;
  const auto line = [&](int k) { return x[(k + 2) % 4] + x[(k + 3) % 4] - x[k] - x[(k + 1) % 4]; };
  const Vec3d normal = cross(panels.normal[panel], line((edge + 1) % 4));
  return 1.0 / dot(normal, line(edge)) * normal;
}

void GradientFit::find_neighbours(const PanelNeighbourhood& around, std::int32_t panel, int edge,
                                  bool at_vertices) {
  if (edge >= 0) {
    neighbours.clear();
    const meshes::Element& nodes = around.nodes(panel);
    for (const int k : {edge, edge + 2}) {
      around.for_each_at_edge(nodes[k], nodes[(k + 1) % 4], [&](std::int32_t j) {
        if (j != panel && dot(around.normal(j), around.normal(panel)) >= around.least_cosine())
          neighbours.push_back(j);
      });
    }
    return;
  }
  if (at_vertices) around.collect(panel, 1, ring);
  if (at_vertices && ring.panels.size() <= most_fit_neighbours) {
    neighbours = ring.panels;
  } else {
    find_fit_neighbours(around, around.least_cosine(), panel, neighbours, ring.panels, ring.nodes);
  }
  std::erase_if(neighbours, [&](std::int32_t j) { return around.jumps(j); });
}

void GradientFit::fit_neighbours(const PanelNeighbourhood& around, std::int32_t panel, int edge) {
  const Panels& panels = around.panels();
  const auto offset = [&](std::size_t k) {
    return around.centroid(neighbours[k]) - panels.centroid[panel];
  };
  if (edge >= 0) {
    const Vec3d gradient = strip_gradient(panels, static_cast<std::size_t>(panel), edge);
    factors.clear();
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      factors.push_back(1.0 / (static_cast<double>(neighbours.size()) * dot(offset(k), gradient)) *
                        gradient);
    return;
  }
  const GradientFactors fitted(panels.normal[panel], neighbours.size(), offset);
  factors.resize(neighbours.size());
  for (std::size_t k = 0; k < neighbours.size(); ++k) factors[k] = fitted.of(offset(k));
}

}  // namespace rankine::bem
