#include "fmm/interaction_lists.hpp"

#include <algorithm>
#include <cmath>

#include <functional>

namespace rankine::fmm {
namespace {

/// Rows found by one block of boxes, in box order.
struct Rows {
  std::vector<std::int32_t> sizes;
  std::vector<std::int32_t> items;

  void end_row(std::size_t row_begin) {
    sizes.push_back(static_cast<std::int32_t>(items.size() - row_begin));
  }
};

/// Appends the rows of consecutive blocks to `lists`.
void append(BoxLists& lists, const std::vector<Rows>& blocks) {
  std::vector<std::size_t> at;
  std::size_t total = lists.items.size();
  for (const Rows& block : blocks) {
    at.push_back(total);
    for (const std::int32_t size : block.sizes) lists.begin.push_back(lists.begin.back() + size);
    total += block.items.size();
  }
  lists.items.resize(total);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::copy(blocks[i].items.begin(), blocks[i].items.end(),
              lists.items.begin() + static_cast<std::ptrdiff_t>(at[i]));
  }
}

/// What one box sees: its colleagues (boxes of its level, or larger leaves, that are adjacent) and
/// its lists.
struct BoxRows {
  Rows colleagues, near, far, multipole, local, deferred;
};

/// Appends the leaves with sources below box c.
void append_leaves(const Octree& tree, std::int32_t c, Rows& near) {
  const Box& box = tree.boxes[c];
  if (box.source_count() == 0) return;
  if (box.is_leaf()) near.items.push_back(c);
  for (std::int32_t i = 0; i < box.child_count; ++i) append_leaves(tree, box.first_child + i, near);
}

/// Splits the adjacent, divided box c into adjacent leaves (near) and separated boxes (multipole).
void descend(const Octree& tree, int direct_threshold, const Box& b, const Box& c, Rows& near,
             Rows& multipole) {
  for (std::int32_t i = c.first_child; i < c.first_child + c.child_count; ++i) {
    const Box& child = tree.boxes[i];
    if (child.source_count() == 0) continue;
    if (!adjacent(b, child)) {
      if (child.source_count() <= direct_threshold) {
        append_leaves(tree, i, near);
      } else {
        multipole.items.push_back(i);
      }
    } else if (child.is_leaf()) {
      near.items.push_back(i);
    } else {
      descend(tree, direct_threshold, b, child, near, multipole);
    }
  }
}

/// Larger leaves whose sources every leaf below a sparse box sums directly, one row per box.
using DeferredLists = BoxLists;

void build_rows(const Octree& tree, int direct_threshold, std::int32_t index,
                const BoxLists& colleagues, const DeferredLists& deferred, BoxRows& rows) {
  const std::span<const std::int32_t> parent_colleagues = colleagues.row(tree.boxes[index].parent);
  const Box& b = tree.boxes[index];
  const std::size_t colleagues_begin = rows.colleagues.items.size(),
                    near_begin = rows.near.items.size(), far_begin = rows.far.items.size(),
                    multipole_begin = rows.multipole.items.size(),
                    local_begin = rows.local.items.size(),
                    deferred_begin = rows.deferred.items.size();
  if (b.target_count() > 0) {
    Rows& separated_leaves = b.target_count() <= direct_threshold ? rows.deferred : rows.local;
    for (const std::int32_t p : parent_colleagues) {
      const Box& c = tree.boxes[p];
      if (c.is_leaf()) {
        (adjacent(b, c) ? rows.colleagues : separated_leaves).items.push_back(p);
        continue;
      }
      for (std::int32_t i = c.first_child; i < c.first_child + c.child_count; ++i) {
        if (tree.boxes[i].source_count() == 0) continue;
        (adjacent(b, tree.boxes[i]) ? rows.colleagues : rows.far).items.push_back(i);
      }
    }
    if (b.is_leaf()) {
      for (std::size_t i = colleagues_begin; i < rows.colleagues.items.size(); ++i) {
        const std::int32_t c = rows.colleagues.items[i];
        if (tree.boxes[c].is_leaf()) {
          rows.near.items.push_back(c);
        } else {
          descend(tree, direct_threshold, b, tree.boxes[c], rows.near, rows.multipole);
        }
      }
      for (std::size_t i = deferred_begin; i < rows.deferred.items.size(); ++i) {
        rows.near.items.push_back(rows.deferred.items[i]);
      }
      for (std::int32_t a = b.parent; a >= 0 && tree.boxes[a].target_count() <= direct_threshold;
           a = tree.boxes[a].parent) {
        const auto row = deferred.row(a);
        rows.near.items.insert(rows.near.items.end(), row.begin(), row.end());
      }
    }
  }
  rows.colleagues.end_row(colleagues_begin);
  rows.near.end_row(near_begin);
  rows.far.end_row(far_begin);
  rows.multipole.end_row(multipole_begin);
  rows.local.end_row(local_begin);
  rows.deferred.end_row(deferred_begin);
}

constexpr std::int32_t boxes_per_block = 1024;

/// Calls build(first, last, block) over blocks of the boxes [begin, end), in parallel.
void for_blocks(std::int32_t begin, std::int32_t end,
                const std::function<void(std::int32_t, std::int32_t, std::size_t)>& build) {
  const std::int32_t blocks = (end - begin + boxes_per_block - 1) / boxes_per_block;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int32_t i = 0; i < blocks; ++i) {
    const std::int32_t first = begin + i * boxes_per_block;
    build(first, std::min(first + boxes_per_block, end), static_cast<std::size_t>(i));
  }
}

