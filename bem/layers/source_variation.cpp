#include "rankine/bem/layers/source_variation.hpp"

#include <algorithm>
#include <cstdint>

#include "rankine/bem/layers/layer_rows.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

double kernel(Layer layer, const PanelIntegrals<double>& of_point, const Vec3d& target_normal) {
  switch (layer) {
    case Layer::single_layer:
      return detail::entry_of<Layer::single_layer>(of_point, target_normal);
    case Layer::double_layer:
      return detail::entry_of<Layer::double_layer>(of_point, target_normal);
    case Layer::adjoint_double_layer:
      return detail::entry_of<Layer::adjoint_double_layer>(of_point, target_normal);
    case Layer::hypersingular:
      return detail::entry_of<Layer::hypersingular>(of_point, target_normal);
  }
  return 0.0;
}

/// P minus the weights of the nodes: the part of P that is due to the variation of strengths.
void take_out_constants(const PanelNodes& nodes, SparseRows& strengths) {
  const SparsityPattern& pattern = *strengths.pattern;
  for (std::size_t j = 0; j + 1 < nodes.first.size(); ++j) {
    for (std::size_t k = nodes.begin(j); k < nodes.end(j); ++k) {
      const std::size_t s = nodes.source_of(k);
      const auto begin = pattern.columns.begin() + pattern.offsets[s],
                 end = pattern.columns.begin() + pattern.offsets[s + 1];
      const auto own = std::lower_bound(begin, end, static_cast<std::int32_t>(j));
      strengths.values[static_cast<std::size_t>(own - pattern.columns.begin())] -= nodes.weights[k];
    }
  }
}

}  // namespace

std::vector<SparseRows> source_variation(const PanelNodes& nodes, SparseRows strengths,
                                         std::span<const Vec3d> targets,
                                         std::span<const Vec3d> target_normals,
                                         std::span<const Layer> layers) {
  std::vector<std::int32_t> shared;
  std::vector<Vec3d> points;
  std::vector<double> widths;
  for (std::size_t s = 0; s < nodes.source_widths.size(); ++s) {
    if (!(nodes.source_widths[s] > 0.0)) continue;
    shared.push_back(static_cast<std::int32_t>(s));
    points.push_back(nodes.source_points[s]);
    widths.push_back(nodes.source_widths[s]);
  }
  if (shared.empty() || layers.empty()) return {};
  take_out_constants(nodes, strengths);
  const SparsityPattern close = find_near_pairs(targets, points, widths);
  std::vector<LayerRow> rows(targets.size());
  parallel_chunks(targets.size(), 256, [&](std::size_t i) {
    for (std::int64_t c = close.offsets[i]; c < close.offsets[i + 1]; ++c) {
      const auto s = static_cast<std::size_t>(shared[static_cast<std::size_t>(close.columns[c])]);
      PanelIntegrals<double> of_point;
      add_point<all_integrals>(targets[i] - nodes.source_points[s], nodes.source_normals[s], 1.0,
                               of_point);
      LayerEntry entry{};
      for (std::int64_t e = strengths.pattern->offsets[s]; e < strengths.pattern->offsets[s + 1];
           ++e) {
        entry.column = strengths.pattern->columns[e];
        for (std::size_t l = 0; l < layers.size(); ++l)
          entry.values[l] = -kernel(layers[l], of_point, target_normals[i]) *
                            strengths.values[static_cast<std::size_t>(e)];
        rows[i].push_back(entry);
      }
    }
    merge(rows[i]);
  });
  return layer_matrices(rows, strengths.columns, layers.size());
}

}  // namespace rankine::bem
