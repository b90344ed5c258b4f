#include "rankine/bem/layers/linear_strengths.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes,
                            const IsConstant& is_constant) {
  const PanelNeighbourhood around(panels);
  auto pattern = std::make_shared<SparsityPattern>();
  std::vector<std::int64_t> entries(panels.size() + 1, 0);
  // Neighbours of the panels of a block, stored once: the number of a panel's neighbours, then
  // these.
  constexpr std::size_t block_size = 256;
  std::vector<std::vector<std::int32_t>> of_block((panels.size() + block_size - 1) / block_size);
  const auto for_each_block = [&](const auto& work) {
    parallel_chunks(
        of_block.size(), 1, [] { return GradientFit{}; },
        [&](std::size_t block, GradientFit& gradient) {
          const std::size_t begin = block * block_size;
          work(begin, std::min(panels.size(), begin + block_size), of_block[block], gradient);
        });
  };
  for_each_block([&](std::size_t begin, std::size_t end, std::vector<std::int32_t>& found,
                     GradientFit& gradient) {
    for (std::size_t j = begin; j < end; ++j) {
      gradient.neighbours.clear();
      if (!is_constant(j)) gradient.find_neighbours(around, static_cast<std::int32_t>(j));
      const auto count = gradient.neighbours.size();
      found.push_back(static_cast<std::int32_t>(count));
      found.insert(found.end(), gradient.neighbours.begin(), gradient.neighbours.end());
      entries[j + 1] = static_cast<std::int64_t>((count + 1) * (nodes.end(j) - nodes.begin(j)));
    }
  });
  for (std::size_t j = 0; j < panels.size(); ++j) entries[j + 1] += entries[j];
  pattern->offsets.resize(nodes.weights.size() + 1);
  resize_touched(pattern->columns, static_cast<std::size_t>(entries.back()));
  AlignedVector<double> values;
  resize_touched(values, pattern->columns.size());
  pattern->offsets[0] = 0;
  const auto fill = [&](std::size_t j, const GradientFit& gradient) {
    const std::size_t row = gradient.neighbours.size() + 1;
    const Vec3d middle = nodes.middle(j);
    auto at = static_cast<std::size_t>(entries[j]);
    for (std::size_t node = nodes.begin(j); node < nodes.end(j); ++node, at += row) {
      pattern->offsets[node + 1] = static_cast<std::int64_t>(at + row);
      write_strength_row(
          around, static_cast<std::int32_t>(j), gradient.neighbours,
          [&](std::size_t k) { return gradient.factors[k]; }, nodes.weights[node],
          nodes.points[node] - middle, &pattern->columns[at], &values[at]);
    }
  };
  for_each_block([&](std::size_t begin, std::size_t end, const std::vector<std::int32_t>& found,
                     GradientFit& gradient) {
    auto next = found.begin();
    for (std::size_t j = begin; j < end; ++j) {
      const std::int32_t count = *next++;
      gradient.neighbours.assign(next, next + count);
      next += count;
      gradient.fit_neighbours(around, static_cast<std::int32_t>(j));
      fill(j, gradient);
    }
  });
  return {panels.size(), std::move(pattern), std::move(values)};
}

std::vector<Vec3d> strength_gradients(const Panels& panels, const PanelNodes& nodes,
                                      std::span<const double> values) {
  const PanelNeighbourhood around(panels);
  std::vector<Vec3d> gradients(panels.size());
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      panels.size(), chunk, [] { return GradientFit{}; },
      [&](std::size_t j, GradientFit& gradient) {
        if (nodes.is_cut(j)) return;
        gradient.fit(around, static_cast<std::int32_t>(j));
        for (std::size_t k = 0; k < gradient.neighbours.size(); ++k) {
          const double other = around.value(values, gradient.neighbours[k]);
          gradients[j] += (other - values[j]) * gradient.factors[k];
        }
      });
  return gradients;
}

}  // namespace rankine::bem
