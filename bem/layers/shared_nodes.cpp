#include "rankine/bem/layers/shared_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "rankine/bem/layers/far_rules.hpp"
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

/// Width of the cell of every node; 0: the node is not shared.
std::vector<double> widths(const PanelNodes& nodes) {
  std::vector<double> width(nodes.points.size(), 0.0);
  const double share = shared_width(nodes.tolerance);
  parallel_for(nodes.first.size() - 1, [&](std::size_t j) {
    const auto ball = static_cast<std::size_t>(nodes.balls.first[j]),
               balls = static_cast<std::size_t>(nodes.balls.first[j + 1]) - ball;
    if (!nodes.is_cut(j)) return;
    const std::size_t begin = nodes.begin(j), of_strip = (nodes.end(j) - begin) / balls;
    for (std::size_t k = 0; k < of_strip * balls; ++k)
      width[begin + k] = share * nodes.balls.radius[ball + k / of_strip];
  });
  return width;
}

/// Nodes in the order of their keys, and the keys.
struct SortedNodes {
  AlignedVector<std::uint64_t> keys;
  AlignedVector<std::int32_t> order;
};

SortedNodes sort_by_cell(const PanelNodes& nodes, std::span<const double> width) {
  const Cells cells(bounding_box(nodes.points), *std::max_element(width.begin(), width.end()));
  SortedNodes sorted;
  sorted.keys.resize(width.size());
  sorted.order.resize(width.size());
  std::iota(sorted.order.begin(), sorted.order.end(), 0);
  parallel_for(width.size(),
               [&](std::size_t k) { sorted.keys[k] = cells.key(nodes.points[k], width[k]); });
  radix_sort(sorted.keys, sorted.order, 64);
  return sorted;
}

/// Assigns a source to every node and returns the number of sources.
std::size_t choose_sources(const SortedNodes& sorted, const PanelNodes& nodes,
                           AlignedVector<std::int32_t>& source) {
  std::vector<std::int32_t> first_of;  ///< the first node of every source of the cell
  std::int32_t sources = 0;
  for (std::size_t k = 0; k < sorted.order.size(); ++k) {
    const std::int32_t node = sorted.order[k];
    const bool alone = sorted.keys[k] == Cells::none;
    if (k == 0 || alone || sorted.keys[k] != sorted.keys[k - 1]) first_of.clear();
    const Vec3d& normal = nodes.normals[static_cast<std::size_t>(node)];
    const auto like = std::find_if(first_of.begin(), first_of.end(), [&](std::int32_t first) {
      return dot(nodes.normals[static_cast<std::size_t>(first)], normal) > like_normals;
    });
    source[static_cast<std::size_t>(node)] =
        like == first_of.end() ? sources++ : source[static_cast<std::size_t>(*like)];
    if (like == first_of.end()) first_of.push_back(node);
  }
  return static_cast<std::size_t>(sources);
}

}  // namespace

void share_nodes(PanelNodes& nodes) {
  if (!nodes.some_are_cut()) return;
  const std::vector<double> width = widths(nodes);
  const std::size_t count = nodes.points.size();
  if (std::all_of(width.begin(), width.end(), [](double each) { return each == 0.0; })) return;
  AlignedVector<std::int32_t> source(count);
  const std::size_t sources = choose_sources(sort_by_cell(nodes, width), nodes, source);
  if (sources == count) return;
  std::vector<double> weight(sources, 0.0);
  std::vector<std::int32_t> sharing(sources, 0);
  // In separate vectors, because copies on a device may exist for the old ones.
  AlignedVector<Vec3d> points = std::move(nodes.points), normals = std::move(nodes.normals);
  nodes.source_points.assign(sources, {});
  nodes.source_normals.assign(sources, {});
  for (std::size_t k = 0; k < count; ++k) {
    const auto s = static_cast<std::size_t>(source[k]);
    ++sharing[s];
    weight[s] += nodes.weights[k];
    nodes.source_points[s] += nodes.weights[k] * points[k];
    nodes.source_normals[s] += nodes.weights[k] * normals[k];
  }
  for (std::size_t k = 0; k < count; ++k) {
    const auto s = static_cast<std::size_t>(source[k]);
    if (sharing[s] > 1 && weight[s] > 0.0) {
      points[k] = nodes.source_points[s] / weight[s];
      normals[k] = nodes.source_normals[s] / weight[s];
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    nodes.source_points[static_cast<std::size_t>(source[k])] = points[k];
    nodes.source_normals[static_cast<std::size_t>(source[k])] = normals[k];
  }
  nodes.points = std::move(points);
  nodes.normals = std::move(normals);
  nodes.source = std::move(source);
}

SparseRows rows_of_sources(const PanelNodes& nodes, SparseRows of_nodes) {
  if (nodes.source.empty()) return of_nodes;
  const std::size_t sources = nodes.source_points.size();
  const SparsityPattern& from = *of_nodes.pattern;
  const auto row_of = [&](std::size_t node) {
    return static_cast<std::size_t>(nodes.source[node]);
  };
  // Entries of the nodes, source by source.
  std::vector<std::int64_t> begin(sources + 1, 0);
  for (std::size_t k = 0; k < from.rows(); ++k)
    begin[row_of(k) + 1] += from.offsets[k + 1] - from.offsets[k];
  std::inclusive_scan(begin.begin(), begin.end(), begin.begin());
  struct Entry {
    std::int32_t column;
    double value;
  };
  AlignedVector<Entry> entries(from.entries());
  std::vector<std::int64_t> end(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < from.rows(); ++k) {
    for (std::int64_t e = from.offsets[k]; e < from.offsets[k + 1]; ++e)
      entries[static_cast<std::size_t>(end[row_of(k)]++)] = {from.columns[e], of_nodes.values[e]};
  }
  auto to = std::make_shared<SparsityPattern>();
  to->offsets.assign(sources + 1, 0);
  parallel_chunks(sources, 256, [&](std::size_t s) {
    const auto first = entries.begin() + begin[s], last = entries.begin() + end[s];
    std::stable_sort(first, last,
                     [](const Entry& a, const Entry& b) { return a.column < b.column; });
    auto kept = first;
    for (auto each = first; each != last; ++each) {
      if (kept != first && (kept - 1)->column == each->column) {
        (kept - 1)->value += each->value;
      } else {
        *kept++ = *each;
      }
    }
    to->offsets[s + 1] = kept - first;
  });
  std::inclusive_scan(to->offsets.begin(), to->offsets.end(), to->offsets.begin());
  to->columns.resize(static_cast<std::size_t>(to->offsets.back()));
  AlignedVector<double> values(to->columns.size());
  parallel_for(sources, [&](std::size_t s) {
    for (std::int64_t k = to->offsets[s]; k < to->offsets[s + 1]; ++k) {
      const Entry& each = entries[static_cast<std::size_t>(begin[s] + k - to->offsets[s])];
      to->columns[static_cast<std::size_t>(k)] = each.column;
      values[static_cast<std::size_t>(k)] = each.value;
    }
  });
  return {of_nodes.columns, std::move(to), std::move(values)};
}

}  // namespace rankine::bem
