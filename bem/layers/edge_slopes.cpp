#include "rankine/bem/layers/edge_slopes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The panel beyond a sharp edge of another one; -1: none.
std::int32_t beyond_edge(const PanelNeighbourhood& around, std::int32_t panel, int edge) {
  const meshes::Element& nodes = around.nodes(panel);
  std::int32_t found = -1;
  around.for_each_at_edge(nodes[edge], nodes[(edge + 1) % 4], [&](std::int32_t j) {
    const bool sharp = dot(around.normal(j), around.normal(panel)) < around.least_cosine();
    if (j != panel && sharp && !around.jumps(j)) found = j;
  });
  return found;
}

/// The panels beyond the edges `edge` and `edge` + 2 if both are sharp; otherwise the second is -1.
std::array<std::int32_t, 2> beyond_edges(const PanelNeighbourhood& around, std::int32_t panel,
                                         int edge) {
  const std::int32_t first = beyond_edge(around, panel, edge);
  return {first, first < 0 ? -1 : beyond_edge(around, panel, edge + 2)};
}

/// Sets the slope from the edge `edge` of a quadrilateral to the opposite one, from the quadratic
/// through the values at its point and at those beyond both edges.
void set_slope_across(const PanelNeighbourhood& around, std::span<const double> values, int edge,
                      const std::array<std::int32_t, 2>& beyond, EdgeSlope& of_panel) {
  const std::int32_t panel = of_panel.panel;
  const Vec3d* const corner = around.panels().shape[panel].corner;
  const auto middle = [&](int k) { return 0.5 * (corner[k % 4] + corner[(k + 1) % 4]); };
  const Vec3d normal = around.normal(panel), point = around.centroid(panel),
              across = normalized(cross(middle(edge + 3) - middle(edge + 1), normal)),
              along = cross(normal, across);
  const auto length_across = [&](const Vec3d& r) { return norm(r - dot(r, along) * along); };
  std::array<double, 2> step, quotient;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::int32_t j = beyond[k];
    const Vec3d at_edge = middle(edge + 2 * static_cast<int>(k)), next = around.centroid(j),
                r = next - point;
    const double to_edge = length_across(at_edge - point),
                 length = dot(r, normal) < 0.0 ? to_edge + length_across(next - at_edge)
                                               : std::max(to_edge, std::abs(dot(r, across)));
    step[k] = std::copysign(length, dot(at_edge - point, across));
    quotient[k] = (around.value(values, j) - around.value(values, panel) -
                   dot(of_panel.slope, along) * dot(r, along)) /
                  step[k];
  }
  const double of_quadratic = (quotient[0] * step[1] - quotient[1] * step[0]) / (step[1] - step[0]);
  of_panel.slope += (of_quadratic - dot(of_panel.slope, across)) * across;
}

}  // namespace

std::vector<EdgeSlope> slopes_at_edges(const PanelNeighbourhood& around,
                                       std::span<const EdgeStrength> strengths,
                                       std::span<const double> means,
                                       std::span<const double> values) {
  std::vector<EdgeSlope> slopes(strengths.size());
  parallel_chunks(
      strengths.size(), 16, [&] { return PanelPatch(around); },
      [&](std::size_t s, PanelPatch& patch) {
        const EdgeStrength& strength = strengths[s];
        const auto i = static_cast<std::size_t>(strength.panel);
        EdgeFactors factors{};
        Vec3d linear{};
        for (std::size_t k = 0; k < strength.around.size(); ++k) {
          const double off = around.value(means, strength.around[k]) - means[i];
          linear += off * strength.slopes[k];
          for (std::size_t b = 0; b < most_edge_functions; ++b)
            factors[b] += off * strength.factors[k][b];
        }
        patch.move_to(strength.panel);
        const Vec3d smooth = patch.gradient([&](std::int32_t j) {
          double rest = around.value(values, j);
          for (std::size_t b = 0; b < strength.functions.size(); ++b)
            rest -= (around.jumps(j) ? -1.0 : 1.0) * factors[b] *
                    strength.functions[b](around.centroid(j));
          return rest;
        });
        Vec3d slope = smooth;
        for (std::size_t b = 0; b < strength.functions.size(); ++b)
          slope += factors[b] * strength.functions[b].gradient(around.centroid(strength.panel));
        slopes[s] = {strength.panel, slope, smooth - linear, strength.in_corner,
                     strength.is_between};
      });
  return slopes;
}

std::vector<std::int32_t> panels_between_edges(const PanelNeighbourhood& around) {
  std::vector<std::int32_t> panels = panels_at_edges(around);
  std::erase_if(panels, [&](std::int32_t panel) {
    return meshes::corner_count(around.nodes(panel)) != 4 ||
           (beyond_edges(around, panel, 0)[1] < 0 && beyond_edges(around, panel, 1)[1] < 0);
  });
  return panels;
}

std::vector<EdgeSlope> slopes_between_edges(const PanelNeighbourhood& around,
                                            std::span<const std::int32_t> panels,
                                            std::span<const double> values) {
  std::vector<EdgeSlope> slopes;
  PanelPatch patch(around);
  for (const std::int32_t panel : panels) {
    patch.move_to(panel);
    EdgeSlope& found = slopes.emplace_back(EdgeSlope{panel, {}, {}, false, true});
    found.slope = patch.gradient([&](std::int32_t j) { return around.value(values, j); });
    for (const int edge : {0, 1}) {
      const std::array<std::int32_t, 2> beyond = beyond_edges(around, panel, edge);
      if (beyond[1] >= 0) set_slope_across(around, values, edge, beyond, found);
    }
  }
  return slopes;
}

void set_slopes(std::span<const EdgeSlope> slopes, SurfaceGradient& surface) {
  for (const EdgeSlope& each : slopes) {
    const auto i = static_cast<std::size_t>(each.panel);
    surface.gradient[i] = each.slope - dot(each.slope, surface.normal[i]) * surface.normal[i];
  }
}

}  // namespace rankine::bem
