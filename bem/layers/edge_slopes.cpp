#include "rankine/bem/layers/edge_slopes.hpp"

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

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

void set_slopes(std::span<const EdgeSlope> slopes, SurfaceGradient& surface) {
  for (const EdgeSlope& each : slopes) {
    const auto i = static_cast<std::size_t>(each.panel);
    surface.gradient[i] = each.slope - dot(each.slope, surface.normal[i]) * surface.normal[i];
  }
}

}  // namespace rankine::bem
