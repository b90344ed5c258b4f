#include "rankine/fmm/distributed/partition.hpp"

#include <algorithm>
#include <cmath>

namespace rankine::fmm {
namespace {

constexpr KeyRange every_key;

/// A boundary between two ranges during the search, which descends from box to box.
struct Cut {
  double wanted = 0.0;    ///< desired weight below the boundary
  double below = 0.0;     ///< weight below the box
  std::uint64_t box = 0;  ///< key of the box on its level
  std::uint64_t at = 0;   ///< the boundary, when it is found
  bool found = false;
};

/// Sums of the weights of sorted keys before each of them.
std::vector<double> running_sums(const WeightedKeys& set) {
  std::vector<double> sums(set.keys.size() + 1, 0.0);
  for (std::size_t i = 0; i < set.keys.size(); ++i)
    sums[i + 1] = sums[i] + (set.weights.empty() ? 1.0 : set.weights[i]);
  return sums;
}

/// Coordinate of a box from its key: every third bit, from `axis` on.
std::uint32_t coordinate(std::uint64_t key, int axis) {
  std::uint32_t value = 0;
  for (int bit = 0; bit < max_level; ++bit)
    value |= static_cast<std::uint32_t>(key >> (3 * bit + axis) & 1) << bit;
  return value;
}

}  // namespace

int Partition::owner(std::uint64_t key) const {
  const auto next = std::upper_bound(begin.begin(), begin.end(), key);
  return static_cast<int>(next - begin.begin()) - 1;
}

Partition make_partition(Communicator& processes, std::span<const WeightedKeys> sets, int parts,
                         int deepest, std::int64_t fewest) {
  std::vector<std::vector<double>> sums;
  double total = 0.0;
  for (const WeightedKeys& set : sets) {
    sums.push_back(running_sums(set));
    total += sums.back().back();
  }
  processes.sum(std::span(&total, 1));
  std::vector<Cut> cuts(static_cast<std::size_t>(parts) - 1);
  for (std::size_t i = 0; i < cuts.size(); ++i)
    cuts[i].wanted = total * static_cast<double>(i + 1) / parts;
  const double tolerance = total / parts / 200.0;
  for (int level = 1; level <= deepest; ++level) {
    // Weights and numbers of points of the children of every boundary's box.
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (!cuts[i].found) open.push_back(i);
    }
    if (open.empty()) break;
    std::vector<double> of_children(16 * open.size(), 0.0);
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (k > 0 && cuts[open[k]].box == cuts[open[k - 1]].box) {  // the same box
        std::copy_n(&of_children[16 * (k - 1)], 16, &of_children[16 * k]);
        continue;
      }
      for (std::size_t s = 0; s < sets.size(); ++s) {
        for (std::uint64_t child = 0; child < 8; ++child) {
          const KeyRange keys = keys_of(level, 8 * cuts[open[k]].box + child);
          const auto& all = sets[s].keys;
          const auto first = std::lower_bound(all.begin(), all.end(), keys.first) - all.begin(),
                     last = std::lower_bound(all.begin(), all.end(), keys.last) - all.begin();
          of_children[16 * k + child] +=
              sums[s][static_cast<std::size_t>(last)] - sums[s][static_cast<std::size_t>(first)];
          of_children[16 * k + 8 + child] += static_cast<double>(last - first);
        }
      }
    }
    processes.sum(of_children);
    for (std::size_t k = 0; k < open.size(); ++k) {
      Cut& cut = cuts[open[k]];
      const double* const weights = &of_children[16 * k];
      std::uint64_t child = 0;
      while (child < 7 && cut.below + weights[child] <= cut.wanted) cut.below += weights[child++];
      cut.box = 8 * cut.box + child;
      const double above = cut.below + weights[child];
      const bool first = cut.wanted - cut.below <= above - cut.wanted;
      const double missed = first ? cut.wanted - cut.below : above - cut.wanted;
      const bool small = of_children[16 * k + 8 + child] <= static_cast<double>(fewest);
      cut.found = missed <= tolerance || small || level == deepest;
      const KeyRange keys = keys_of(level, cut.box);
      cut.at = first ? keys.first : keys.last;
    }
  }
  Partition partition;
  partition.begin = {0};
  for (const Cut& cut : cuts) partition.begin.push_back(std::max(partition.begin.back(), cut.at));
  partition.begin.push_back(every_key.last);
  return partition;
}

std::vector<KeyRange> neighbourhood(int level, std::uint64_t key) {
  const std::int64_t at[3] = {coordinate(key, 0), coordinate(key, 1), coordinate(key, 2)},
                     boxes = std::int64_t{1} << level;
  std::vector<KeyRange> ranges;
  for (int i = 0; i < 27; ++i) {
    const std::int64_t moved[3] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
    if (std::all_of(moved, moved + 3, [&](std::int64_t c) { return c >= 0 && c < boxes; })) {
      std::uint64_t moved_key = 0;
      for (int axis = 0; axis < 3; ++axis)
        moved_key |= spread_bits(static_cast<std::uint64_t>(moved[axis])) << axis;
      ranges.push_back(keys_of(level, moved_key));
    }
  }
  return ranges;
}

std::vector<int> adjacent_parts(const Partition& partition, const std::vector<char>& has_targets,
                                int level, std::uint64_t key) {
  std::vector<int> parts;
  for (const KeyRange& box : neighbourhood(level, key)) {
    for (int p = partition.owner(box.first);
         p < partition.parts() && partition.range(p).first < box.last; ++p) {
      if (has_targets[static_cast<std::size_t>(p)] && partition.range(p).meets(box))
        parts.push_back(p);
    }
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::vector<std::vector<std::uint64_t>> cut_boxes(const Partition& partition) {
  std::vector<std::vector<std::uint64_t>> cut;
  for (int level = 0; level < max_level; ++level) {
    std::vector<std::uint64_t> boxes;
    const int shift = 3 * (max_level - level);
    for (std::size_t p = 1; p + 1 < partition.begin.size(); ++p) {
      const std::uint64_t key = partition.begin[p] >> shift;
      const bool inside = partition.begin[p] != key << shift;
      if (inside && (boxes.empty() || boxes.back() != key)) boxes.push_back(key);
    }
    if (boxes.empty()) break;
    cut.push_back(std::move(boxes));
  }
  return cut;
}

}  // namespace rankine::fmm
