#include "rankine/fmm/leaf_groups.hpp"

#include <algorithm>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::fmm {
namespace {

/// Points per group: small enough for many threads, and for sums to stay in the second-level cache.
std::int32_t points_of_group(const Octree& tree) {
  constexpr std::int32_t least = 512, most = 8192, groups = 64;
  return std::clamp(tree.boxes[0].source_count() / groups, least, most);
}

/// The first leaf of every group, and the end of the last group; one number if there is none.
std::vector<std::int32_t> cut(const Octree& tree, const std::vector<std::int32_t>& leaves) {
  const std::int32_t most = points_of_group(tree);
  std::vector<std::int32_t> begin{0};
  std::int32_t first = 0;  // point of the group that is being filled
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Box& box = tree.boxes[leaves[i]];
    if (box.source_end - first <= most || box.source_begin == first) continue;
    begin.push_back(static_cast<std::int32_t>(i));
    first = box.source_begin;
  }
  if (!leaves.empty()) begin.push_back(static_cast<std::int32_t>(leaves.size()));
  return begin;
}

/// Sets the places of the group's near items; returns the leaves of its halo.
std::vector<std::int32_t> place_near(const Octree& tree, const BoxLists& near,
                                     std::span<const std::int32_t> group,
                                     AlignedVector<std::int32_t>& place) {
  const auto& boxes = tree.boxes;
  const std::int32_t begin = boxes[group.front()].source_begin,
                     end = boxes[group.back()].source_end;
  const auto before = [&](std::int32_t a, std::int32_t b) {
    return boxes[a].source_begin < boxes[b].source_begin;
  };
  std::vector<std::int32_t> halo;
  for (const std::int32_t leaf : group) {
    for (std::int64_t i = near.begin[leaf]; i < near.begin[leaf + 1]; ++i) {
      const std::int32_t other = near.items[i];
      const auto row = near.row(other);
      if (other == leaf || std::find(row.begin(), row.end(), leaf) == row.end()) {
        place[i] = LeafGroups::one_way;
      } else if (before(other, leaf)) {
        place[i] = LeafGroups::summed;
      } else {
        place[i] = boxes[other].source_begin - begin;
        if (boxes[other].source_begin >= end) halo.push_back(other);
      }
    }
  }
  std::sort(halo.begin(), halo.end(), before);
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  std::vector<std::int32_t> halo_place;
  std::int32_t next = end - begin;
  for (const std::int32_t leaf : halo) {
    halo_place.push_back(next);
    next += boxes[leaf].source_count();
  }
  for (const std::int32_t leaf : group) {
    for (std::int64_t i = near.begin[leaf]; i < near.begin[leaf + 1]; ++i) {
      if (place[i] < end - begin) continue;
      const auto at = std::lower_bound(halo.begin(), halo.end(), near.items[i], before);
      place[i] = halo_place[at - halo.begin()];
    }
  }
  return halo;
}

/// Assigns the halos to their leaves, in the order of the groups.
void deliver(const Octree& tree, const std::vector<std::vector<std::int32_t>>& halos,
             LeafGroups& groups) {
  std::vector<std::int32_t> position(tree.boxes.size());
  for (std::size_t i = 0; i < groups.leaves.size(); ++i)
    position[groups.leaves[i]] = static_cast<std::int32_t>(i);
  groups.halo_begin = {0};
  groups.arrival_begin.assign(groups.leaves.size() + 1, 0);
  for (const auto& halo : halos) {
    std::int64_t points = 0;
    for (const std::int32_t leaf : halo) {
      ++groups.arrival_begin[position[leaf] + 1];
      points += tree.boxes[leaf].source_count();
    }
    groups.halo_begin.push_back(groups.halo_begin.back() + points);
  }
  for (std::size_t i = 0; i < groups.leaves.size(); ++i)
    groups.arrival_begin[i + 1] += groups.arrival_begin[i];
  groups.arrivals.resize(static_cast<std::size_t>(groups.arrival_begin.back()));
  std::vector<std::int32_t> next = groups.arrival_begin;
  for (std::size_t g = 0; g < halos.size(); ++g) {
    std::int32_t at = 0;
    for (const std::int32_t leaf : halos[g]) {
      groups.arrivals[next[position[leaf]]++] = {static_cast<std::int32_t>(g), at};
      at += tree.boxes[leaf].source_count();
    }
  }
}

}  // namespace

std::size_t LeafGroups::bytes() const {
  return (leaves.capacity() + begin.capacity() + place.capacity() + arrival_begin.capacity()) *
             sizeof(std::int32_t) +
         halo_begin.capacity() * sizeof(std::int64_t) + arrivals.capacity() * sizeof(Arrival);
}

LeafGroups leaf_groups(const Octree& tree, const std::vector<std::int32_t>& leaves,
                       const BoxLists& near) {
  LeafGroups groups;
  for (const std::int32_t leaf : leaves) {
    if (tree.boxes[leaf].target_count() > 0) groups.leaves.push_back(leaf);
  }
  std::ranges::sort(groups.leaves, {},
                    [&](std::int32_t leaf) { return tree.boxes[leaf].source_begin; });
  groups.begin = cut(tree, groups.leaves);
  groups.place.resize(near.items.size());
  std::vector<std::vector<std::int32_t>> halos(groups.count());
  parallel_chunks(groups.count(), 1, [&](std::size_t g) {
    halos[g] = place_near(tree, near, groups.group(g), groups.place);
  });
  deliver(tree, halos, groups);
  return groups;
}

}  // namespace rankine::fmm
