#include "rankine/bem/layers/linear_corrections.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/spatial_order.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/bem/simd/functions.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The moments of a panel's nodes at x, times -1.
PanelMoments minus_node_moments(const PanelNodes& nodes, const Vec3d& x, std::size_t panel,
                                const Vec3d& middle) {
  const AlignedVector<Vec3d>&points = nodes.points.on_host(), &normals = nodes.normals.on_host();
  const AlignedVector<double>& weights = nodes.weights.on_host();
  PanelMoments moments;
  for (std::size_t k = nodes.begin(panel); k < nodes.end(panel); ++k)
    add_node_moment(x, points[k], normals[k], -weights[k], middle, moments);
  return moments;
}

const Vec3d& of_layer(const PanelMoments& moments, Layer layer) {
  return layer == Layer::single_layer ? moments.single : moments.dbl;
}

/// Writes entries of M. Triangles share SIMD lanes.
class MomentEntries {
 public:
  MomentEntries(const Panels& panels, const PanelNodes& nodes, std::span<const Vec3d> middles,
                std::span<const Layer> layers, std::vector<SparseRows>& rows)
      : panels_(panels), nodes_(nodes), middles_(middles), layers_(layers), rows_(rows) {}

  /// Writes the row of a target at x, which is complete after flush(). `own`: the panel whose point
  /// it is, or none of them.
  void write_row(std::size_t row, const Vec3d& x, std::size_t own) {
    const SparsityPattern& pattern = *rows_.front().pattern;
    const auto end = static_cast<std::size_t>(pattern.offsets[row + 1]);
    for (auto at = static_cast<std::size_t>(pattern.offsets[row]); at < end; at += 2) {
      const auto panel = static_cast<std::size_t>(pattern.columns[at] / 2);
      write(x, panel == own, panel, at);
    }
  }

  void flush() {
    if (count_ == 0) return;
    simd_functions().triangle_moments(lanes_, count_);
    const auto vector = [](const auto& parts, int lane) {
      return Vec3d{parts[0][lane], parts[1][lane], parts[2][lane]};
    };
    for (int k = 0; k < count_; ++k)
      add({vector(lanes_.single, k), vector(lanes_.dbl, k)}, along_[k], at_[k]);
    count_ = 0;
  }

 private:
  /// Writes the two entries of `panel` at x from `at` on.
  void write(const Vec3d& x, bool own, std::size_t panel, std::size_t at) {
    const Tangents tangents(panels_.normal[panel]);
    const Vec3d along[2] = {tangents.t1, tangents.t2};
    for (SparseRows& each : rows_) each.values[at] = each.values[at + 1] = 0.0;
    add(minus_node_moments(nodes_, x, panel, middles_[panel]), along, at);
    const PanelShape<double>& shape = panels_.shape[panel];
    for (int half = 0; half + 2 < shape.corners; ++half) {
      lanes_.triangles.set(count_, triangle_of(shape, half));
      for (int axis = 0; axis < 3; ++axis) {
        lanes_.x[axis][count_] = x[axis];
        lanes_.about[axis][count_] = middles_[panel][axis];
      }
      lanes_.own[count_] = own ? 1.0 : 0.0;
      std::copy(along, along + 2, along_[count_]);
      at_[count_++] = at;
      if (count_ == TriangleLanes::most) flush();
    }
  }

  void add(const PanelMoments& moments, const Vec3d (&along)[2], std::size_t at) {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      for (std::size_t c = 0; c < 2; ++c)
        rows_[l].values[at + c] += dot(of_layer(moments, layers_[l]), along[c]);
    }
  }

  const Panels& panels_;
  const PanelNodes& nodes_;
  std::span<const Vec3d> middles_;
  std::span<const Layer> layers_;
  std::vector<SparseRows>& rows_;
  MomentLanes lanes_{};
  Vec3d along_[TriangleLanes::most][2];
  std::size_t at_[TriangleLanes::most];
  int count_ = 0;
};

}  // namespace

std::shared_ptr<const SparsityPattern> close_panels(const Panels& panels, const PanelNodes& nodes,
                                                    const RowRange& rows) {
  const std::size_t n = panels.size();
  const PanelNeighbourhood around(panels);
  const AlignedVector<std::int32_t> order = spatial_order(panels.centroid);
  const auto for_each_pair = [&](const auto& visit) {
    parallel_chunks(
        n, 64, [] { return PanelNeighbourhood::Ring{}; },
        [&](std::size_t k, PanelNeighbourhood::Ring& ring) {
          const std::int32_t i = order[k];
          around.collect(i, 1, ring);
          ring.panels.push_back(i);
          for (const std::int32_t each : ring.panels) {
            const std::int32_t panel = around.origin(each);
            const std::size_t row =
                static_cast<std::size_t>(around.image(each)) * n + static_cast<std::size_t>(i);
            if (row >= rows.begin && row < rows.end &&
                !nodes.is_cut(static_cast<std::size_t>(panel)))
              visit(row - rows.begin, panel);
          }
        });
  };
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.assign(rows.end - rows.begin + 1, 0);
  for_each_pair([&](std::size_t row, std::int32_t) { pattern->offsets[row + 1] += 2; });
  std::partial_sum(pattern->offsets.begin(), pattern->offsets.end(), pattern->offsets.begin());
  pattern->columns.resize(static_cast<std::size_t>(pattern->offsets.back()));
  std::vector<std::int64_t> next(pattern->offsets.begin(), pattern->offsets.end() - 1);
  for_each_pair([&](std::size_t row, std::int32_t panel) {
    std::int32_t* const columns = pattern->columns.data() + next[row];
    columns[0] = 2 * panel;
    columns[1] = 2 * panel + 1;
    next[row] += 2;
  });
  return pattern;
}

std::vector<SparseRows> linear_moments(const Panels& panels, const PanelNodes& nodes,
                                       std::span<const Vec3d> targets, std::size_t own,
                                       std::shared_ptr<const SparsityPattern> pattern,
                                       std::size_t first, std::span<const Layer> layers) {
  std::vector<SparseRows> rows;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    rows.push_back({2 * panels.size(), pattern, AlignedVector<double>(pattern->entries())});
  }
  nodes.bring_to_host();
  AlignedVector<Vec3d> middles(panels.size());
  parallel_for(panels.size(), [&](std::size_t j) { middles[j] = nodes.middle(j); });
  const std::size_t n = rows.empty() ? 0 : rows.front().rows(), none = panels.size();
  const std::span<const Vec3d> at = targets.subspan(first, n);
  const AlignedVector<std::int32_t> order = spatial_order(at);
  constexpr std::size_t block = 64;
  parallel_chunks((n + block - 1) / block, 1,
                  [&] { return MomentEntries(panels, nodes, middles, layers, rows); },
                  [&](std::size_t b, MomentEntries& entries) {
                    for (std::size_t k = b * block; k < std::min(n, (b + 1) * block); ++k) {
                      const auto row = static_cast<std::size_t>(order[k]);
                      entries.write_row(row, at[row], first + row < own ? first + row : none);
                    }
                    entries.flush();
                  });
  return rows;
}

}  // namespace rankine::bem