std::size_t block_count(std::int32_t begin, std::int32_t end) {
  return static_cast<std::size_t>((end - begin + boxes_per_block - 1) / boxes_per_block);
}

std::vector<Rows> take(std::vector<BoxRows>& blocks, Rows BoxRows::*member) {
  std::vector<Rows> result;
  for (BoxRows& block : blocks) result.push_back(std::move(block.*member));
  return result;
}

}  // namespace

InteractionLists build_interaction_lists(const Octree& tree, int direct_threshold) {
  InteractionLists lists;
  BoxLists colleagues, deferred;
  for (BoxLists* each :
       {&colleagues, &deferred, &lists.near, &lists.far, &lists.multipole, &lists.local}) {
    each->begin = {0};
  }
  const std::int32_t root = 0;
  const bool any_source = tree.boxes[root].source_count() > 0;
  for (int level = 0; level <= tree.depth(); ++level) {
    const std::int32_t begin = tree.level_begin[level], end = tree.level_begin[level + 1];
    std::vector<BoxRows> blocks(block_count(begin, end));
    for_blocks(begin, end, [&](std::int32_t first, std::int32_t last, std::size_t block) {
      for (std::int32_t b = first; b < last; ++b) {
        if (level > 0) {
          build_rows(tree, direct_threshold, b, colleagues, deferred, blocks[block]);
          continue;
        }
        // The root is its own colleague.
        BoxRows& rows = blocks[block];
        const bool both = any_source && tree.boxes[root].target_count() > 0;
        if (both) rows.colleagues.items.push_back(root);
        if (both && tree.boxes[root].is_leaf()) rows.near.items.push_back(root);
        rows.colleagues.end_row(0);
        rows.near.end_row(0);
        rows.far.end_row(0);
        rows.multipole.end_row(0);
        rows.local.end_row(0);
        rows.deferred.end_row(0);
      }
    });
    append(colleagues, take(blocks, &BoxRows::colleagues));
    append(lists.near, take(blocks, &BoxRows::near));
    append(lists.far, take(blocks, &BoxRows::far));
    append(lists.multipole, take(blocks, &BoxRows::multipole));
    append(lists.local, take(blocks, &BoxRows::local));
    append(deferred, take(blocks, &BoxRows::deferred));
  }
  return lists;
}

InteractionLists build_treecode_lists(const Octree& tree) {
  InteractionLists lists;
  const auto boxes = static_cast<std::int32_t>(tree.boxes.size());
  std::vector<BoxRows> blocks(block_count(0, boxes));
  // A box accepted as a multipole is at least its own edge away from the target leaf, as in the W
  // list.
  const auto separated = [&](const Box& target, const Box& source) {
    if (source.level >= target.level) return !adjacent(target, source);
    const double h = 1.0 / static_cast<double>(1u << source.level),
                 g = 1.0 / static_cast<double>(1u << target.level);
    const Vec3d r = box_centre(target) - box_centre(source);
    const double gap = std::max({std::abs(r.x), std::abs(r.y), std::abs(r.z)}) - 0.5 * (h + g);
    return gap >= h * (1.0 - 1e-12);
  };
  for_blocks(0, boxes, [&](std::int32_t first, std::int32_t last, std::size_t block) {
    Rows& near = blocks[block].near;
    Rows& multipole = blocks[block].multipole;
    for (std::int32_t b = first; b < last; ++b) {
      const std::size_t near_begin = near.items.size(), multipole_begin = multipole.items.size();
      const Box& target = tree.boxes[b];
      const std::function<void(std::int32_t)> visit = [&](std::int32_t c) {
        const Box& source = tree.boxes[c];
        if (source.source_count() == 0) return;
        if (separated(target, source)) {
          multipole.items.push_back(c);
        } else if (source.is_leaf()) {
          near.items.push_back(c);
        } else {
          for (std::int32_t i = 0; i < source.child_count; ++i) visit(source.first_child + i);
        }
      };
      if (target.is_leaf() && target.target_count() > 0) visit(0);
      near.end_row(near_begin);
      multipole.end_row(multipole_begin);
    }
  });
  for (BoxLists* each : {&lists.near, &lists.far, &lists.multipole, &lists.local})
    each->begin = {0};
  append(lists.near, take(blocks, &BoxRows::near));
  append(lists.multipole, take(blocks, &BoxRows::multipole));
  lists.far.begin.resize(tree.boxes.size() + 1, 0);
  lists.local.begin.resize(tree.boxes.size() + 1, 0);
  return lists;
}

}  // namespace rankine::fmm
