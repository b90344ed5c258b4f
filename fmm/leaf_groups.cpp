#include "rankine/fmm/leaf_groups.hpp"

#include <algorithm>
#include <cstdlib>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::fmm {
namespace {

/// Points of a group: enough groups for many threads, and sums that stay in the second cache.
std::int32_t points_of_group(const Octree& tree) {
  constexpr std::int32_t least = 512, groups = 64;
  static const std::int32_t most = std::getenv("GP") ? std::atoi(std::getenv("GP")) : 8192;
  return std::clamp(tree.boxes[0].source_count() / groups, least, most);
}

}  // namespace

std::size_t LeafGroups::bytes() const {
  return (leaves.capacity() + begin.capacity()) * sizeof(std::int32_t) + mutual.capacity();
}

LeafGroups leaf_groups(const Octree& tree, const std::vector<std::int32_t>& leaves,
                       const BoxLists& near) {
  const auto& boxes = tree.boxes;
  LeafGroups groups{leaves, {0}, std::vector<std::uint8_t>(near.items.size())};
  std::sort(groups.leaves.begin(), groups.leaves.end(), [&](std::int32_t a, std::int32_t b) {
    return boxes[a].source_begin < boxes[b].source_begin;
  });
  const std::int32_t most = points_of_group(tree);
  std::int32_t first = 0;  // point of the group that is being filled
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Box& box = boxes[groups.leaves[i]];
    if (box.source_end - first <= most || box.source_begin == first) continue;
    groups.begin.push_back(static_cast<std::int32_t>(i));
    first = box.source_begin;
  }
  groups.begin.push_back(static_cast<std::int32_t>(leaves.size()));
  parallel_chunks(groups.count(), 1, [&](std::size_t g) {
    const std::int32_t begin = boxes[groups.leaves[groups.begin[g]]].source_begin,
                       end = boxes[groups.leaves[groups.begin[g + 1] - 1]].source_end;
    for (std::int32_t i = groups.begin[g]; i < groups.begin[g + 1]; ++i) {
      const std::int32_t leaf = groups.leaves[i];
      for (std::int64_t at = near.begin[leaf]; at < near.begin[leaf + 1]; ++at) {
        const std::int32_t other = near.items[at];
        if (other == leaf || boxes[other].source_begin < begin || boxes[other].source_end > end)
          continue;
        const auto row = near.row(other);
        groups.mutual[at] = std::find(row.begin(), row.end(), leaf) != row.end();
      }
    }
  });
  return groups;
}

}  // namespace rankine::fmm
