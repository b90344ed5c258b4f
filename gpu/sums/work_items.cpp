#include "rankine/gpu/sums/work_items.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rankine/fmm/close_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::gpu {
namespace {

template <class T>
T inverse_edge(const fmm::Box& box) {
  return static_cast<T>(1.0 / fmm::box_edge(box));
}

/// Rows [begin[i], begin[i + 1]) with sizes size(i), filled by fill(i, first element).
template <class Item, class Size, class Fill>
std::vector<std::int32_t> fill_rows(std::size_t rows, AlignedVector<Item>& items, Size&& size,
                                    Fill&& fill) {
  std::vector<std::int32_t> begin(rows + 1, 0);
  for (std::size_t i = 0; i < rows; ++i)
    begin[i + 1] = begin[i] + static_cast<std::int32_t>(size(i));
  items.resize(begin[rows]);
  parallel_chunks(rows, 64, [&](std::size_t i) { fill(i, items.data() + begin[i]); });
  return begin;
}

/// P2M of every leaf with sources, P2L of every box with a local list.
template <class T>
void add_collections(const fmm::Plan& plan, WorkItems<T>& work) {
  const auto& boxes = plan.tree.boxes;
  for (const std::int32_t leaf : plan.leaves) {
    if (boxes[leaf].source_count() == 0) continue;
    const auto at = static_cast<std::int32_t>(work.p2m_ranges.size());
    work.p2m.push_back({leaf, at, at + 1, inverse_edge<T>(boxes[leaf])});
    work.p2m_ranges.push_back(fmm::source_range<T>(boxes[leaf], boxes[leaf]));
  }
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const auto row = plan.lists.local.row(static_cast<std::int32_t>(b));
    if (row.empty()) continue;
    const auto at = static_cast<std::int32_t>(work.p2l_ranges.size());
    for (const std::int32_t c : row)
      work.p2l_ranges.push_back(fmm::source_range<T>(boxes[b], boxes[c]));
    work.p2l.push_back({static_cast<std::int32_t>(b), at,
                        static_cast<std::int32_t>(work.p2l_ranges.size()),
                        inverse_edge<T>(boxes[b])});
  }
}

/// Puts blocks with many pairs first, so that the last to run are short; blocks of about the same
/// work stay together.
template <class T>
void sort_by_work(WorkItems<T>& work) {
  constexpr std::int64_t classes = 32;
  std::vector<std::int64_t> pairs(work.target_blocks.size());
  const auto raise = [](std::int64_t& most, std::int64_t value) { most = std::max(most, value); };
  const std::int64_t most = parallel_reduce(
      pairs.size(), std::int64_t{1},
      [&](std::size_t i, std::int64_t& most_here) {
        const TargetBlock<T>& block = work.target_blocks[i];
        for (std::int32_t r = block.near_begin; r < block.near_end; ++r)
          pairs[i] += work.near[r].end - work.near[r].begin;
        pairs[i] *= block.target_count;
        raise(most_here, pairs[i]);
      },
      raise);
  std::vector<std::size_t> begin(classes + 1, 0);
  const auto class_of = [&](std::size_t i) {
    return (classes - 1) - pairs[i] * (classes - 1) / most;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) ++begin[class_of(i) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  AlignedVector<TargetBlock<T>> sorted(work.target_blocks.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    sorted[begin[class_of(i)]++] = work.target_blocks[i];
  work.target_blocks = std::move(sorted);
}

}  // namespace

template <class T>
WorkItems<T> make_work_items(const fmm::Plan& plan) {
  WorkItems<T> work;
  const auto& boxes = plan.tree.boxes;
  add_collections(plan, work);

  std::vector<std::int32_t> leaves;
  for (const std::int32_t leaf : plan.leaves) {
    if (boxes[leaf].target_count() > 0) leaves.push_back(leaf);
  }
  const auto near_begin = fill_rows(
      leaves.size(), work.near,
      [&](std::size_t i) { return plan.lists.near.row(leaves[i]).size(); },
      [&](std::size_t i, SourceRange<T>* out) {
        for (const std::int32_t c : plan.lists.near.row(leaves[i]))
          *out++ = fmm::source_range<T>(boxes[leaves[i]], boxes[c]);
      });
  fill_rows(
      leaves.size(), work.near_reach,
      [&](std::size_t i) { return plan.lists.near.row(leaves[i]).size(); },
      [&](std::size_t i, CloseReach* out) {
        for (const std::int32_t c : plan.lists.near.row(leaves[i])) {
          const double limit = fmm::close_limit(plan.options, boxes[leaves[i]], boxes[c]);
          const double reach = (0.5 * fmm::box_edge(boxes[c]) + limit) * (1.0 + 1e-6);
          *out++ = {static_cast<float>(limit * limit), static_cast<float>(reach)};
        }
      });
  const auto multipole_begin = fill_rows(
      leaves.size(), work.multipoles,
      [&](std::size_t i) { return plan.lists.multipole.row(leaves[i]).size(); },
      [&](std::size_t i, MultipoleView<T>* out) {
        for (const std::int32_t c : plan.lists.multipole.row(leaves[i])) {
          const SourceRange<T> range = fmm::source_range<T>(boxes[leaves[i]], boxes[c]);
          *out++ = {c, inverse_edge<T>(boxes[c]), {range.shift[0], range.shift[1], range.shift[2]}};
        }
      });
  fill_rows(
      leaves.size(), work.target_blocks,
      [&](std::size_t i) {
        return (boxes[leaves[i]].target_count() + block_targets - 1) / block_targets;
      },
      [&](std::size_t i, TargetBlock<T>* out) {
        const fmm::Box& box = boxes[leaves[i]];
        const std::int32_t blocks = (box.target_count() + block_targets - 1) / block_targets;
        for (std::int32_t k = 0; k < blocks; ++k) {
          const auto cut = [&](std::int32_t part) {
            return static_cast<std::int32_t>(static_cast<std::int64_t>(box.target_count()) * part /
                                             blocks);
          };
          *out++ = {leaves[i],
                    box.target_begin + cut(k),
                    cut(k + 1) - cut(k),
                    near_begin[i],
                    near_begin[i + 1],
                    multipole_begin[i],
                    multipole_begin[i + 1],
                    inverse_edge<T>(box)};
        }
      });
  sort_by_work(work);
  return work;
}

template <class T>
CloseItems<T> take_close(WorkItems<T>& work, const std::vector<std::uint8_t>& close) {
  CloseItems<T> items;
  AlignedVector<SourceRange<T>> rest;
  std::vector<std::int32_t> close_before(close.size() + 1, 0);
  for (std::size_t r = 0; r < close.size(); ++r) {
    (close[r] != 0 ? items.ranges : rest).push_back(work.near[r]);
    close_before[r + 1] = close_before[r] + (close[r] != 0 ? 1 : 0);
  }
  work.near = std::move(rest);
  for (TargetBlock<T>& block : work.target_blocks) {
    const std::int32_t begin = close_before[block.near_begin], end = close_before[block.near_end];
    if (begin < end) items.blocks.push_back({block.target_begin, block.target_count, begin, end});
    block.near_begin -= begin;
    block.near_end -= end;
  }
  return items;
}

template WorkItems<float> make_work_items<float>(const fmm::Plan&);
template CloseItems<float> take_close<float>(WorkItems<float>&, const std::vector<std::uint8_t>&);
template CloseItems<double> take_close<double>(WorkItems<double>&,
                                               const std::vector<std::uint8_t>&);
template WorkItems<double> make_work_items<double>(const fmm::Plan&);

}  // namespace rankine::gpu
