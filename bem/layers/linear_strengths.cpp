#include "rankine/bem/layers/linear_strengths.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/panels/spatial_order.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SparseRows strength_gradients(const Panels& panels, const SlopeFits& fits,
                              std::span<const std::int8_t> strip) {
  const PanelNeighbourhood around(panels);
  const std::size_t n = panels.size();
  const auto edge_of = [&](std::int32_t j) {
    return static_cast<std::size_t>(j) < strip.size() ? strip[static_cast<std::size_t>(j)] : -1;
  };
  const AlignedVector<std::int32_t> order = spatial_order(panels.centroid);
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.assign(2 * n + 1, 0);
  // Neighbours of the panels of a block are found once and stored until the lengths of all rows are
  // known.
  constexpr std::size_t block_size = 256;
  std::vector<std::vector<std::int32_t>> of_block((n + block_size - 1) / block_size);
  const auto for_each_panel = [&](const auto& work) {
    parallel_chunks(
        of_block.size(), 1, [] { return GradientFit{}; },
        [&](std::size_t block, GradientFit& fit) {
          std::size_t from = 0;
          for (std::size_t k = block * block_size; k < std::min(n, (block + 1) * block_size); ++k)
            work(order[k], of_block[block], from, fit);
        });
  };
  for_each_panel(
      [&](std::int32_t j, std::vector<std::int32_t>& found, std::size_t&, GradientFit& fit) {
        fit.neighbours.clear();
        const SlopeFit wanted = fits(static_cast<std::size_t>(j));
        if (wanted != SlopeFit::none)
          fit.find_neighbours(around, j, edge_of(j), wanted == SlopeFit::around);
        found.insert(found.end(), fit.neighbours.begin(), fit.neighbours.end());
        std::int64_t* const ends = pattern->offsets.data() + 2 * static_cast<std::ptrdiff_t>(j) + 1;
        ends[0] = ends[1] = static_cast<std::int64_t>(fit.neighbours.size() + 1);
      });
  std::partial_sum(pattern->offsets.begin(), pattern->offsets.end(), pattern->offsets.begin());
  const auto entries = static_cast<std::size_t>(pattern->offsets.back());
  resize_touched(pattern->columns, entries);
  AlignedVector<double> values;
  resize_touched(values, entries);
  for_each_panel([&](std::int32_t j, const std::vector<std::int32_t>& found, std::size_t& from,
                     GradientFit& fit) {
    const std::int64_t* const row = pattern->offsets.data() + 2 * static_cast<std::ptrdiff_t>(j);
    const auto at = static_cast<std::size_t>(row[0]);
    const auto first = found.begin() + static_cast<std::ptrdiff_t>(from);
    from += static_cast<std::size_t>(row[1] - row[0] - 1);
    fit.neighbours.assign(first, found.begin() + static_cast<std::ptrdiff_t>(from));
    fit.fit_neighbours(around, j, edge_of(j));
    write_gradient_rows(
        around, j, fit.neighbours, [&](std::size_t k) { return fit.factors[k]; },
        Tangents(panels.normal[j]), &pattern->columns[at], &values[at]);
  });
  return {n, std::move(pattern), std::move(values)};
}

SparseRows linear_strengths(const Panels& panels, const PanelNodes& nodes,
                            const SparseRows& gradients, const RowRange& rows) {
  const SparsityPattern& of_gradients = *gradients.pattern;
  const auto row_of = [&](std::size_t j) {
    return static_cast<std::size_t>(of_gradients.offsets[2 * j + 1] - of_gradients.offsets[2 * j]);
  };
  const AlignedVector<Vec3d>& points = nodes.points.on_host();
  const AlignedVector<double>& weights = nodes.weights.on_host();
  const auto [first, last] = rows.of(weights.size());
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.resize(last - first + 1);
  pattern->offsets[0] = 0;
  const auto for_each_node = [&, first = first, last = last](std::size_t j, const auto& work) {
    for (std::size_t node = std::max(first, nodes.begin(j)); node < std::min(last, nodes.end(j));
         ++node)
      work(node, node - first);
  };
  parallel_for(panels.size(), [&](std::size_t j) {
    for_each_node(j, [&](std::size_t, std::size_t row) {
      pattern->offsets[row + 1] = static_cast<std::int64_t>(row_of(j));
    });
  });
  std::partial_sum(pattern->offsets.begin(), pattern->offsets.end(), pattern->offsets.begin());
  const auto entries = static_cast<std::size_t>(pattern->offsets.back());
  resize_touched(pattern->columns, entries);
  AlignedVector<double> values;
  resize_touched(values, entries);
  parallel_for(panels.size(), [&](std::size_t j) {
    const Vec3d middle = nodes.middle(j);
    const Tangents along(panels.normal[j]);
    const auto begin = static_cast<std::size_t>(of_gradients.offsets[2 * j]);
    for_each_node(j, [&](std::size_t node, std::size_t row) {
      const auto at = static_cast<std::size_t>(pattern->offsets[row]);
      write_strength_row(&of_gradients.columns[begin], &gradients.values[begin], row_of(j),
                         weights[node], points[node] - middle, along, &pattern->columns[at],
                         &values[at]);
    });
  });
  return {panels.size(), std::move(pattern), std::move(values)};
}

}  // namespace rankine::bem
