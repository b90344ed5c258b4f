#include "rankine/bem/layers/linear_corrections.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// G.
SparseRows gradient_rows(const Panels& panels, const PanelNodes& nodes) {
  const PanelNeighbourhood around(panels);
  const IsConstant is_constant = if_cut(nodes);
  const auto for_each_panel = [&](const auto& work) {
    parallel_chunks(
        panels.size(), 256, [] { return GradientFit{}; },
        [&](std::size_t j, GradientFit& fit) {
          fit.neighbours.clear();
          if (!is_constant(j)) fit.find_neighbours(around, static_cast<std::int32_t>(j));
          work(j, fit);
        });
  };
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.assign(2 * panels.size() + 1, 0);
  for_each_panel([&](std::size_t j, const GradientFit& fit) {
    pattern->offsets[2 * j + 1] = pattern->offsets[2 * j + 2] =
        static_cast<std::int64_t>(fit.neighbours.size() + 1);
  });
  std::partial_sum(pattern->offsets.begin(), pattern->offsets.end(), pattern->offsets.begin());
  const auto entries = static_cast<std::size_t>(pattern->offsets.back());
  AlignedVector<double> values(entries);
  pattern->columns.resize(entries);
  for_each_panel([&](std::size_t j, GradientFit& fit) {
    const auto panel = static_cast<std::int32_t>(j);
    fit.fit_neighbours(around, panel);
    const Tangents along(panels.normal[j]);
    for (const int c : {0, 1}) {
      const auto at =
          static_cast<std::size_t>(pattern->offsets[2 * j + static_cast<std::size_t>(c)]);
      write_gradient_row(
          around, panel, fit.neighbours, [&](std::size_t k) { return fit.factors[k]; },
          c == 0 ? along.t1 : along.t2, &pattern->columns[at], &values[at]);
    }
  });
  return {panels.size(), std::move(pattern), std::move(values)};
}

}  // namespace

LinearCorrections::LinearCorrections(const Panels& panels, const PanelNodes& nodes,
                                     const IsConstant& is_constant)
    : panels_(panels), nodes_(nodes), shares_(panels.size()) {
  const PanelNeighbourhood around(panels);
  parallel_chunks(
      panels.size(), 256, [] { return GradientFit{}; },
      [&](std::size_t j, GradientFit& fit) {
        if (is_constant(j)) return;
        fit.fit(around, static_cast<std::int32_t>(j));
        Vec3d own{};
        for (std::size_t k = 0; k < fit.neighbours.size(); ++k) {
          const std::int32_t beside = fit.neighbours[k];
          shares_[j].push_back({around.origin(beside), around.sign(beside) * fit.factors[k]});
          own += -1.0 * fit.factors[k];
        }
        if (!shares_[j].empty()) shares_[j].push_back({static_cast<std::int32_t>(j), own});
      });
}

std::array<Vec3d, layer_count> linear_moments(const Panels& panels, const PanelNodes& nodes,
                                              const Vec3d& x, bool own, std::int32_t panel,
                                              std::span<const Layer> layers) {
  const auto j = static_cast<std::size_t>(panel);
  const Vec3d middle = nodes.middle(j);
  PanelMoments moments = panel_moments(panels.shape[j], x, own, middle);
  for (std::size_t k = nodes.begin(j); k < nodes.end(j); ++k)
    add_node_moment(x, nodes.points[k], nodes.normals[k], -nodes.weights[k], middle, moments);
  std::array<Vec3d, layer_count> found{};
  for (std::size_t l = 0; l < layers.size(); ++l)
    found[l] = layers[l] == Layer::single_layer ? moments.single : moments.dbl;
  return found;
}

LinearCorrectionRows linear_corrections(const Panels& panels, const PanelNodes& nodes,
                                        std::span<const Layer> layers) {
  const std::size_t n = panels.size();
  const PanelNeighbourhood around(panels);
  const auto for_each_pair = [&](const auto& visit) {
    parallel_chunks(
        n, 64, [] { return PanelNeighbourhood::Ring{}; },
        [&](std::size_t i, PanelNeighbourhood::Ring& ring) {
          around.collect(static_cast<std::int32_t>(i), 1, ring);
          ring.panels.push_back(static_cast<std::int32_t>(i));
          for (const std::int32_t each : ring.panels) {
            if (nodes.is_cut(static_cast<std::size_t>(around.origin(each)))) continue;
            // The field of a panel's image at a point is that of the panel at the point's image.
            const int image = around.image(each);
            visit(static_cast<std::size_t>(image) * n + i, around.origin(each),
                  panels.symmetry.point(image, panels.centroid[i]),
                  each == static_cast<std::int32_t>(i));
          }
        });
  };
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.assign(n * static_cast<std::size_t>(panels.symmetry.images()) + 1, 0);
  for_each_pair(
      [&](std::size_t row, std::int32_t, const Vec3d&, bool) { pattern->offsets[row + 1] += 2; });
  std::partial_sum(pattern->offsets.begin(), pattern->offsets.end(), pattern->offsets.begin());
  const auto entries = static_cast<std::size_t>(pattern->offsets.back());
  pattern->columns.resize(entries);
  LinearCorrectionRows rows{gradient_rows(panels, nodes), {}};
  for (std::size_t l = 0; l < layers.size(); ++l)
    rows.moments.push_back({2 * n, pattern, AlignedVector<double>(entries)});
  std::vector<std::int64_t> next(pattern->offsets.begin(), pattern->offsets.end() - 1);
  for_each_pair([&](std::size_t row, std::int32_t panel, const Vec3d& x, bool own) {
    const auto at = static_cast<std::size_t>(next[row]);
    next[row] += 2;
    pattern->columns[at] = 2 * panel;
    pattern->columns[at + 1] = 2 * panel + 1;
    const Tangents along(panels.normal[static_cast<std::size_t>(panel)]);
    const std::array<Vec3d, layer_count> moments =
        linear_moments(panels, nodes, x, own, panel, layers);
    for (std::size_t l = 0; l < layers.size(); ++l) {
      rows.moments[l].values[at] = dot(moments[l], along.t1);
      rows.moments[l].values[at + 1] = dot(moments[l], along.t2);
    }
  });
  return rows;
}

}  // namespace rankine::bem
