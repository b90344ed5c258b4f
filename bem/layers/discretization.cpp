#include "rankine/bem/layers/discretization.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

const meshes::Symmetry& Discretization::symmetry() const {
  static const meshes::Symmetry none;
  return none;
}

double Discretization::nodes_per_point() const {
  return points().empty()
             ? 0.0
             : static_cast<double>(nodes().size()) / static_cast<double>(points().size());
}

void keep_rows(SparsityPattern& pattern, const RowRange& rows) {
  const RowRange kept = rows.of(pattern.rows());
  if (kept.size() == pattern.rows()) return;
  const auto begin = pattern.offsets[kept.begin], end = pattern.offsets[kept.end];
  for (std::int64_t& offset : pattern.offsets) offset = std::clamp(offset, begin, end) - begin;
  pattern.columns = {pattern.columns.begin() + begin, pattern.columns.begin() + end};
}

std::vector<SparseRows> integrate_near(const Discretization& discretization,
                                       std::span<const Layer> layers, const RowRange& rows) {
  const auto pairs = std::make_shared<SparsityPattern>(discretization.near_pairs(rows));
  const RowRange kept = rows.of(pairs->rows());
  std::vector<SparseRows> matrices;
  std::vector<double*> values;
  for (std::size_t l = 0; l < layers.size(); ++l)
    matrices.push_back({discretization.unknowns(), pairs, AlignedVector<double>(pairs->entries())});
  for (SparseRows& each : matrices) {
    first_touch(each.values);
    values.push_back(each.values.data());
  }
  discretization.integrate(layers, *pairs, values);
  if (kept.size() < pairs->rows()) {
    const auto at = [&](std::size_t row) {
      return pairs->offsets.begin() + static_cast<std::ptrdiff_t>(row);
    };
    pairs->offsets.erase(at(kept.end) + 1, pairs->offsets.end());
    pairs->offsets.erase(pairs->offsets.begin(), at(kept.begin));
  }
  return matrices;
}

SparseRows normal_rows(std::span<const Vec3d> normals) {
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.resize(normals.size() + 1);
  pattern->columns.resize(3 * normals.size());
  AlignedVector<double> values(3 * normals.size());
  parallel_for(normals.size(), [&](std::size_t i) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t k = 3 * i + static_cast<std::size_t>(axis);
      pattern->columns[k] = static_cast<std::int32_t>(k);
      values[k] = normals[i][axis];
    }
    pattern->offsets[i + 1] = static_cast<std::int64_t>(3 * i + 3);
  });
  return {3 * normals.size(), std::move(pattern), std::move(values)};
}

}  // namespace rankine::bem
