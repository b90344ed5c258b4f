#include "rankine/bem/layers/shared_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::bem {
namespace {

/// Least cosine between normals that are averaged.
constexpr double like_normals = 0.99;

/// Cells with widths in steps of sqrt(2). A key contains the class of the width and the position.
class Cells {
 public:
  static constexpr int bits = 19, class_bits = 7;  // per axis
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  Cells(const BoundingBox& box, double widest)
      : corner_(box.lower), side_(box.longest()), widest_(class_of(widest)) {}

  /// `none` if the cells are too small for the key.
  std::uint64_t key(const Vec3d& at, double width) const {
    if (!(width > 0.0)) return none;
    const int narrower = widest_ - class_of(width);
    const double cell = std::exp2(0.5 * class_of(width));
    if (narrower >= (1 << class_bits) || side_ >= std::ldexp(cell, bits)) return none;
    auto key = static_cast<std::uint64_t>(narrower);
    for (int axis = 0; axis < 3; ++axis)
      key = key << bits | static_cast<std::uint64_t>((at[axis] - corner_[axis]) / cell);
    return key;
  }

 private:
  static int class_of(double width) { return static_cast<int>(std::floor(2.0 * std::log2(width))); }

  Vec3d corner_;
  double side_;
  int widest_;
};

/// Nodes in the order of the keys of their cells, nodes of one cell in their own order.
struct SortedNodes {
  AlignedVector<std::uint64_t> keys;
  AlignedVector<std::int32_t> nodes;

  /// The first node of every cell, and the number of nodes. Nodes without a cell are left out.
  std::vector<std::size_t> cells() const {
    std::vector<std::size_t> begin;
    std::size_t k = 0;
    for (; k < keys.size() && keys[k] != Cells::none; ++k) {
      if (k == 0 || keys[k] != keys[k - 1]) begin.push_back(k);
    }
    begin.push_back(k);
    return begin;
  }
};

/// The nodes of the panels that are cut into strips.
SortedNodes sort_by_cell(const PanelNodes& nodes) {
  const double share = shared_width(nodes.tolerance);
  SortedNodes sorted;
  std::vector<double> width;
  for (std::size_t j = 0; j + 1 < nodes.first.size(); ++j) {
    if (!nodes.is_cut(j)) continue;
    const auto ball = static_cast<std::size_t>(nodes.balls.first[j]),
               balls = static_cast<std::size_t>(nodes.balls.first[j + 1]) - ball;
    const std::size_t begin = nodes.begin(j), of_strip = (nodes.end(j) - begin) / balls;
    for (std::size_t k = 0; k < of_strip * balls; ++k) {
      sorted.nodes.push_back(static_cast<std::int32_t>(begin + k));
      width.push_back(share * nodes.balls.radius[ball + k / of_strip]);
    }
  }
  const AlignedVector<Vec3d>& points = nodes.points.on_host();
  const Cells cells(bounding_box(points), *std::max_element(width.begin(), width.end()));
  sorted.keys.resize(width.size());
  parallel_for(width.size(), [&](std::size_t k) {
    sorted.keys[k] = cells.key(points[static_cast<std::size_t>(sorted.nodes[k])], width[k]);
  });
  radix_sort(sorted.keys, sorted.nodes, 64);
  return sorted;
}

/// Nodes of one cell with similar normals, which become one source.
struct SharedSource {
  std::int32_t first;  ///< the first of the nodes
  int nodes = 0;
  double weight = 0.0;
  Vec3d moment{}, normal{};  ///< sums of weights times positions, and times normals

  bool is_shared() const { return nodes > 1 && weight > 0.0; }
};

}  // namespace

