#include "rankine/bem/layers/layer_rows.hpp"

#include <algorithm>
#include <memory>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

void merge(LayerRow& row) {
  std::sort(row.begin(), row.end(),
            [](const LayerEntry& a, const LayerEntry& b) { return a.column < b.column; });
  std::size_t kept = 0;
  for (const LayerEntry& each : row) {
    if (kept > 0 && row[kept - 1].column == each.column) {
      for (std::size_t l = 0; l < each.values.size(); ++l)
        row[kept - 1].values[l] += each.values[l];
    } else {
      row[kept++] = each;
    }
  }
  row.resize(kept);
  row.shrink_to_fit();
}

std::vector<SparseRows> layer_matrices(const std::vector<LayerRow>& rows, std::size_t columns,
                                       std::size_t layers) {
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.resize(rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    pattern->offsets[i + 1] = pattern->offsets[i] + static_cast<std::int64_t>(rows[i].size());
  pattern->columns.resize(static_cast<std::size_t>(pattern->offsets.back()));
  std::vector<SparseRows> matrices;
  for (std::size_t l = 0; l < layers; ++l)
    matrices.push_back({columns, pattern, AlignedVector<double>(pattern->columns.size())});
  parallel_for(rows.size(), [&](std::size_t i) {
    auto at = static_cast<std::size_t>(pattern->offsets[i]);
    for (const LayerEntry& each : rows[i]) {
      pattern->columns[at] = each.column;
      for (std::size_t l = 0; l < layers; ++l) matrices[l].values[at] = each.values[l];
      ++at;
    }
  });
  return matrices;
}

}  // namespace rankine::bem
