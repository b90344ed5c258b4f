#include "rankine/bem/panels/panel_offsets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/panel_patches.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

enum class EdgeKind { plane, smooth, sharp };

/// Of edge `k` of a panel; the sharpest if more than two panels meet there.
EdgeKind edge_kind(const PanelNeighbourhood& around, std::size_t panel, int k) {
  constexpr double of_plane = 1.0 - 1e-12;  // cosine between normals
  const meshes::Element& nodes = around.panels().nodes[panel];
  const auto node = [&](int corner) {
    return nodes[static_cast<std::size_t>(corner % meshes::corner_count(nodes))];
  };
  double least = 1.0;
  around.for_each_at_edge(node(k), node(k + 1), [&](std::int32_t j) {
    least = std::min(least, dot(around.normal(j), around.panels().normal[panel]));
  });
  if (least < around.least_cosine()) return EdgeKind::sharp;
  return least < of_plane ? EdgeKind::smooth : EdgeKind::plane;
}

/// Panels of curved surfaces that are flat or at a sharp edge.
std::vector<std::int32_t> beside_body(const PanelNeighbourhood& around) {
  const Panels& panels = around.panels();
  std::vector<std::uint8_t> flags(panels.size(), 0);
  parallel_for(flags.size(), [&](std::size_t i) {
    const PanelShape<double>& shape = panels.shape[i];
    bool smooth = shape.curved, sharp = false;
    for (int k = 0; k < shape.corners; ++k) {
      const EdgeKind kind = edge_kind(around, i, k);
      smooth = smooth || kind == EdgeKind::smooth;
      sharp = sharp || kind == EdgeKind::sharp;
    }
    flags[i] = smooth && (sharp || !shape.curved) ? 1 : 0;
  });
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) found.push_back(static_cast<std::int32_t>(i));
  }
  return found;
}

/// d of the panel of `patch`; `fit`: F minus the height of the collocation point.
double height_of_body(const PanelPatch& patch, const PlanePolynomial& fit) {
  const PanelNeighbourhood& around = patch.neighbourhood();
  const auto i = static_cast<std::size_t>(patch.panel());
  const PanelShape<double>& shape = around.panels().shape[i];
  const auto from_point = [&](const Vec3d& x) { return x - around.panels().centroid[i]; };
  const auto fitted_at = [&](const Vec3d& r) {
    return fit(dot(r, patch.t1()) / patch.scale(), dot(r, patch.t2()) / patch.scale());
  };
  double above = 0.0, of_edges = 0.0;
  for (int k = 0; k < shape.corners; ++k) {
    const Vec3d corner = from_point(shape.corner[k]);
    above += (dot(corner, patch.normal()) - fitted_at(corner)) / shape.corners;
    if (edge_kind(around, i, k) != EdgeKind::sharp) continue;
    const Vec3d across =
        from_point(0.5 * (shape.corner[k] + shape.corner[(k + 1) % shape.corners]));
    of_edges -= 0.5 * (fitted_at(across) + fitted_at(-across));
  }
  const double most = fitted::greatest_rise * 2.0 * around.panels().radius[i];
  return std::clamp((shape.curved ? 0.0 : above) + of_edges, -most, most);
}

std::vector<double> heights_of_body(const PanelNeighbourhood& around) {
  std::vector<double> heights(around.panels().size());
  const std::vector<std::int32_t> panels = beside_body(around);
  for_each_patches_of(around, panels, [&](PanelPatches& patches) {
    const auto [fits] = patches.fits<1>([&](const PanelPatch& patch, std::int32_t j) {
      return std::array{dot(around.centroid(j) - around.centroid(patch.panel()), patch.normal())};
    });
    for (int l = 0; l < patches.count(); ++l)
      heights[static_cast<std::size_t>(patches[l].panel())] = height_of_body(patches[l], fits[l]);
  });
  return heights;
}

std::vector<double> means_at_nodes(const PanelNeighbourhood& around,
                                   const std::vector<double>& of_panels) {
  const Panels& panels = around.panels();
  std::vector<double> means(panels.node_count);
  parallel_for(means.size(), [&](std::size_t node) {
    double sum = 0.0, area = 0.0;
    for (const std::int32_t j : around.panels_at(static_cast<std::int32_t>(node))) {
      const auto i = static_cast<std::size_t>(around.origin(j));
      sum += panels.area[i] * of_panels[i];
      area += panels.area[i];
    }
    means[node] = area > 0.0 ? sum / area : 0.0;
  });
  return means;
}

}  // namespace

PanelOffsets panel_offsets(const PanelNeighbourhood& around) {
  const Panels& panels = around.panels();
  PanelOffsets offsets{.height = heights_of_body(around),
                       .turn = std::vector<Vec3d>(panels.size())};
  const std::vector<double> at_node = means_at_nodes(around, offsets.height);
  parallel_for(panels.size(), [&](std::size_t i) {
    const PanelShape<double>& shape = panels.shape[i];
    const auto at_corner = [&](int k) {
      return at_node[static_cast<std::size_t>(panels.nodes[i][static_cast<std::size_t>(k)])];
    };
    Vec3d sum{};  // int grad d dA, by the theorem of Gauss
    for (int k = 0; k < shape.corners; ++k) {
      const int next = (k + 1) % shape.corners;
      sum += 0.5 * (at_corner(k) + at_corner(next)) *
             cross(shape.corner[next] - shape.corner[k], panels.normal[i]);
    }
    offsets.turn[i] = -sum / panels.area[i];
  });
  return offsets;
}

}  // namespace rankine::bem