void share_nodes(PanelNodes& nodes) {
  if (!nodes.some_are_cut()) return;
  const SortedNodes sorted = sort_by_cell(nodes);
  const std::vector<std::size_t> cells = sorted.cells();
  // In separate vectors, because copies on a device may exist for the old ones.
  AlignedVector<Vec3d> points = nodes.points.on_host(), normals = nodes.normals.on_host();
  const AlignedVector<double>& weights = nodes.weights.on_host();
  const std::size_t count = points.size();
  AlignedVector<std::int32_t> first(count);  // the first node with the same source
  parallel_for(count, [&](std::size_t k) { first[k] = static_cast<std::int32_t>(k); });
  parallel_chunks(
      cells.size() - 1, 64, [] { return std::vector<SharedSource>{}; },
      [&](std::size_t cell, std::vector<SharedSource>& sources) {
        const std::span of_cell(
            sorted.nodes.begin() + static_cast<std::ptrdiff_t>(cells[cell]),
            sorted.nodes.begin() + static_cast<std::ptrdiff_t>(cells[cell + 1]));
        sources.clear();
        for (const std::int32_t node : of_cell) {
          const auto k = static_cast<std::size_t>(node);
          auto source = std::find_if(sources.begin(), sources.end(), [&](const SharedSource& each) {
            return dot(normals[static_cast<std::size_t>(each.first)], normals[k]) > like_normals;
          });
          if (source == sources.end()) source = sources.insert(source, SharedSource{node});
          ++source->nodes;
          source->weight += weights[k];
          source->moment += weights[k] * points[k];
          source->normal += weights[k] * normals[k];
          first[k] = source->first;
        }
        for (const std::int32_t node : of_cell) {
          const auto k = static_cast<std::size_t>(node);
          const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& each) {
            return each.first == first[k];
          });
          if (!source->is_shared()) continue;
          points[k] = source->moment / source->weight;
          normals[k] = source->normal / source->weight;
        }
      });
  AlignedVector<std::int32_t> source(count);
  std::int32_t sources = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto with = static_cast<std::size_t>(first[k]);
    source[k] = with == k ? sources++ : source[with];
  }
  if (static_cast<std::size_t>(sources) < count) {
    nodes.source_points.resize(static_cast<std::size_t>(sources));
    nodes.source_normals.resize(static_cast<std::size_t>(sources));
    parallel_for(count, [&](std::size_t k) {
      if (static_cast<std::size_t>(first[k]) != k) return;
      nodes.source_points[static_cast<std::size_t>(source[k])] = points[k];
      nodes.source_normals[static_cast<std::size_t>(source[k])] = normals[k];
    });
    nodes.source = std::move(source);
  }
  nodes.points = std::move(points);
  nodes.normals = std::move(normals);
}

namespace {

struct Entry {
  std::int32_t column;
  double value;
};

/// The sum of rows, with ascending columns.
void sum_rows(const SparseRows& rows, std::span<const std::int32_t> which,
              std::vector<Entry>& sum) {
  const SparsityPattern& pattern = *rows.pattern;
  sum.clear();
  for (const std::int32_t row : which) {
    for (std::int64_t e = pattern.offsets[static_cast<std::size_t>(row)];
         e < pattern.offsets[static_cast<std::size_t>(row) + 1]; ++e)
      sum.push_back(
          {pattern.columns[static_cast<std::size_t>(e)], rows.values[static_cast<std::size_t>(e)]});
  }
  std::stable_sort(sum.begin(), sum.end(),
                   [](const Entry& a, const Entry& b) { return a.column < b.column; });
  auto last = sum.begin();
  for (auto each = sum.begin(); each != sum.end(); ++each) {
    if (each == last) continue;
    if (each->column == last->column) {
      last->value += each->value;
    } else {
      *++last = *each;
    }
  }
  if (!sum.empty()) sum.erase(last + 1, sum.end());
}

}  // namespace

SparseRows strengths_of_sources(const Panels& panels, const PanelNodes& nodes,
                                const SparseRows& gradients, const RowRange& rows) {
  if (nodes.source.empty()) return linear_strengths(panels, nodes, gradients, rows);
  const SparseRows of_nodes = linear_strengths(panels, nodes, gradients);
  const std::size_t sources = nodes.source_points.size();
  const RowRange kept = rows.of(sources);
  std::vector<std::int32_t> first(sources + 1, 0), of_source(nodes.source.size());
  for (const std::int32_t source : nodes.source) ++first[static_cast<std::size_t>(source) + 1];
  std::inclusive_scan(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  for (std::size_t k = 0; k < of_source.size(); ++k) {
    const auto source = static_cast<std::size_t>(nodes.source[k]);
    of_source[static_cast<std::size_t>(next[source]++)] = static_cast<std::int32_t>(k);
  }
  const auto for_each_row = [&](const auto& use) {
    parallel_chunks(
        kept.size(), 256, [] { return std::vector<Entry>{}; },
        [&](std::size_t row, std::vector<Entry>& sum) {
          const std::size_t s = kept.begin + row;
          sum_rows(of_nodes,
                   std::span(of_source).subspan(static_cast<std::size_t>(first[s]),
                                                static_cast<std::size_t>(first[s + 1] - first[s])),
                   sum);
          use(row, sum);
        });
  };
  auto to = std::make_shared<SparsityPattern>();
  to->offsets.assign(kept.size() + 1, 0);
  for_each_row([&](std::size_t k, const std::vector<Entry>& row) {
    to->offsets[k + 1] = static_cast<std::int64_t>(row.size());
  });
  std::inclusive_scan(to->offsets.begin(), to->offsets.end(), to->offsets.begin());
  to->columns.resize(static_cast<std::size_t>(to->offsets.back()));
  AlignedVector<double> values(to->columns.size());
  for_each_row([&](std::size_t k, const std::vector<Entry>& row) {
    auto at = static_cast<std::size_t>(to->offsets[k]);
    for (const Entry& each : row) {
      to->columns[at] = each.column;
      values[at++] = each.value;
    }
  });
  return {of_nodes.columns, std::move(to), std::move(values)};
}

}  // namespace rankine::bem
