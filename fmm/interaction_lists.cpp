#include "rankine/fmm/interaction_lists.hpp"

#include <algorithm>
#include <limits>

#include "rankine/fmm/core/block_size.hpp"
#include "rankine/fmm/interaction_rows.hpp"

namespace rankine::fmm {
namespace {

/// Rows found by one block of boxes, in box order.
struct Rows {
  std::vector<std::int32_t> sizes;
  std::vector<std::int32_t> items;
  std::size_t row_begin = 0;

  void end_row() {
    sizes.push_back(static_cast<std::int32_t>(items.size() - row_begin));
    row_begin = items.size();
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
  parallel_for(blocks.size(), [&](std::size_t i) {
    std::copy(blocks[i].items.begin(), blocks[i].items.end(),
              lists.items.begin() + static_cast<std::ptrdiff_t>(at[i]));
  });
}

/// The rows of a block of boxes.
struct BoxRows {
  Rows near_rows, far_rows, multipole_rows, local_rows;

  void near(std::int32_t i) { near_rows.items.push_back(i); }
  void far(std::int32_t i) { far_rows.items.push_back(i); }
  void multipole(std::int32_t i) { multipole_rows.items.push_back(i); }
  void local(std::int32_t i) { local_rows.items.push_back(i); }

  void end_box() {
    for (Rows* rows : {&near_rows, &far_rows, &multipole_rows, &local_rows}) rows->end_row();
  }
};

/// Blocks of consecutive boxes.
struct Blocks {
  std::int32_t begin, end;
  std::int32_t size = block_size(end - begin, 64, 1024);

  std::size_t count() const { return static_cast<std::size_t>((end - begin + size - 1) / size); }

  /// Calls build(first, last, block) for each, in parallel.
  template <class Build>
  void for_each(const Build& build) const {
    parallel_chunks(count(), 1, [&](std::size_t i) {
      const std::int32_t first = begin + static_cast<std::int32_t>(i) * size;
      build(first, std::min(first + size, end), i);
    });
  }
};

std::vector<Rows> take(std::vector<BoxRows>& blocks, Rows BoxRows::*member) {
  std::vector<Rows> result;
  for (BoxRows& block : blocks) result.push_back(std::move(block.*member));
  return result;
}

/// The colleagues of all boxes.
BoxLists find_colleagues(const Octree& tree) {
  const Box* const boxes = tree.boxes.data();
  const bool any = boxes[0].source_count() > 0 && boxes[0].target_count() > 0;
  BoxLists colleagues{{0, any ? 1 : 0}, {}};
  if (any) colleagues.items.push_back(0);
  for (int level = 1; level <= tree.depth(); ++level) {
    const Blocks cut{tree.level_begin[level], tree.level_begin[level + 1]};
    std::vector<Rows> blocks(cut.count());
    cut.for_each([&](std::int32_t first, std::int32_t last, std::size_t block) {
      Rows& rows = blocks[block];
      for (std::int32_t b = first; b < last; ++b) {
        const RowPointers of_parent = row_pointers(colleagues.row(boxes[b].parent));
        for (int place = 0; place < place_count(of_parent); ++place) {
          const std::int32_t i = colleague_at(boxes, b, of_parent, place);
          if (i >= 0) rows.items.push_back(i);
        }
        rows.end_row();
      }
    });
    append(colleagues, blocks);
  }
  return colleagues;
}

}  // namespace

ListRules list_rules(Method method, int direct_threshold) {
  const bool treecode = method == Method::treecode;
  return {direct_threshold, treecode ? std::numeric_limits<int>::max() : direct_threshold};
}

InteractionLists build_interaction_lists(const Octree& tree, const ListRules& rules) {
  const BoxLists colleagues = find_colleagues(tree);
  const auto row = [&](std::int32_t a) { return row_pointers(colleagues.row(a)); };
  const Blocks cut{0, static_cast<std::int32_t>(tree.boxes.size())};
  std::vector<BoxRows> blocks(cut.count());
  cut.for_each([&](std::int32_t first, std::int32_t last, std::size_t block) {
    BoxRows& rows = blocks[block];
    for (std::int32_t b = first; b < last; ++b) {
      visit_lists(tree.boxes.data(), rules, b, row, rows);
      rows.end_box();
    }
  });
  InteractionLists lists;
  for (BoxLists* each : {&lists.near, &lists.far, &lists.multipole, &lists.local})
    each->begin = {0};
  append(lists.near, take(blocks, &BoxRows::near_rows));
  append(lists.far, take(blocks, &BoxRows::far_rows));
  append(lists.multipole, take(blocks, &BoxRows::multipole_rows));
  append(lists.local, take(blocks, &BoxRows::local_rows));
  return lists;
}

}  // namespace rankine::fmm
